import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stateTotals } from '../../../src/returns/filing/state-totals.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

const place = fc.constantFrom('FR', 'IT', 'ES')
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
const supply = fc.record({
  jurisdiction_id: place,
  currency: fc.constantFrom('EUR', 'SEK'),
  taxable_amount: cents,
  tax_amount: cents,
})
const sumOf = <Name extends string>(rows: readonly Record<Name, number>[], name: Name) =>
  rows.reduce((sum, row) => sum + row[name], 0)

it('adds up supplies and corrections by state, and sets nothing off between states', () => {
  fc.assert(
    fc.property(fc.array(supply), fc.array(supply), (supplies, corrections) => {
      const states = stateTotals(supplies, corrections)
      expect(sumOf(states, 'taxable_amount')).toBe(sumOf(supplies, 'taxable_amount'))
      expect(sumOf(states, 'tax_amount')).toBe(sumOf(supplies, 'tax_amount'))
      expect(sumOf(states, 'corrections_tax_amount')).toBe(sumOf(corrections, 'tax_amount'))
      for (const state of states)
        expect(state.tax_due).toBe(Math.max(0, state.tax_amount + state.corrections_tax_amount))
      const keys = states.map((state) => `${state.jurisdiction_id} ${state.currency}`)
      expect(keys).toEqual([...new Set(keys)].toSorted())
    }),
  )
})

type Totals = { taxable_amount: number; tax_amount: number; corrections_tax_amount: number; tax_due: number }
type Return = {
  totals: Totals | null
  state_totals: (Totals & { jurisdiction_id: string })[]
  unconverted: { currency: string; tax_amount: number }[]
  supplies: (Totals & { jurisdiction_id: string })[]
}
type Due = { period: string; filing_url: string; so_far: { currency: string; tax_amount: number }[] }

async function get<Body>(key: string, path: string): Promise<Body> {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Body
}

/** The list of returns, each return, and the sums of its states say the same. */
async function expectOneTotal(key: string): Promise<number> {
  const { obligations } = await get<{ obligations: Due[] }>(
    key,
    '/v1/obligations?from=2026-04-01&to=2026-12-31',
  )
  let figures = 0
  for (const { filing_url, so_far, period } of obligations) {
    const filed = await get<Return>(key, filing_url)
    const { totals, state_totals, unconverted } = filed
    const listed = so_far.filter(({ currency }) => currency === 'EUR')
    expect(sumOf(listed, 'tax_amount'), period).toBe(totals?.tax_due)
    expect(sumOf(so_far, 'tax_amount') - sumOf(listed, 'tax_amount')).toBe(sumOf(unconverted, 'tax_amount'))
    if (filing_url.includes('oss_union'))
      for (const name of ['taxable_amount', 'tax_amount', 'corrections_tax_amount', 'tax_due'] as const)
        expect(sumOf(state_totals, name), `${period} ${name}`).toBe(totals?.[name])
    figures += listed.length
  }
  return figures
}

const sold = fc.record({
  country: fc.constantFrom('DE', 'FR', 'IT'),
  amount: fc.integer({ min: 100, max: 90_000 }),
  month: fc.constantFrom('02', '05', '08'),
  refunded_in: fc.constantFrom(null, '05', '08'),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'SEK'),
})
type Sold = typeof sold extends fc.Arbitrary<infer Value> ? Value : never

async function record(key: string, { country, amount, month, refunded_in, currency }: Sold): Promise<void> {
  const id = await created(key, {
    customer: { address: { country } },
    currency,
    transaction_date: `2026-${month}-03`,
    line_items: [{ amount, product_type: 'saas' }],
  })
  if (refunded_in === null || refunded_in < month) return
  const body = { rest: true, reason: 'returned', refunded_at: `2026-${refunded_in}-20` }
  const { status, text } = await call('POST', `/v1/transactions/${id}/refund`, { key, body })
  expect(status, text).toBe(200)
}

describe('the totals of a return', () => {
  it('are the same in the list, in its head and by member state, before and after filing', async () => {
    let figures = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(sold, { minLength: 4, maxLength: 8 }),
        fc.array(sold, { maxLength: 3 }),
        async (sales, late) => {
          const { key } = await newAccount()
          await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
          for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
            await call('POST', '/v1/registrations', { key, body: { ...where, valid_from: '2020-01-01' } })
          for (const each of sales) await record(key, each)
          figures += await expectOneTotal(key)
          const first = { type: 'oss_union', period: '2026-Q1', fx_rates: 'SEK:11' }
          const { status, text } = await call('POST', '/v1/returns', { key, body: first })
          expect(status, text).toBe(201)
          for (const each of late) await record(key, each)
          figures += await expectOneTotal(key)
        },
      ),
      { numRuns: 4 },
    )
    expect(figures).toBeGreaterThan(4)
  })

  it('leave out what a state owes back', async () => {
    const { key } = await newAccount()
    await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
    const registration = { scheme: 'oss_union', valid_from: '2020-01-01' }
    await call('POST', '/v1/registrations', { key, body: registration })
    const sale = { amount: 10_000, currency: 'EUR' } as const
    await record(key, { ...sale, country: 'FR', month: '02', refunded_in: '05' })
    await record(key, { ...sale, country: 'IT', month: '05', refunded_in: null })
    const filing = await get<Return>(key, '/v1/reports/filing?type=oss_union&period=2026-Q2')
    expect(filing.totals).toMatchObject({ tax_amount: 2_200, corrections_tax_amount: -2_000, tax_due: 2_200 })
    expect(filing.state_totals).toMatchObject([
      { jurisdiction_id: 'FR', tax_amount: 0, corrections_tax_amount: -2_000, tax_due: 0 },
      { jurisdiction_id: 'IT', tax_amount: 2_200, corrections_tax_amount: 0, tax_due: 2_200 },
    ])
    const { obligations } = await get<{ obligations: Due[] }>(
      key,
      '/v1/obligations?from=2026-07-01&to=2026-07-31',
    )
    expect(obligations).toMatchObject([{ so_far: [{ currency: 'EUR', tax_amount: 2_200 }] }])
  })
})
