import { useState } from 'hono/jsx/dom'
import { linkTo } from '../address.ts'
import { callApi, newIdempotencyKey } from '../api.ts'
import { formatDay } from '../format.ts'
import { jurisdictions, type Option } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { Form, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { useTitle } from '../parts/sheet.ts'
import { recordsChanged } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'
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
  const [idempotency_key] = useState(newIdempotencyKey)
  const loading = useLoading(readPlaces)
  const send = async (typed: Typed) => {
    const chosen = typed.chosen('place', PLACE, loading.value ?? [])
    const is_scheme = Object.keys(SCHEMES).includes(chosen ?? '')
    const body = {
      ...(is_scheme ? { scheme: chosen } : { jurisdiction_id: chosen }),
      valid_from: typed.text('valid_from'),
      registration_number: typed.optional('number'),
      filing_frequency: typed.optional('frequency'),
    }
    await callApi('POST', '/v1/registrations', { body, idempotency_key })
    toast(`${loading.value?.find(({ value }) => value === chosen)?.name ?? chosen} is added`)
    location.hash = linkTo('registrations')
    recordsChanged()
  }
  const show = (options: Option[]) => (
    <Form name="Add the registration" send={send}>
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
        name="number"
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
        name="frequency"
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
  const send = async (typed: Typed) => {
    const body = {
      registration_number: typed.optional('number'),
      filing_frequency: typed.optional('frequency'),
    }
    await callApi('PUT', path, { body })
    toast('The registration is changed')
    recordsChanged()
  }
  return (
    <Form name="Save" send={send}>
      <Input label="Registration number" name="number" maxlength={100} value={of.registration_number ?? ''} />
      <Select label="Files" name="frequency" choices={FREQUENCIES} chosen={of.filing_frequency ?? ''} />
    </Form>
  )
}

export function EndRegistration({ of: { valid_from, valid_to }, path }: { of: Registration; path: string }) {
  const send = async (typed: Typed) => {
    const last = typed.text('valid_to')
    await callApi('PUT', path, { body: { valid_to: last } })
    toast(`The registration ends on ${formatDay(last)}`)
    recordsChanged()
  }
  return (
    <Form name="End" send={send}>
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
