import { useState } from 'hono/jsx/dom'
import type { Customer, Exemption, ExemptionStatus, ListedTransaction } from '../../client/src/schema.ts'
import { dayAfter } from '../../src/platform/kit/calendar.ts'
import { F0003 } from '../../src/parties/exemptions/reason-codes.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { type PageQuery, type Query, read } from '../api.ts'
import { formatDay, formatMoney, todayInZone } from '../format.ts'
import { customerName, placeName, withNames } from '../names.ts'
import { change, type Deed, Deeds } from '../parts/changes.tsx'
import { Input, valueIn } from '../parts/form.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { Day, Facts, Folded, LinkButton, Moment, Part, Source, useTitle } from '../parts/parts.tsx'
import { type Column, PagedTable } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'
import { lastDay, StateOf, stateOf } from './certificate.tsx'
import { Document } from './document.tsx'

type Move = { to: ExemptionStatus; name: string; done: string; kind?: Deed['kind'] }

const REJECT: Move = { to: 'rejected', name: 'Reject', done: 'rejected', kind: 'dangerous' }
const REVIEW: Move = { to: 'pending', name: 'Review again', done: 'open for review' }

/**
 * What a person may do with a certificate of each status. Only a review has a first choice: nothing asks to
 * end or reject a certificate that is approved.
 */
const MOVES: Readonly<Record<ExemptionStatus, readonly Move[]>> = {
  pending: [{ to: 'verified', name: 'Approve', done: 'approved', kind: 'first' }, REJECT],
  verified: [REJECT, { to: 'expired', name: 'End now', done: 'ended' }],
  rejected: [REVIEW],
  expired: [REVIEW],
}

/** One that has ended by its last day cannot be ended again. */
function movesOf(certificate: Exemption): readonly Move[] {
  const moves = MOVES[certificate.status]
  return stateOf(certificate) === 'expired' ? moves.filter(({ to }) => to !== 'expired') : moves
}

/** The drawer of a certificate. Its id is what `linkToCertificate` makes. */
export function Record({ id }: RecordProps) {
  const [customer_id = '', certificate_id] = id.split('~')
  const show = (customer: Customer) => {
    const certificate = customer.exemptions.find((each) => each.id === certificate_id)
    if (certificate === undefined) return <p>The certificate no longer exists.</p>
    return <Inside key={`${certificate.id} ${certificate.updated_at}`} {...{ customer, certificate }} />
  }
  const readIt = () => withNames(read('/v1/customers/{id}', { id: customer_id }))
  return <Read read={readIt} of={[id]} lines={8} show={show} />
}

type InsideProps = { customer: Customer; certificate: Exemption }

function Inside({ customer, certificate }: InsideProps) {
  useTitle(certificate.certificate_number, <StateOf of={certificate} />)
  const review = may('customers:write') && <Review customer={customer} certificate={certificate} />
  const is_open = stateOf(certificate) === 'to review'
  return (
    <>
      <Answer customer={customer} certificate={certificate} />
      {is_open && <Document of={certificate} />}
      {is_open && review && <Part title="Review">{review}</Part>}
      <SalesOf customer_id={customer.id} of={certificate} />
      <FactsOf certificate={certificate} />
      {!is_open && <Document of={certificate} />}
      {!is_open && review && <Folded title="Change the decision" make={() => review} />}
      <History of={certificate.id} changes={certificate.updated_at} />
    </>
  )
}

/** Where it exempts whom, whether it does so today, and whom to ask for the next one. */
function Answer({ customer, certificate }: InsideProps) {
  const { jurisdiction_id, exemption_type } = certificate
  const state = stateOf(certificate)
  const to = linkTo('customers', { id: customer.id })
  const asks = may('customers:write') && (state === 'expires soon' || state === 'expired')
  return (
    <div class="answer">
      <p class="sum">{placeName(jurisdiction_id)}</p>
      <p>
        <a href={to}>{customerName(customer)}</a>
        {`, ${withSpaces(exemption_type)}. ${usedToday(state, certificate)}`}
      </p>
      {asks && (
        <div class="actions">
          <LinkButton to={to} name="Ask the customer for a new one" />
        </div>
      )}
    </div>
  )
}

