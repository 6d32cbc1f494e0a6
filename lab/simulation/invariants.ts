import type { Drilled } from '../drilled.ts'
import type { Outside } from '../outside.ts'
import { askAs, type Seller, SUBSCRIBED } from './seller.ts'
import { MONTHS } from './steps.ts'

/** Late entries of the last month have a return, too. */
const REPORTED = [...MONTHS, '2026-05', '2026-06']
const PAGE = 100

type Figures = {
  supplies: { gross_sales: number; tax_amount: number }[]
  corrections: { taxable_amount: number; tax_amount: number }[]
  amendments: { taxable_amount: number; tax_amount: number }[]
  filed: object | null
}

/** What is wrong after a step of a seller. `other` is a seller whose books it must not see. */
export async function faultsAfter(service: Drilled, seller: Seller, other: Seller): Promise<string[]> {
  return [
    ...(await faultsOfBooks(service, seller)),
    ...(await faultsOfReturns(service, seller)),
    ...(await faultsOfTenants(service, seller, other)),
    ...texts('totals', await service.verifyTotals()),
    ...texts('audit or return', await service.verifyReturnsAndAudit()),
    ...texts('shard', await service.verifyShards()),
  ]
}

const texts = (what: string, faults: readonly unknown[]) =>
  faults.map((fault) => `${what}: ${JSON.stringify(fault)}`)

function differ(what: string, found: unknown, expected: unknown): string[] {
  const [is, must] = [JSON.stringify(found), JSON.stringify(expected)]
  return is === must ? [] : [`${what}: ${is}, expected ${must}`]
}

type Listed = {
  id: string
  external_id: string
  status: string
  total: number
  tax_amount: number
  refunds: { id: string; amount: number; tax_amount: number }[]
}

/** The list of sales has what the answers said, each sale once and no other one. */
async function faultsOfBooks(service: Drilled, seller: Seller): Promise<string[]> {
  const listed: Listed[] = []
  for (let more = true; more;) {
    const path = `/v1/transactions?limit=${PAGE}&offset=${listed.length}`
    const { body } = await askAs(service, seller, { method: 'GET', path })
    listed.push(...(body['transactions'] as Listed[]))
    more = body['has_more'] === true
  }
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  const line = ({ id, external_id, total, tax_amount, refunds }: Omit<Listed, 'status'>, status: string) => ({
    id,
    external_id,
    status,
    total,
    tax_amount,
    refunds: refunds
      .map((refund) => ({ id: refund.id, amount: refund.amount, tax_amount: refund.tax_amount }))
      .toSorted(byId),
  })
  const found = listed.map((sale) => line(sale, sale.status)).toSorted(byId)
  const expected = seller.sales
    .map((sale) => line(sale, sale.refunds.length > 0 ? 'refunded' : 'completed'))
    .toSorted(byId)
  if (found.length !== expected.length)
    return [`seller ${seller.number} has ${found.length} sales, expected ${expected.length}`]
  return found.flatMap((sale, index) => differ('sale', sale, expected[index]))
}

/** What all months declare is what was sold, less what was given back. */
async function faultsOfReturns(service: Drilled, seller: Seller): Promise<string[]> {
  const declared = { net: 0, tax: 0 }
  const add = (net: number, tax: number) => {
    declared.net += net
    declared.tax += tax
  }
  for (const month of REPORTED) {
    const path = `/v1/reports/filing?type=us_state&jurisdiction_id=US-TX&period=${month}`
    const { body } = await askAs(service, seller, { method: 'GET', path })
    const { supplies, corrections, amendments, filed } = body as unknown as Figures
    for (const each of supplies) add(each.gross_sales, each.tax_amount)
    // A filed return tells what was to amend on its day. The open one after it tells what is so now.
    for (const each of [...corrections, ...(filed === null ? amendments : [])])
      add(each.taxable_amount, each.tax_amount)
  }
  const sold = { net: 0, tax: 0 }
  for (const { total, tax_amount, refunds } of seller.sales) {
    const tax = refunds.reduce((left, refund) => left - refund.tax_amount, tax_amount)
    sold.tax += tax
    sold.net += refunds.reduce((left, refund) => left - refund.amount, total) - tax
  }
  const path = '/v1/returns/reconciliation?limit=24'
  const { body } = await askAs(service, seller, { method: 'GET', path })
  const faults = (body['returns'] as { faults: string[] }[]).flatMap((each) =>
    each.faults.filter((fault) => !fault.includes('the tax office does not know them')),
  )
  return [
    ...differ(`the returns of seller ${seller.number}`, declared, sold),
    ...texts('reconciliation', [...faults, ...(body['missing'] as unknown[])]),
  ]
}

