import { linkTo } from '../address.ts'
import { formatDay } from '../format.ts'
import { jurisdictions, type Option } from '../names.ts'
import { change } from '../parts/changes.tsx'
import { Choice } from '../parts/choice.tsx'
import { Form, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { useTitle } from '../parts/sheet.ts'
import { SCHEMES } from '../schemes.ts'
import { withSpaces } from '../words.ts'
import type { Registration } from './registration.ts'

const FREQUENCIES = [
  ['', 'As usual in that place'],
  ['monthly', 'Monthly'],
  ['two_monthly', 'Every two months'],
  ['quarterly', 'Quarterly'],
  ['six_monthly', 'Every six months'],
  ['annual', 'Annually'],
] as const

const PLACE = 'Place or scheme'

export function frequencyWords(frequency: string | null): string {
  return FREQUENCIES.find(([value]) => value === (frequency ?? ''))?.[1] ?? withSpaces(frequency ?? '')
}

/** The form of a new registration. `place` is chosen at first. */
export function NewRegistration({ place }: { place: string }) {
  useTitle('Add a registration')
  const loading = useLoading(readPlaces)
  const send = (typed: Typed, idempotency_key: string) => {
    const chosen = typed.chosen('place', PLACE, loading.value ?? [])
    const is_scheme = Object.keys(SCHEMES).includes(chosen ?? '')
    const body = {
      ...(is_scheme ? { scheme: chosen } : { jurisdiction_id: chosen }),
      valid_from: typed.text('valid_from'),
      registration_number: typed.optional('registration_number'),
      filing_frequency: typed.optional('filing_frequency'),
    }
    const told = `${loading.value?.find(({ value }) => value === chosen)?.name ?? chosen} is added`
    const leave = linkTo('registrations')
    return change('POST', '/v1/registrations', { body, idempotency_key, told, leave })
  }
  const show = (options: Option[]) => (
    <Form
      name="Add the registration"
      send={send}
      fieldOf={(path) => (path === 'jurisdiction_id' || path === 'scheme' ? 'place' : null)}
    >
      <Choice
        label={PLACE}
        hint="Such as Germany, Texas or EU One Stop Shop"
        name="place"
        options={options}
        chosen={place}
        required
      />
      <Input
        label="Registration number"
        hint="It is printed on the files for the office"
        name="registration_number"
        maxlength={100}
      />
      <Input
        label="Valid from"
        hint="The first day on which you collect the tax"
        name="valid_from"
        type="date"
        required
      />
      <Select
        label="Files"
        hint="As the office has told you"
        name="filing_frequency"
        choices={FREQUENCIES}
        chosen=""
      />
    </Form>
  )
  return <Loaded of={loading} lines={8} show={show} />
}

async function readPlaces(): Promise<Option[]> {
  const schemes = Object.entries(SCHEMES).map(([value, name]) => ({ value, name, beside: 'scheme' }))
  return [...schemes, ...(await jurisdictions())]
}

export function ChangeRegistration({ of, path }: { of: Registration; path: string }) {
  const send = (typed: Typed) => {
    const body = {
      registration_number: typed.optional('registration_number'),
      filing_frequency: typed.optional('filing_frequency'),
    }
    return change('PUT', path, { body, told: 'The registration is changed' })
  }
  return (
    <Form name="Save" send={send}>
      <Input
        label="Registration number"
        name="registration_number"
        maxlength={100}
        value={of.registration_number ?? ''}
      />
      <Select
        label="Files"
        name="filing_frequency"
        choices={FREQUENCIES}
        chosen={of.filing_frequency ?? ''}
      />
    </Form>
  )
}

export function EndRegistration({ of: { valid_from, valid_to }, path }: { of: Registration; path: string }) {
  const send = (typed: Typed) => {
    const last = typed.text('valid_to')
    const told = `The registration ends on ${formatDay(last)}`
    return change('PUT', path, { body: { valid_to: last }, told })
  }
  return (
    <Form name="End" send={send} first={false}>
      <Input
        label="Last day"
        hint="From the next day on, no tax is collected here"
        name="valid_to"
        type="date"
        required
        min={valid_from}
        value={valid_to ?? ''}
      />
    </Form>
  )
}