/** Whether sales are exempt by it, in a sentence. */
function usedToday(state: ReturnType<typeof stateOf>, of: Exemption): string {
  switch (state) {
    case 'to review':
      return 'The certificate is not used until you approve it.'
    case 'not yet valid':
      return `Sales are exempt from ${formatDay(of.valid_from)}.`
    case 'active':
    case 'expires soon':
      return of.valid_to === null ? 'Sales are exempt.' : `Sales are exempt until ${lastDay(of)}.`
    case 'expired':
      return `It ended on ${lastDay(of)}. Later sales need another one.`
    case 'rejected':
      return 'It is rejected, so sales are not exempt by it.'
  }
}

function FactsOf({ certificate }: { certificate: Exemption }) {
  const { certificate_url } = certificate
  const document = certificate_url && <Source url={certificate_url} name="Open it in a new tab" apart />
  return (
    <Facts
      of={[
        ['Valid from', formatDay(certificate.valid_from)],
        ['Valid to', lastDay(certificate)],
        ['Reason on the form', reasonOf(certificate.reason_code)],
        ['Link to the document', document],
        ['Review notes', certificate.verification_notes],
        ['Added', <Moment at={certificate.created_at} />],
      ]}
    />
  )
}

function reasonOf(code: string | null): string | null {
  if (code === null) return null
  const reason = new Map<string, string>(Object.entries(F0003.reasons)).get(code)
  return reason === undefined ? code : `${code}: ${reason} (F0003)`
}

function Review({ customer, certificate }: InsideProps) {
  const { id, certificate_number } = certificate
  const [notes, setNotes] = useState('')
  const move = ({ to, done }: Move) => {
    const body = { status: to, verification_notes: notes || null }
    const told = `${certificate_number} is ${done}`
    return change('PUT', `/v1/customers/${customer.id}/exemptions/${id}`, { body, told })
  }
  const type = (event: Event) => setNotes(valueIn(event))
  return (
    <>
      <Input label="Notes" value={notes} maxlength={2000} onInput={type}>
        Why you decided this. Stored with the certificate
      </Input>
      <Deeds of={movesOf(certificate).map((each) => ({ ...each, act: () => move(each) }))} />
    </>
  )
}

/** The sales that rest on a certificate, and those of its places that rest on none since it ended. */
function SalesOf({ customer_id, of }: { customer_id: string; of: Exemption }) {
  if (!may('transactions:read')) return null
  const { id, jurisdiction_id } = of
  const last = of.ended_on ?? of.valid_to
  const ended = last !== null && last < todayInZone()
  const used = { customer_id, exemption_id: id }
  const isThere = (sale: ListedTransaction) =>
    sale.jurisdiction_id === jurisdiction_id || sale.jurisdiction_id.startsWith(`${jurisdiction_id}-`)
  return (
    <>
      <ListedSales title="Sales that used it" none="No sale of the customer used it." of={used} />
      {ended && (
        <ListedSales
          title="Sales without a certificate since it ended"
          none="Each sale there used another certificate, or there was no sale."
          of={{ customer_id, exemption_id: 'none', from_date: dayAfter(last) }}
          only={isThere}
        />
      )}
    </>
  )
}

const COLUMNS: readonly Column<ListedTransaction>[] = [
  { head: 'Transaction', cell: (sale) => sale.external_id ?? sale.id },
  { head: 'Date', keep: true, cell: (sale) => <Day at={sale.transaction_date} /> },
  { head: 'Tax', number: true, cell: (sale) => formatMoney(sale.tax_amount, sale.currency) },
  { head: 'Total', number: true, phone: 'figure', cell: (sale) => formatMoney(sale.total, sale.currency) },
]

type ListedSalesProps = {
  title: string
  none: string
  of: Query
  only?: (sale: ListedTransaction) => boolean
}

function ListedSales({ title, none, of, only = () => true }: ListedSalesProps) {
  const readPage = async (page: PageQuery) => {
    const { transactions, next_cursor } = await read('/v1/transactions', { ...of, ...page })
    return { rows: transactions.filter(only), total: null, next_cursor }
  }
  return (
    <Part title={title}>
      <PagedTable
        caption={title}
        inside
        of={JSON.stringify(of)}
        href={(sale: ListedTransaction) => linkTo('transactions', { id: sale.id })}
        empty={{ title: 'None', text: none }}
        columns={COLUMNS}
        read={readPage}
      />
    </Part>
  )
}
