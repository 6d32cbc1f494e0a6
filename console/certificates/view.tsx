import { useState } from 'hono/jsx/dom'
import type { Customer, CustomerExemption } from '../../client/src/schema.ts'
import type { ViewProps } from '../address.ts'
import { type PageQuery, read } from '../api.ts'
import { NewCertificate } from '../customers/new-certificate.tsx'
import { customerName, placeName, withNames } from '../names.ts'
import { Filters, usePause } from '../parts/filters.tsx'
import { Input, valueIn } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { AddLink, EmptyState, Press, useTitle } from '../parts/parts.tsx'
import { type Column, PagedTable } from '../parts/table.tsx'
import { inWords } from '../words.ts'
import { lastDay, linkToCertificate, StateOf, STATES } from './certificate.tsx'

export { Record } from './record.tsx'

/** The certificates of all customers. */
export function View({ query }: ViewProps) {
  const readPage = async (page: PageQuery) => {
    const asked = { ...page, q: query.get('q'), state: query.get('state') }
    const { exemptions, next_cursor, search_complete } = await withNames(read('/v1/exemptions', asked))
    const note = search_complete === false ? MORE_MATCH : undefined
    return { rows: exemptions, total: null, next_cursor, note }
  }
  const empty =
    query.size > 0
      ? { title: 'No certificate matches', text: 'Change a filter above, or clear them all.' }
      : {
          title: 'No certificates yet',
          text: 'A certificate makes sales to a customer exempt. Add one with its file.',
          action: <AddLink to="certificates" name="Add a certificate" />,
        }
  return (
    <>
      <Filters
        of={[
          { name: 'q', label: 'Customer, number or place', kind: 'search' },
          { name: 'state', label: 'State', kind: 'select', options: STATES },
        ]}
        query={query}
      />
      <PagedTable
        caption={captionOf(query.get('state'))}
        of={query.toString()}
        href={(each) => linkToCertificate(each.customer_id, each.id, query)}
        empty={empty}
        columns={COLUMNS}
        read={readPage}
      />
    </>
  )
}

const COLUMNS: readonly Column<CustomerExemption>[] = [
  { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
  { head: 'Customer', cell: ownerOf },
  { head: 'Place', keep: 'wide', cell: (each) => placeName(each.jurisdiction_id) },
  { head: 'Kind', keep: true, phone: 'none', cell: (each) => inWords(each.exemption_type) },
  { head: 'File', keep: true, phone: 'none', cell: ({ document_type }) => document_type && 'Yes' },
  { head: 'State', phone: 'figure', keep: true, cell: (each) => <StateOf of={each} /> },
  { head: 'Valid to', keep: true, cell: lastDay },
]

const MORE_MATCH = 'Too many matches. Type more.'

function captionOf(state: string | null): string {
  if (state === 'expired') return 'Certificates by expiry date, latest first'
  return state === null || state === 'pending' || state === 'rejected'
    ? 'Certificates, newest first'
    : 'Certificates by expiry date'
}

/** The actions beside the heading. */
export const Actions = () => <AddLink to="certificates" name="Add a certificate" first />

function ownerOf({ customer_name, customer_external_id, customer_id }: CustomerExemption): string {
  return customer_name ?? customer_external_id ?? customer_id
}

const NO_CUSTOMERS = {
  title: 'No customers yet',
  text: 'A certificate belongs to a customer. Add the customer first.',
  action: <AddLink to="customers" name="Add a customer" />,
}

/** The form of a new certificate, which first asks for its customer. */
export function New() {
  useTitle('New certificate')
  const [sought, seek] = useState('')
  const [chosen, choose] = useState<Customer | null>(null)
  const loading = useLoading(() => read('/v1/customers', { limit: '10', q: sought || null }), [sought])
  const pause = usePause()
  const type = (event: Event) => {
    const typed = valueIn(event).trim()
    pause(() => seek(typed))
  }
  if (chosen !== null)
    return (
      <>
        <p class="row">
          <span>
            For <strong>{customerName(chosen)}</strong>
          </span>
          <Press name="Another customer" act={() => choose(null)} />
        </p>
        <NewCertificate customer_id={chosen.id} opens />
      </>
    )
  return (
    <>
      <Input label="Customer" type="search" value={sought} maxlength={100} onInput={type}>
        A word of the name, an e-mail address or your reference
      </Input>
      <Loaded
        of={loading}
        show={({ customers }) =>
          customers.length === 0 && sought === '' ? (
            <EmptyState {...NO_CUSTOMERS} />
          ) : customers.length === 0 ? (
            <p class="quiet">No results.</p>
          ) : (
            <ul class="found">
              {customers.map((customer) => (
                <li>
                  <Press name={customerName(customer)} act={() => choose(customer)} />
                </li>
              ))}
            </ul>
          )
        }
      />
    </>
  )
}
