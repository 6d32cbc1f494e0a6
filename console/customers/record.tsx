import { useState } from 'hono/jsx/dom'
import type { Customer, CustomerValidationAnswer } from '../../client/src/schema.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { read } from '../api.ts'
import { linkToCertificate, stateOf } from '../certificates/certificate.tsx'
import { formatDay } from '../format.ts'
import { customerName, placeName, withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { Badge, Facts, Folded, Id, Moment, Press, useTitle } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'
import { ChangeCustomer } from './form.tsx'
import { NewCertificate } from './new-certificate.tsx'

/** What is inside the drawer of a customer. */
export function Record({ id }: RecordProps) {
  const show = (customer: Customer) => <Inside key={customer.updated_at} customer={customer} />
  return <Read read={() => withNames(read('/v1/customers/{id}', { id }))} of={[id]} lines={10} show={show} />
}

function Inside({ customer }: { customer: Customer }) {
  const [changing, setChanging] = useState(false)
  useTitle(customerName(customer))
  if (changing) return <ChangeCustomer customer={customer} cancel={() => setChanging(false)} />
  return (
    <>
      <Actions customer={customer} edit={() => setChanging(true)} />
      <FactsOf customer={customer} />
      <Certificates customer={customer} />
      <Folded title="Add a certificate" make={() => <NewCertificate customer_id={customer.id} />} />
      <History of={customer.id} changes={customer.updated_at} />
    </>
  )
}

function Actions({ customer, edit }: { customer: Customer; edit: () => void }) {
  const { id, vat_id } = customer
  const name = customerName(customer)
  const checkVatId = (idempotency_key: string) =>
    change<CustomerValidationAnswer>('POST', `/v1/vat/validate-customer/${id}`, {
      idempotency_key,
      told: ({ validation }) => `The VAT id is ${withSpaces(validation.status)}`,
    })
  const text =
    'The customer and its certificates are deleted at once and for good. Recorded sales stay, with the ' +
    'address that they were taxed by: the law asks for it.'
  const erase = () =>
    change('DELETE', `/v1/customers/${id}`, {
      ask: { title: `Erase ${name}?`, text, yes: 'Erase the customer' },
      told: `${name} is erased`,
      leave: linkTo('customers'),
    })
  return (
    <Deeds
      of={[
        vat_id !== null && { name: 'Check the VAT id', act: checkVatId },
        { name: 'Erase…', act: erase, kind: 'dangerous' },
      ]}
    >
      <a class="button" href={linkTo('transactions', { query: new URLSearchParams({ customer_id: id }) })}>
        Transactions
      </a>
      <Press name="Edit" act={edit} />
    </Deeds>
  )
}

function FactsOf({ customer }: { customer: Customer }) {
  const { address, vat_id, id } = customer
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
        ['Name at the tax office', vat_id && customer.vat_id_company_name],
        ['VAT id checked', vat_id && <Moment at={customer.vat_id_validated_at} />],
        ['Your reference', customer.external_id],
        ['Added', <Moment at={customer.created_at} />],
        ['Id', <Id of={id} />],
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
        { head: 'Status', phone: 'figure', cell: (each) => <Badge word={stateOf(each)} /> },
      ]}
    />
  )
}
