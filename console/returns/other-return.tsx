import { useState } from 'hono/jsx/dom'
import { MEMBER_STATES } from '../../src/tax/regimes/eu-member-states.ts'
import { mistake } from '../api.ts'
import type { Names } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { Field, Form, Select, type Typed } from '../parts/form.tsx'
import { type FormName, FORMS, QUARTER } from './forms.ts'
import { linkToReturn } from './return-address.ts'

const TYPES = Object.entries(FORMS).map(([value, { name }]) => [value, name] as const)

/** A range of months has hyphens, at which a browser would break it. */
const PERIODS = (
  <>
    A year 2026, a quarter 2026-Q3, a month 2026-09, or months <span class="keep">2026-08..2026-09</span>
  </>
)

/** Opens a return that is not in the calendar: of a form without a registration, or of other months. */
export function OtherReturn({ names }: { names: Names }) {
  const [type, setType] = useState<FormName>('generic')
  const { period = QUARTER, place } = FORMS[type]
  const options = [...names]
    .filter(([id]) => (place === 'us_state' ? /^US-[A-Z]{2}$/.test(id) : MEMBER_STATES.includes(id)))
    .map(([value, name]) => ({ value, name, beside: value }))
  const show = async (typed: Typed) => {
    const jurisdiction_id = place === undefined ? null : typed.chosen('place', 'Place', options)
    if (place !== undefined && jurisdiction_id === null)
      throw mistake('Place: choose the state whose return it is', 'required')
    location.hash = linkToReturn({ type, period: typed.text('period'), jurisdiction_id })
  }
  return (
    <Form name="Show" send={show} first={false}>
      <Select
        label="Form"
        name="type"
        choices={TYPES}
        chosen={type}
        changed={(value) => setType(typeOf(value))}
      />
      <Field
        label="Period"
        hint={PERIODS}
        name="period"
        control={(bound) => (
          <input {...bound} name="period" required placeholder={period} autocomplete="off" />
        )}
      />
      {place !== undefined && (
        <Choice
          key={place}
          label="Place"
          hint="The state whose return it is"
          name="place"
          options={options}
        />
      )}
    </Form>
  )
}

function typeOf(value: string): FormName {
  // The keys of FORMS are the names of the forms.
  const types = Object.keys(FORMS) as FormName[]
  return types.find((each) => each === value) ?? 'generic'
}
