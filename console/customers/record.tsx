import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { CustomerValidationAnswer } from '../../src/customers/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { formatDay } from '../format.ts'
import { type Names, placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { change, Deeds, Read } from '../parts/changes.tsx'
import { Copy } from '../parts/copy.tsx'
import { Folded } from '../parts/folded.tsx'
import { History } from '../parts/history.tsx'
import { Facts } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { may } from '../scopes.ts'
import { withSpaces } from '../words.ts'
import { certificateAddress } from '../certificates/address.ts'
import { stateOf } from '../certificates/state.ts'
import { type Customer, customerName } from './customer.ts'
import { ChangeCustomer } from './form.tsx'
import { NewCertificate } from './new-certificate.tsx'

/** What is inside the drawer of a customer. */
export function CustomerRecord({ id }: { id: string }) {
  const read = () =>
    Promise.all([callApi<Customer>('GET', `/v1/customers/${encodeURIComponent(id)}`), placeNames()])
  return (
    <Read
      read={read}
      of={[id]}
      lines={10}
      show={([customer, names]) => <Inside key={customer.updated_at} customer={customer} names={names} />}
    />
  )
}

function Inside({ customer, names }: { customer: Customer; names: Names }) {
  const [changing, setChanging] = useState(false)
  useTitle(customerName(customer))
  if (changing) return <ChangeCustomer customer={customer} cancel={() => setChanging(false)} />
  return (
    <>
      <Actions customer={customer} edit={() => setChanging(true)} />
      <FactsOf customer={customer} names={names} />
      <Certificates customer={customer} names={names} />
      {may('customers:write') && (
        <Folded title="Add a certificate" make={() => <NewCertificate customer_id={customer.id} />} />
      )}
      <History of={customer.id} changes={customer.updated_at} />
    </>
  )
}

function Actions({ customer, edit }: { customer: Customer; edit: () => void }) {
  const { id, vat_id } = customer
  const name = customerName(customer)
  const checkVatId = (idempotency_key: string) =>
    change<z.output<typeof CustomerValidationAnswer>>('POST', `/v1/vat/validate-customer/${id}`, {
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
        vat_id !== null && may('vat:write') && { name: 'Check the VAT id', act: checkVatId },
        may('customers:write') && { name: 'Erase…', act: erase, kind: 'dangerous' },
      ]}
    >
      {may('transactions:read') && (
        <a class="button" href={linkTo('transactions', { query: new URLSearchParams({ customer_id: id }) })}>
          Transactions
        </a>
      )}
      {may('customers:write') && (
        <button type="button" onClick={edit}>
          Edit
        </button>
      )}
    </Deeds>
  )
}

function FactsOf({ customer, names }: { customer: Customer; names: Names }) {
  const { address, vat_id, id } = customer
  const place = address && [
    address.line1,
    address.line2,
    [address.postal_code, address.city, address.region].filter(Boolean).join(' '),
    names.get(address.country) ?? address.country,
  ]
  return (
    <Facts
      of={[
        ['Address', place?.filter(Boolean).join(', ') ?? null],
        ['E-mail address', customer.email],
        ['VAT id', vat_id && <VatId {...customer} />],
        vat_id === null ? null : ['Name at the tax office', customer.vat_id_company_name],
        vat_id === null ? null : ['VAT id checked', <Moment at={customer.vat_id_validated_at} />],
        ['Your reference', customer.external_id],
        ['Added', <Moment at={customer.created_at} />],
        [
          'Id',
          <span class="id">
            <code>{id}</code> <Copy text={id} label="Copy the id" />
          </span>,
        ],
      ]}
    />
  )
}

/** The VAT id of a customer, with what is known of it. */
export function VatId({ vat_id, vat_id_validated, vat_id_validated_at }: CheckedVatId) {
  if (vat_id === null) return <>–</>
  const found = vat_id_validated ? 'valid' : 'invalid'
  return (
    <span>
      {vat_id} <Badge word={vat_id_validated_at === null ? 'not checked' : found} />
    </span>
  )
}

type CheckedVatId = Pick<Customer, 'vat_id' | 'vat_id_validated' | 'vat_id_validated_at'>

function Certificates({ customer: { id, exemptions }, names }: { customer: Customer; names: Names }) {
  if (exemptions.length === 0) return null
  return (
    <Table
      caption="Certificates"
      show_caption
      rows={exemptions}
      href={(each) => linkTo('certificates', { id: certificateAddress(id, each.id) })}
      columns={[
        { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
        { head: 'Place', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
        {
          head: 'Ends',
          keep: true,
          cell: ({ valid_to }) => (valid_to === null ? 'Never' : formatDay(valid_to)),
        },
        { head: 'Status', phone: 'figure', cell: (each) => <Badge word={stateOf(each)} /> },
      ]}
    />
  )
}
