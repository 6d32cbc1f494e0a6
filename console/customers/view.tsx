import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { Filters } from '../parts/filters.tsx'
import { useLoading } from '../parts/load.tsx'
import { AddLink } from '../parts/parts.tsx'
import { PagedTable, type PageOfRows } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'
import type { RecordProps, ViewProps } from '../view-module.ts'
import { counted } from '../words.ts'
import { type Customer, customerName } from './customer.ts'
import { NewCustomer } from './form.tsx'
import { CustomerRecord, VatId } from './record.tsx'

type CustomersPage = { customers: Customer[]; total: number; next_cursor: string | null }

/** The customers on file, the newest first. */
export function View({ query }: ViewProps) {
  const { value: names } = useLoading(placeNames)
  const read = async (cursor: string | null, limit: number): Promise<PageOfRows<Customer>> => {
    const asked = { limit: String(limit), cursor, q: query.get('q') }
    // With the names at once, the columns keep their widths.
    const named = Promise.allSettled([placeNames()])
    const page = await callApi<CustomersPage>('GET', '/v1/customers', { query: asked })
    await named
    return { rows: page.customers, total: page.total, next_cursor: page.next_cursor }
  }
  const empty =
    query.size > 0
      ? {
          title: 'No customer matches',
          text: 'Search by the beginning of a word of the name, of the e-mail address or of your reference.',
        }
      : {
          title: 'No customers yet',
          text: 'Customers on file keep a VAT id and certificates. Sales to others need none.',
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
        columns={[
          { head: 'Customer', cell: (each) => <span class="breaks">{customerName(each)}</span> },
          {
            head: 'Place',
            cell: ({ address }) => address && (names?.get(address.country) ?? address.country),
          },
          { head: 'VAT id', keep: true, cell: (customer) => customer.vat_id && <VatId {...customer} /> },
          { head: 'Certificates', keep: 'wide', cell: certificatesOf },
          { head: 'Reference', phone: 'none', cell: ({ external_id }) => external_id },
          { head: 'Added', phone: 'none', cell: ({ created_at }) => <Day at={created_at} /> },
        ]}
        read={read}
      />
    </>
  )
}

export function Actions() {
  return <AddLink to="customers" name="Add a customer" first />
}

/** The drawer of a customer, or the form of a new one. */
export function Record({ id }: RecordProps) {
  return <div class="drawer-body">{id === 'new' ? <NewCustomer /> : <CustomerRecord id={id} />}</div>
}

function certificatesOf({ exemptions }: Customer) {
  if (exemptions.some(({ status }) => status === 'pending'))
    return <Badge word="certificate to review" tone="warn" />
  return exemptions.length === 0 ? null : counted(exemptions.length, 'certificate')
}
