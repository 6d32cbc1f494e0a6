import type { z } from 'zod'
import type { AllExemptionsAnswer } from '../../src/exemptions/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { Filters } from '../parts/filters.tsx'
import { useLoading } from '../parts/load.tsx'
import { AddLink } from '../parts/parts.tsx'
import { PagedTable, type PageOfRows } from '../parts/table.tsx'
import type { ViewProps } from '../view-module.ts'
import { sentence, withSpaces } from '../words.ts'
import { certificateAddress } from './address.ts'
import { Expiry } from './expiry.tsx'
import { STATES, stateOf } from './state.ts'

export { Record } from './record.tsx'

type AllCertificates = z.output<typeof AllExemptionsAnswer>
type OwnedCertificate = AllCertificates['exemptions'][number]

/** How many pages without a match one click reads, before the user decides to go on. */
const EMPTY_PAGES = 5

/** The certificates of all customers. */
export function View({ query }: ViewProps) {
  const { value: names } = useLoading(placeNames)
  const empty =
    query.size > 0
      ? { title: 'No certificate matches', text: 'Change a filter above, or clear them all.' }
      : {
          title: 'No certificates yet',
          text: 'A certificate frees sales to a customer from tax. Add one with its file.',
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
        href={(each) => linkTo('certificates', { id: certificateAddress(each.customer_id, each.id), query })}
        empty={empty}
        columns={[
          { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
          { head: 'Customer', cell: ownerOf },
          {
            head: 'Place',
            keep: 'wide',
            cell: ({ jurisdiction_id }) => names?.get(jurisdiction_id) ?? jurisdiction_id,
          },
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
          { head: 'State', phone: 'figure', keep: true, cell: (each) => <Badge word={stateOf(each)} /> },
          { head: 'Valid to', keep: true, cell: (each) => <Expiry of={each} /> },
        ]}
        read={(cursor, limit) => readPage(query, cursor, limit)}
      />
    </>
  )
}

const MORE_MATCH = 'More certificates match than a search looks at: type more of it.'

/** A page may have no certificate although more follow, so it reads on. */
async function readPage(
  query: URLSearchParams,
  cursor: string | null,
  limit: number,
): Promise<PageOfRows<OwnedCertificate>> {
  let next_cursor = cursor
  for (let pages = 0; ; pages += 1) {
    const asked = { limit: String(limit), cursor: next_cursor, q: query.get('q'), state: query.get('state') }
    const page = await callApi<AllCertificates>('GET', '/v1/exemptions', { query: asked })
    next_cursor = page.next_cursor
    if (page.exemptions.length > 0 || next_cursor === null || pages === EMPTY_PAGES)
      return {
        rows: page.exemptions,
        total: null,
        next_cursor,
        note: page.search_complete === false ? MORE_MATCH : undefined,
      }
  }
}

function captionOf(state: string | null): string {
  if (state === 'expired') return 'Certificates, those that ended last first'
  return state === null || state === 'pending' || state === 'rejected'
    ? 'Certificates, newest first'
    : 'Certificates, those that end first first'
}

/** The actions beside the heading. */
export function Actions() {
  return <AddLink to="certificates" name="Add a certificate" first />
}

function ownerOf({ customer_name, customer_external_id, customer_id }: OwnedCertificate): string {
  return customer_name ?? customer_external_id ?? customer_id
}
