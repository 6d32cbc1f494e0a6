import type { Exemption } from '../../client/src/schema.ts'
import { F0003 } from '../../src/parties/exemptions/reason-codes.ts'
import { callApi } from '../api.ts'
import { linkToCertificate } from '../certificates/certificate.tsx'
import { chosenFile, FileField, storeFile } from '../certificates/document.tsx'
import { todayInZone } from '../format.ts'
import { jurisdictions } from '../names.ts'
import { toast } from '../parts/changes.tsx'
import { Choice, Form, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, recordsChanged, useLoading } from '../parts/load.tsx'

const TYPES = {
  resale: 'Resale',
  government: 'Government',
  nonprofit: 'Non-profit organisation',
  other: 'Other',
}

const REASONS = Object.fromEntries([
  ['', 'Not given'],
  ...Object.entries(F0003.reasons).map(([letter, reason]) => [letter, `${letter}: ${reason}`]),
])

const PLACE = 'Exempt in'

/** The form of a new certificate of a customer. With `opens`, the drawer of the certificate follows. */
export function NewCertificate({ customer_id, opens = false }: { customer_id: string; opens?: boolean }) {
  const places = useLoading(jurisdictions)
  const send = async (typed: Typed, idempotency_key: string, form: HTMLFormElement) => {
    const body = {
      certificate_number: typed.text('certificate_number'),
      jurisdiction_id: typed.chosen('jurisdiction_id', PLACE, places.value ?? []),
      exemption_type: typed.text('exemption_type'),
      valid_from: typed.text('valid_from'),
      ...typed.optionals('reason_code', 'certificate_url', 'valid_to'),
    }
    const file = chosenFile(typed)
    const path = `/v1/customers/${customer_id}/exemptions`
    const { id } = await callApi<Exemption>('POST', path, { body, idempotency_key })
    if (file !== null) await storeFile(id, file)
    form.reset()
    recordsChanged()
    toast('The certificate is added. It is not used until you approve it.')
    if (opens) location.hash = linkToCertificate(customer_id, id)
  }
  return (
    <Loaded
      of={places}
      show={(options) => (
        <Form name="Add the certificate" send={send}>
          <Input label="Number" name="certificate_number" required maxlength={100} />
          <Choice label={PLACE} {...{ options }} name="jurisdiction_id" required>
            A country or a state, and all its parts
          </Choice>
          <Select label="Kind" name="exemption_type" choices={TYPES} chosen="resale" />
          <Select label="Reason on form F0003" name="reason_code" choices={REASONS} chosen="">
            The letter of the reason on the Streamlined Sales Tax form
          </Select>
          <Input label="Valid from" name="valid_from" type="date" required value={todayInZone()} />
          <Input label="Valid to" name="valid_to" type="date">
            Leave empty if it has no end date
          </Input>
          <FileField label="File" />
          <Input label="Link to the document" name="certificate_url" type="url" maxlength={2000}>
            It starts with https://
          </Input>
        </Form>
      )}
    />
  )
}
