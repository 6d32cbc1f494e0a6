import { useState } from 'hono/jsx/dom'
import type { FilingType } from '../../client/src/schema.ts'
import { MEMBER_STATES } from '../../src/engine/regimes/eu-member-states.ts'
import { mistake } from '../api.ts'
import { NAMES } from '../names.ts'
import { Choice, Form, Input, Select, type Typed } from '../parts/form.tsx'
import { FORMS, QUARTER } from './forms.ts'
import { linkToReturn } from './return.ts'

const TYPES = Object.fromEntries(Object.entries(FORMS).map(([value, { name }]) => [value, name]))

/** A range of months has hyphens, at which a browser would break it. */
const PERIODS = (
  <>
    A year 2026, a quarter 2026-Q3, a month 2026-09, or months <span class="keep">2026-08..2026-09</span>
  </>
)

/** Opens a return that is not in the calendar: of a form without a registration, or of other months. */
export function OtherReturn() {
  const [type, setType] = useState<FilingType>('generic')
  const { period = QUARTER, place } = FORMS[type]
  const options = [...NAMES]
    .filter(([id]) => (place === 'us_state' ? /^US-[A-Z]{2}$/.test(id) : MEMBER_STATES.includes(id)))
    .map(([value, name]) => ({ value, name, beside: value }))
  const show = async (typed: Typed) => {
    const jurisdiction_id = place === undefined ? null : typed.chosen('place', 'Place', options)
    if (place !== undefined && jurisdiction_id === null)
      throw mistake('Place: choose the state of the return', 'required')
    location.hash = linkToReturn({ type, period: typed.text('period'), jurisdiction_id })
  }
  const change = (value: string) => setType(typeOf(value))
  return (
    <Form name="Show" send={show} first={false}>
      <Select label="Form" name="type" choices={TYPES} chosen={type} changed={change} />
      <Input label="Period" name="period" required placeholder={period}>
        {PERIODS}
      </Input>
      {place !== undefined && (
        <Choice key={place} label="Place" name="place" options={options}>
          The state of the return
        </Choice>
      )}
    </Form>
  )
}

function typeOf(value: string): FilingType {
  // The keys of FORMS are the names of the forms.
  const types = Object.keys(FORMS) as FilingType[]
  return types.find((each) => each === value) ?? 'generic'
}
