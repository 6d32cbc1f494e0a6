import { type Child, useState } from 'hono/jsx/dom'
import type { Customer, CustomerValidationAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { read } from '../api.ts'
import { linkToCertificate, StateOf } from '../certificates/certificate.tsx'
import { formatDay } from '../format.ts'
import { countries, customerName, type Option, placeName, withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Choice, Form, Input, readRegion, RegionChoice, Select, type Typed } from '../parts/form.tsx'
import { History } from '../parts/history.tsx'
import { useInPlace } from '../parts/in-place.tsx'
import { Loaded, Read, useLoading } from '../parts/load.tsx'
import { Badge, Facts, Folded, Id, LinkButton, Moment, Part, Press, useTitle } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'
import { CertificateLink } from './certificate-link.tsx'
import { NewCertificate } from './new-certificate.tsx'

/** What is inside the drawer of a customer. */
export function Record({ id }: RecordProps) {
  const show = (customer: Customer) => <Inside key={customer.updated_at} customer={customer} />
  return <Read read={() => withNames(read('/v1/customers/{id}', { id }))} of={[id]} lines={10} show={show} />
}

function Inside({ customer }: { customer: Customer }) {
  const edit = useInPlace('Edit', (close) => <ChangeCustomer customer={customer} cancel={close} />)
  useTitle(customerName(customer))
  if (edit.form !== null) return edit.form
  return (
    <>
      <Actions customer={customer} edit={edit.button} />
      <FactsOf customer={customer} />
      <Certificates customer={customer} />
      {may('customers:write') && (
        <>
          <Folded title="Add a certificate" make={() => <NewCertificate customer_id={customer.id} />} />
          {mayHaveCertificate(customer) && (
            <Folded title="Request a certificate" make={() => <CertificateLink customer={customer} />} />
          )}
        </>
      )}
      {may('customers:write') && <Erase customer={customer} />}
      <History of={customer.id} changes={customer.updated_at} />
      <Id of={customer.id} />
    </>
  )
}

/** The page of the link has the states of the United States: elsewhere no certificate exempts a sale. */
function mayHaveCertificate({ address, exemptions }: Customer): boolean {
  const has_one = exemptions.some(({ jurisdiction_id }) => jurisdiction_id.startsWith('US'))
  return address === null || address.country === 'US' || has_one
}

function Actions({ customer, edit }: { customer: Customer; edit: Child }) {
  const { id, vat_id } = customer
  const sales = linkTo('transactions', { query: new URLSearchParams({ customer_id: id }) })
  const checkVatId = (idempotency_key: string) =>
    change<CustomerValidationAnswer>('POST', `/v1/vat/validate-customer/${id}`, {
      idempotency_key,
      told: ({ validation }) => `The VAT id is ${withSpaces(validation.status)}`,
    })
  return (
    <Deeds of={[vat_id !== null && may('vat:write') && { name: 'Check the VAT id', act: checkVatId }]}>
      {may('transactions:read') && <LinkButton to={sales} name="Transactions" />}
      {may('customers:write') && edit}
    </Deeds>
  )
}

/** It stands last, away from what is done each day. */
function Erase({ customer }: { customer: Customer }) {
  const { id } = customer
  const name = customerName(customer)
  const text =
    'The customer and its certificates are deleted at once and for good. The law requires that ' +
    'recorded sales stay, with the address that was used for the tax.'
  const erase = () =>
    change('DELETE', `/v1/customers/${id}`, {
      ask: { title: `Erase ${name}?`, text, yes: 'Erase the customer' },
      told: `${name} is erased`,
      leave: linkTo('customers'),
    })
  return (
    <Part title="Erase">
      <Deeds of={[{ name: 'Erase…', act: erase, kind: 'dangerous' }]} />
    </Part>
  )
}

const SCHEMES = { es_recargo: 'Recargo de equivalencia (Spain)' }

function FactsOf({ customer }: { customer: Customer }) {
  const { address, vat_id } = customer
  const place = address && [
    address.line1,
    address.line2,
    [address.postal_code, address.city, address.region].filter(Boolean).join(' '),
    placeName(address.country),
  ]
  return (
    <Facts
      of={[
        ['Address', place?.filter(Boolean).join(', ') ?? null],
        ['E-mail address', customer.email],
        ['VAT id', vat_id && <VatId {...customer} />],
        ['Name registered with the tax office', vat_id && customer.vat_id_company_name],
        ['VAT id checked', vat_id && <Moment at={customer.vat_id_validated_at} />],
        ['Tax scheme', customer.vat_scheme && SCHEMES[customer.vat_scheme]],
        ['Your reference', customer.external_id],
        ['Added', <Moment at={customer.created_at} />],
      ]}
    />
  )
}

/** The VAT id of a customer, with what is known of it. */
export function VatId({ vat_id, vat_id_validated, vat_id_validated_at }: Customer) {
  if (vat_id === null) return <>–</>
  const found = vat_id_validated ? 'valid' : 'invalid'
  return (
    <span>
      {vat_id} <Badge word={vat_id_validated_at === null ? 'not checked' : found} />
    </span>
  )
}

function Certificates({ customer: { id, exemptions } }: { customer: Customer }) {
  if (exemptions.length === 0) return null
  return (
    <Table
      caption="Certificates"
      show_caption
      rows={exemptions}
      href={(each) => linkToCertificate(id, each.id)}
      columns={[
        { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
        { head: 'Place', cell: ({ jurisdiction_id }) => placeName(jurisdiction_id) },
        { head: 'Ends', keep: true, cell: ({ valid_to }) => (valid_to ? formatDay(valid_to) : 'Never') },
        { head: 'Status', phone: 'figure', cell: (each) => <StateOf of={each} /> },
      ]}
    />
  )
}

/** The form of a new customer. Its drawer follows. */
export function New() {
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
function ChangeCustomer({ customer, cancel }: { customer: Customer; cancel: () => void }) {
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
          <Select
            label="Tax scheme"
            name="vat_scheme"
            choices={{ '': 'None', ...SCHEMES }}
            chosen={customer?.vat_scheme ?? ''}
          >
            Sales to it have the second tax of the scheme
          </Select>
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
    ...typed.optionals('external_id', 'email', 'vat_id', 'vat_scheme'),
    address: country && {
      country,
      region: await readRegion(typed, country),
      ...typed.optionals('postal_code', 'city', 'line1', 'line2'),
    },
  }
}
