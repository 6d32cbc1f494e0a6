import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { AT_HOME, type Seller, SELLERS } from './accounts.ts'
import { bookYear } from './bookkeeper.ts'
import { bookChangingYear } from './changes.ts'
import type { Entry } from './ledger.ts'
import { inHomeCurrency, PUBLISHED } from './rates.ts'
import { readSealed, sealBooks } from './sealed-books.ts'

/**
 * Seventeen sellers book the year 2025: carts, prices with and without tax, shipping, stock abroad, given taxes, refunds of
 * lines, late entries, other currencies. A ledger of our own, without code of the service, computes each return a second time.
 */
const SEEDS = [1, 2]
/** The time zone after the change, with the seed. */
const CHANGING = [
  ['America/Los_Angeles', 3],
  ['Asia/Tokyo', 4],
] as const

/** The years of these seeds are then sealed, and must be the same to the cent. */
const [SEALED, SEALED_CHANGING] = [2, 4]

await loadTestData()
await env.DB.batch(
  PUBLISHED.map(({ series, day, rates }) =>
    env.DB.prepare(
      `INSERT OR REPLACE INTO published_rates (series, day, rates, document_hash, recorded_at)
       VALUES (?, ?, ?, 'of our own', '2026-01-01T00:00:00.000Z')`,
    ).bind(series, day, JSON.stringify(rates)),
  ),
)

type Box = { box: string; amount: number | null }
type Supply = {
  jurisdiction_id: string
  kind: string
  rate: number
  gross_sales: number
  exempt_sales: number
  exempt_by_reason: { resale: number; food: number } | null
  taxable_amount: number
  tax_amount: number
}
type Correction = { jurisdiction_id: string; period: string; taxable_amount: number; tax_amount: number }
type Return = { boxes: Box[]; supplies: Supply[]; corrections: Correction[]; totals: object }

/** What the answer says, in the form in which the ledger says it. */
function said({ boxes, supplies, corrections, totals }: Return, { form }: Seller): object {
  if (form === 'us_state')
    return {
      supplies: supplies.map(({ jurisdiction_id, gross_sales, exempt_sales, exempt_by_reason, ...rest }) => ({
        jurisdiction_id,
        gross_sales,
        exempt_sales,
        resale: exempt_by_reason?.resale,
        food: exempt_by_reason?.food,
        taxable_amount: rest.taxable_amount,
        tax_amount: rest.tax_amount,
      })),
    }
  if (boxes.length > 0)
    return {
      boxes: Object.fromEntries(boxes.flatMap(({ box, amount }) => (amount === null ? [] : [[box, amount]]))),
      totals,
    }
  const of = ({ taxable_amount, tax_amount }: Supply | Correction) => ({ taxable_amount, tax_amount })
  return {
    supplies: sorted(supplies.map((each) => [`${each.jurisdiction_id} ${each.kind} ${each.rate}`, of(each)])),
    corrections: sorted(corrections.map((each) => [`${each.jurisdiction_id} ${each.period}`, of(each)])),
    totals,
  }
}

type Sums = [string, { taxable_amount: number; tax_amount: number }]

/** Rows in the order of their names. A row that is nothing but zeros says nothing. */
function sorted(rows: Sums[]): Sums[] {
  return rows
    .filter(([, { taxable_amount, tax_amount }]) => taxable_amount !== 0 || tax_amount !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function withoutZeros(expected: object): object {
  const { supplies, corrections, ...rest } = expected as { supplies?: Sums[]; corrections?: Sums[] }
  if (supplies === undefined || corrections === undefined) return expected
  return { supplies: sorted(supplies), corrections: sorted(corrections), ...rest }
}

type Read = typeof readSealed
const readBooks: Read = (path, key) => call('GET', path, { key })

/** Each return of the year, as the service computes it and as the ledger does. */
async function expectReturns(
  seller: Seller,
  key: string,
  entries: readonly Entry[],
  read: Read = readBooks,
): Promise<void> {
  let declared = 0
  for (const period of seller.periods)
    for (const jurisdiction of seller.jurisdictions) {
      const where = jurisdiction === null ? '' : `&jurisdiction_id=${jurisdiction}`
      const path = `/v1/reports/filing?type=${seller.form}&period=${period.name}${where}`
      const answer = await read(path, key)
      expect(answer.status, answer.text).toBe(200)
      const found = said(answer.body as unknown as Return, seller)
      expect({ path, ...found }).toEqual({
        path,
        ...withoutZeros(seller.expected(entries, period, jurisdiction)),
      })
      declared += 1
    }
  expect(declared).toBe(seller.periods.length * seller.jurisdictions.length)
}

async function expectReconciled(seller: Seller, key: string, read: Read): Promise<void> {
  const { body } = await read('/v1/returns/reconciliation', key)
  expect(body).toMatchObject({ reconciled: true, missing: [] })
  expect(body['returns']).toHaveLength(seller.files_first_quarter ? 2 : 0)
}

describe.each(SEEDS)('the year of seed %i', (seed) => {
  it.each(SELLERS)('of $name: each return is right to the cent', async (seller) => {
    const { key, entries: booked } = await bookYear(seller, seed)
    expect(booked.length).toBeGreaterThan(150)
    const { conversion, periods } = seller
    const entries = conversion === undefined ? booked : inHomeCurrency(booked, conversion, periods)
    await expectReturns(seller, key, entries)
    if (seed !== SEALED) return
    expect(await sealBooks()).toBeGreaterThan(40)
    await expectReturns(seller, key, entries, readSealed)
  })
})

describe.each(CHANGING)('a year with credit notes, vouchers, reopening, and then in %s', (zone, seed) => {
  it.each(AT_HOME)('of $name: each return is right to the cent', async (seller) => {
    const { key, entries } = await bookChangingYear(seller, zone, seed)
    await expectReturns(seller, key, entries)
    await expectReconciled(seller, key, readBooks)
    if (seed !== SEALED_CHANGING) return
    expect(await sealBooks()).toBeGreaterThan(20)
    await expectReturns(seller, key, entries, readSealed)
    await expectReconciled(seller, key, readSealed)
  })
})
