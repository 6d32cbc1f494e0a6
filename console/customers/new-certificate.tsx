import { useState } from 'hono/jsx/dom'
import { callApi, newIdempotencyKey } from '../api.ts'
import { jurisdictions } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { Form, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { recordsChanged } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'

const TYPES = [
  ['resale', 'Resale'],
  ['government', 'Government'],
  ['nonprofit', 'Non-profit organisation'],
  ['other', 'Other'],
] as const

const PLACE = 'Where it frees sales'

/** The form of a new certificate of a customer. */
export function NewCertificate({ customer_id }: { customer_id: string }) {
  const [idempotency_key, setKey] = useState(newIdempotencyKey)
  const places = useLoading(jurisdictions)
  const send = async (typed: Typed, form: HTMLFormElement) => {
    const body = {
      certificate_number: typed.text('number'),
      jurisdiction_id: typed.chosen('place', PLACE, places.value ?? []),
      exemption_type: typed.text('type'),
      certificate_url: typed.optional('url'),
      valid_from: typed.text('from'),
      valid_to: typed.optional('to'),
    }
    await callApi('POST', `/v1/customers/${customer_id}/exemptions`, { body, idempotency_key })
    setKey(newIdempotencyKey())
    form.reset()
    recordsChanged()
    toast('The certificate is added. It counts after a review.')
  }
  return (
    <Loaded
      of={places}
      show={(options) => (
        <Form name="Add the certificate" send={send}>
          <Input label="Number" name="number" required maxlength={100} />
          <Choice
            label={PLACE}
            hint="A country or a state, and all its parts"
            {...{ options }}
            name="place"
            required
          />
          <Select label="Kind" name="type" choices={TYPES} chosen="resale" />
          <Input
            label="Valid from"
            name="from"
            type="date"
            required
            value={new Date().toISOString().slice(0, 10)}
          />
          <Input label="Valid to" hint="Empty: without end" name="to" type="date" />
          <Input
            label="Address of the document"
            hint="It begins with https://"
            name="url"
            type="url"
            maxlength={2000}
          />
        </Form>
      )}
    />
  )
}
