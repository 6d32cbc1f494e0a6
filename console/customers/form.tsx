import { useState } from 'hono/jsx/dom'
import type { Customer } from '../../client/src/schema.ts'
import { linkTo } from '../address.ts'
import { countries, customerName, type Option } from '../names.ts'
import { change } from '../parts/changes.tsx'
import { Choice, Form, Input, readRegion, RegionChoice, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Press, useTitle } from '../parts/parts.tsx'

/** The form of a new customer. Its drawer follows. */
export function NewCustomer() {
  useTitle('New customer')
  const save = (body: object, idempotency_key: string) =>
    change<Customer>('POST', '/v1/customers', {
      body,
      idempotency_key,
      told: (made) => `${customerName(made)} is added`,
      leave: ({ id }) => linkTo('customers', { id }),
    })
  return <CustomerForm name="Add the customer" save={save} />
}

/** The form that changes a customer. */
export function ChangeCustomer({ customer, cancel }: { customer: Customer; cancel: () => void }) {
  const save = async (body: object) => {
    const told = `${customerName(customer)} is changed`
    await change('PUT', `/v1/customers/${customer.id}`, { body, told })
    cancel()
  }
  return <CustomerForm name="Save" save={save} customer={customer} cancel={cancel} />
}

type CustomerFormProps = {
  name: string
  save: (body: object, idempotency_key: string) => Promise<unknown>
  customer?: Customer
  cancel?: () => void
}

/** `save` gets the body of the request, which has all that a person can change. */
function CustomerForm({ name, save, customer, cancel }: CustomerFormProps) {
  const nations = useLoading(countries)
  const send = async (typed: Typed, idempotency_key: string) =>
    save(await readCustomer(typed, nations.value ?? []), idempotency_key)
  const beside = cancel && <Press name="Cancel" act={cancel} />
  return (
    <Loaded
      of={nations}
      lines={10}
      show={(options) => (
        <Form name={name} send={send} beside={beside}>
          <Input label="Name" name="name" required maxlength={300} value={customer?.name ?? ''} />
          <Input
            label="Your reference"
            name="external_id"
            maxlength={255}
            value={customer?.external_id ?? ''}
          >
            Unique among your customers
          </Input>
          <Input label="E-mail address" name="email" maxlength={254} value={customer?.email ?? ''} />
          <AddressFields options={options} address={customer?.address ?? null} />
          <Input label="VAT id" name="vat_id" maxlength={40} value={customer?.vat_id ?? ''}>
            It can be checked afterwards
          </Input>
        </Form>
      )}
    />
  )
}

function AddressFields({ options, address }: { options: readonly Option[]; address: Customer['address'] }) {
  const chosen = address?.country ?? ''
  const [country, setCountry] = useState<string | null>(address?.country ?? null)
  const region = country === address?.country ? address?.region : null
  return (
    <>
      <Choice label="Country" name="country" {...{ options }} chosen={chosen} changed={setCountry}>
        Its name or code
      </Choice>
      <div>
        <RegionChoice key={country} country={country} chosen={region ?? ''} />
      </div>
      <Input label="Postal code" name="postal_code" maxlength={20} value={address?.postal_code ?? ''} />
      <Input label="City" name="city" maxlength={200} value={address?.city ?? ''} />
      <Input label="Street and number" name="line1" maxlength={300} value={address?.line1 ?? ''} />
      <Input label="Building, floor" name="line2" maxlength={300} value={address?.line2 ?? ''} />
    </>
  )
}

/** The body of the request. Without a country there is no address. Throws a Failure that names a field. */
async function readCustomer(typed: Typed, options: readonly Option[]): Promise<object> {
  const country = typed.chosen('country', 'Country', options)
  return {
    name: typed.text('name'),
    ...typed.optionals('external_id', 'email', 'vat_id'),
    address: country && {
      country,
      region: await readRegion(typed, country),
      ...typed.optionals('postal_code', 'city', 'line1', 'line2'),
    },
  }
}
