import type { QueryOf } from '../call.ts'
import type { TaxClient } from '../client.ts'
import type { ReconciledReturn, ReconciledSum } from '../schema.ts'
import { moneyInWords } from './money.ts'

/** A return with the faults that the service found and those that were found here. */
export type CheckedReturn = { return: ReconciledReturn; faults: string[] }

/** All returns of an account that were checked, and what is wrong beyond single returns. */
export type Checked = { returns: CheckedReturn[]; faults: string[] }

/** Which returns are wanted; empty: all. */
export type Wanted = Pick<QueryOf<'reconcileReturns'>, 'type' | 'jurisdiction_id'>

/**
 * Checks filed returns without trust in the service's own verdict: computes the hashes of their lines and of
 * the returns again, follows the chain of hashes, and compares books, declared and pending sums.
 */
export async function reconcile(tax: TaxClient, wanted: Wanted): Promise<Checked> {
  const { returns, missing } = await readAll(tax, wanted)
  const checked: CheckedReturn[] = []
  for (const each of returns)
    checked.push({
      return: each,
      faults: [
        ...each.faults,
        ...(await faultsOfHash(each)),
        ...(await faultsOfRows(tax, each)),
        ...faultsOfSums(each),
      ],
    })
  const all = wanted.type === undefined && wanted.jurisdiction_id === undefined
  const faults = missing.map(({ return_id }) => `${return_id} was filed by the audit log, and is gone`)
  return { returns: checked, faults: [...faults, ...(all ? faultsOfChain(returns) : [])] }
}

type Missing = { return_id: string }

async function readAll(tax: TaxClient, wanted: Wanted) {
  const returns: ReconciledReturn[] = []
  let missing: Missing[] = []
  for (let more = true; more;) {
    const page = await tax.returns.reconciliation({ ...wanted, offset: returns.length })
    returns.push(...page.returns)
    missing = page.missing
    more = page.has_more && page.returns.length > 0
  }
  return { returns, missing }
}

async function faultsOfHash({ hash, hash_input, ...shown }: ReconciledReturn): Promise<string[]> {
  if ((await sha256(hash_input)) !== hash) return ['The hash is not that of its text']
  const [previous_hash, id, type, , period, from_date, to_date, version] = JSON.parse(hash_input) as unknown[]
  const hashed = { previous_hash, id, type, period, from_date, to_date, version }
  return Object.entries(hashed).flatMap(([name, value]) =>
    value === shown[name as keyof typeof hashed] ? [] : [`${name} is not the hashed one`],
  )
}

/** The places of the number of lines and of their hash in the text of a return. */
const ROW_COUNT = 13
const ROWS_HASH = 14

async function faultsOfRows(tax: TaxClient, { id, hash_input }: ReconciledReturn): Promise<string[]> {
  const hashed = JSON.parse(hash_input) as unknown[]
  let [hash, count] = ['', 0]
  for (let cursor: string | null = '0'; cursor !== null;) {
    const page: Awaited<ReturnType<typeof readRows>> = await readRows(tax, id, cursor)
    if (page.rows.length > 0) hash = await sha256([hash, ...page.rows].join('\n'))
    count += page.rows.length
    cursor = page.next_cursor
  }
  return [
    ...(count === hashed[ROW_COUNT] ? [] : [`It has ${count} lines, of ${String(hashed[ROW_COUNT])} filed`]),
    ...(hash === hashed[ROWS_HASH] ? [] : ['The hash of its lines is not the hashed one']),
  ]
}

function readRows(tax: TaxClient, id: string, cursor: string) {
  return tax.returns.hashedRows(id, { cursor })
}

/** What the books hold less what is declared is what is pending, currency by currency. */
function faultsOfSums({ books, declared, pending }: ReconciledReturn): string[] {
  const currencies = new Set([...books, ...declared, ...pending].map(({ currency }) => currency))
  return [...currencies].flatMap((currency) => {
    const of = (sums: readonly ReconciledSum[]) => sums.find((sum) => sum.currency === currency)
    return (['net_amount', 'taxable_amount', 'tax_amount'] as const).flatMap((name) => {
      const amountOf = (sums: readonly ReconciledSum[]) => of(sums)?.[name] ?? 0
      const rest = amountOf(books) - amountOf(declared) - amountOf(pending)
      return rest === 0 ? [] : [`${name}: ${moneyInWords(rest, currency)} are in no return`]
    })
  })
}

/** Each return names the hash of the one before it, and exactly one is the first. */
function faultsOfChain(returns: readonly ReconciledReturn[]): string[] {
  const hashes = new Set(returns.map(({ hash }) => hash))
  const lost = returns.filter(({ previous_hash }) => previous_hash !== '' && !hashes.has(previous_hash))
  const first = returns.filter(({ previous_hash }) => previous_hash === '').length
  return [
    ...lost.map(({ id }) => `The return before ${id} is gone`),
    ...(returns.length > 0 && first !== 1 ? [`${first} returns are the first of the chain`] : []),
  ]
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The outcome for people: a line for each return, and its faults below it. */
export function reconcileText({ returns, faults }: Checked): string {
  const lines = returns.flatMap((checked) => [
    lineOf(checked),
    ...checked.faults.map((fault) => `  ${fault}`),
  ])
  const wrong = faults.length + returns.reduce((sum, each) => sum + each.faults.length, 0)
  return [...lines, ...faults, `${returns.length} returns, ${wrong} faults`].join('\n')
}

function lineOf({ return: filed, faults }: CheckedReturn): string {
  const { type, jurisdiction_id, period, version, status } = filed
  const place = jurisdiction_id === null ? '' : ` ${jurisdiction_id}`
  const verdict = faults.length === 0 ? 'agrees' : 'DIFFERS'
  const sums = filed.books.map(({ currency, tax_amount }) => {
    const of = (all: readonly ReconciledSum[]) =>
      moneyInWords(all.find((sum) => sum.currency === currency)?.tax_amount ?? 0, currency)
    const held = moneyInWords(tax_amount, currency)
    return `tax ${held} = declared ${of(filed.declared)} + pending ${of(filed.pending)}`
  })
  return [`${type}${place} ${period} version ${version}, ${status}: ${verdict}`, ...sums].join('; ')
}
