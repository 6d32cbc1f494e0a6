import type { z } from 'zod'
import type { AllExemptionsAnswer } from '../../src/exemptions/schemas.ts'
import { may } from '../scopes.ts'
import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { Filters } from '../parts/filters.tsx'
import { useLoading } from '../parts/load.tsx'
import { PagedTable, type PageOfRows } from '../parts/table.tsx'
import type { ViewProps } from '../view-module.ts'
import { sentence, withSpaces } from '../words.ts'
import { certificateAddress } from './address.ts'
import { Expiry } from './expiry.tsx'
import { stateOf } from './state.ts'

export { Record } from './record.tsx'

type AllCertificates = z.output<typeof AllExemptionsAnswer>
type OwnedCertificate = AllCertificates['exemptions'][number]

const STATUSES = [
  { value: 'pending', name: 'to review' },
  { value: 'verified', name: 'approved' },
  { value: 'rejected', name: 'rejected' },
  { value: 'expired', name: 'expired' },
]

/** The certificates of all customers, the newest first. */
export function View({ query }: ViewProps) {
  const { value: names } = useLoading(placeNames)
  const read = async (cursor: string | null, limit: number): Promise<PageOfRows<OwnedCertificate>> => {
    const asked = { limit: String(limit), cursor, status: query.get('status') }
    const page = await callApi<AllCertificates>('GET', '/v1/exemptions', { query: asked })
    return { rows: page.exemptions, total: null, next_cursor: page.next_cursor }
  }
  const empty =
    query.size > 0
      ? { title: 'No certificate has this status', text: 'Clear the filter to see all.' }
      : {
          title: 'No certificates yet',
          text: 'A certificate frees sales to a customer from tax. Add one with its file.',
          action: <AddLink />,
        }
  return (
    <>
      <Filters of={[{ name: 'status', label: 'Status', kind: 'select', options: STATUSES }]} query={query} />
      <PagedTable
        caption="Certificates, newest first"
        of={query.toString()}
        href={(each) => linkTo('certificates', { id: certificateAddress(each.customer_id, each.id), query })}
        empty={empty}
        columns={[
          { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
          { head: 'Customer', cell: ownerOf },
          { head: 'Place', cell: ({ jurisdiction_id }) => names?.get(jurisdiction_id) ?? jurisdiction_id },
          {
            head: 'Kind',
            keep: true,
            phone: 'none',
            cell: ({ exemption_type }) => sentence(withSpaces(exemption_type)),
          },
          {
            head: 'File',
            keep: true,
            phone: 'none',
            cell: ({ document_type }) => (document_type === null ? '–' : 'Yes'),
          },
          { head: 'Status', phone: 'figure', cell: (each) => <Badge word={stateOf(each)} /> },
          { head: 'Valid to', cell: (each) => <Expiry of={each} /> },
        ]}
        read={read}
      />
    </>
  )
}

/** The actions beside the heading. */
export function Actions() {
  return <AddLink />
}

function AddLink() {
  return !may('customers:write') ? null : (
    <a class="button first" href={linkTo('certificates', { id: 'new' })}>
      Add a certificate
    </a>
  )
}

function ownerOf({ customer_name, customer_external_id, customer_id }: OwnedCertificate): string {
  return customer_name ?? customer_external_id ?? customer_id
}