/** Nobody reads, changes or finds the sale of somebody else. */
async function faultsOfTenants(service: Drilled, seller: Seller, other: Seller): Promise<string[]> {
  const sale = other.sales.at(-1)
  if (sale === undefined || other === seller) return []
  const faults: string[] = []
  for (const wanted of [
    { method: 'GET', path: `/v1/transactions/${sale.id}` },
    { method: 'GET', path: `/v1/transactions/external/${sale.external_id}` },
    { method: 'POST', path: `/v1/transactions/${sale.id}/refund`, body: { amount: 1, reason: 'theirs' } },
  ]) {
    const { status } = await askAs(service, seller, wanted)
    if (status !== 404) faults.push(`seller ${seller.number} gets ${status} from ${wanted.path}`)
  }
  return faults
}

/** Rows of all shards. */
async function inShards(service: Drilled, shards: number, sql: string): Promise<Record<string, unknown>[]> {
  const all = []
  for (let shard = 0; shard < shards; shard += 1)
    all.push(...((await service.batch(shard, [{ sql, values: [] }]))[0] ?? []))
  return all
}

/** Accounts at home, without the old copies of those that moved. */
const AT_HOME = "account_id IN (SELECT id FROM accounts WHERE home = 'open')"

/** How much is still to be told: events without deliveries, deliveries without an end, messages that wait. */
export async function countUntold(service: Drilled, shards: number): Promise<number> {
  const rows = await inShards(
    service,
    shards,
    `SELECT (SELECT count(*) FROM events WHERE fanned_out_at IS NULL OR account_pending = 1)
       + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending' AND ${AT_HOME})
       + (SELECT count(*) FROM messages WHERE state = 'pending') AS n`,
  )
  return rows.reduce((sum, { n }) => sum + Number(n), 0)
}

/** When nothing is left to tell: each event came to its webhook, and each message to its person. */
export async function faultsOfTelling(
  service: Drilled,
  { outside, sellers }: { outside: Outside; sellers: readonly Seller[] },
): Promise<string[]> {
  const faults: string[] = []
  for (const { account_id, number, shard, sales } of sellers) {
    const sql = 'SELECT id, type FROM events WHERE owner_account_id = ?'
    const [events = []] = await service.batch(shard, [{ sql, values: [account_id] }])
    const told = events.filter(({ type }) => SUBSCRIBED.some((each) => each === type))
    for (const { id, type } of told)
      if (!outside.hooks.has(`/hook/${number} ${String(id)}`))
        faults.push(`seller ${number} was never told ${String(type)} ${String(id)}`)
    const created = told.filter(({ type }) => type === 'transaction.created').length
    if (created !== sales.length)
      faults.push(`seller ${number} has ${created} events of ${sales.length} sales`)
    for (const path of outside.hooks.keys())
      if (path.startsWith(`/hook/${number} `) && !events.some(({ id }) => path.endsWith(String(id))))
        faults.push(`seller ${number} was told of ${path}, which is not in its books`)
  }
  const messages = await inShards(service, 1, 'SELECT id, state FROM messages')
  for (const { id, state } of messages) {
    const mails = outside.mails.filter(({ headers }) => headers['X-Message-Id'] === id).length
    const isKnown = state === 'sent' ? mails === 1 || mails === 2 : state === 'unknown' || state === 'failed'
    if (!isKnown || mails > 2) faults.push(`message ${String(id)} is ${String(state)} after ${mails} mails`)
  }
  return faults
}
