import type { Customer } from '../../client/src/schema.ts'
import { linkTo, type ViewProps } from '../address.ts'
import { type PageQuery, read } from '../api.ts'
import { customerName, placeName, withNames } from '../names.ts'
import { Filters } from '../parts/filters.tsx'
import { AddLink, Badge, Day } from '../parts/parts.tsx'
import { type Column, PagedTable } from '../parts/table.tsx'
import { counted } from '../words.ts'
import { VatId } from './record.tsx'

export { New, Record } from './record.tsx'

/** The customers on file, the newest first. */
export function View({ query }: ViewProps) {
  const readPage = async (page: PageQuery) => {
    const answer = await withNames(read('/v1/customers', { ...page, q: query.get('q') }))
    return { ...answer, rows: answer.customers }
  }
  const empty =
    query.size > 0
      ? {
          title: 'No customer matches',
          text: 'Search by the first letters of a name, an e-mail address or your reference.',
        }
      : {
          title: 'No customers yet',
          text: 'Save customers that have a VAT id or a certificate. Others are optional.',
          action: <AddLink to="customers" name="Add a customer" />,
        }
  return (
    <>
      <Filters of={[{ name: 'q', label: 'Name, e-mail, reference', kind: 'search' }]} query={query} />
      <PagedTable
        caption="Customers, newest first"
        of={query.toString()}
        href={({ id }) => linkTo('customers', { id, query })}
        empty={empty}
        columns={COLUMNS}
        read={readPage}
      />
    </>
  )
}

const COLUMNS: readonly Column<Customer>[] = [
  { head: 'Customer', cell: (each) => <span class="breaks">{customerName(each)}</span> },
  { head: 'Place', cell: ({ address }) => address && placeName(address.country) },
  { head: 'VAT id', keep: true, cell: (customer) => customer.vat_id && <VatId {...customer} /> },
  { head: 'Certificates', keep: 'wide', cell: certificatesOf },
  { head: 'Reference', phone: 'none', cell: ({ external_id }) => external_id },
  { head: 'Added', phone: 'none', cell: ({ created_at }) => <Day at={created_at} /> },
]

export const Actions = () => <AddLink to="customers" name="Add a customer" first />

function certificatesOf({ exemptions }: Customer) {
  if (exemptions.some(({ status }) => status === 'pending'))
    return <Badge word="certificate to review" tone="warn" />
  return exemptions.length === 0 ? null : counted(exemptions.length, 'certificate')
}
