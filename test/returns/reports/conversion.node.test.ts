import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertRows, keptRates, ratesOfFiled, type UsedRate } from '../../../src/returns/forms/exchange.ts'
import type { FilingRow } from '../../../src/returns/rows/figures.ts'
import { DAYS_SHOWN_MAX, presentRates } from '../../../src/returns/filing/present-rates.ts'
import { auBas } from '../../../src/returns/forms/au-bas.ts'
import { equalAmounts } from '../../../src/tax-data/records/published-rates.ts'
import { SUMMED } from '../../../src/sales/transactions/sums/sums.ts'

const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
/** Quotes at most a thousandfold apart, so that no result is too large. */
const quote = fc.integer({ min: 1_000_000, max: 1_000_000_000 })
/** Currencies with no, two and three digits after the point. */
const DIGITS = { JPY: 0, USD: 2, KWD: 3 } as const
const currency = fc.constantFrom('JPY', 'USD', 'KWD')

const row = (more: Partial<FilingRow>): FilingRow => ({
  transactions: 1,
  refunds: 0,
  net_amount: 0,
  taxable_amount: 0,
  uncollected_amount: 0,
  tax_amount: 0,
  provincial_tax_amount: 0,
  refunded_net_amount: 0,
  refunded_taxable_amount: 0,
  refunded_tax_amount: 0,
  refunded_provincial_tax_amount: 0,
  sold_in: '2026-08',
  place_of_supply: 'AU',
  scheme: '',
  currency: 'USD',
  product_type: 'saas',
  tax_rate: 100_000,
  reason: '',
  exemption: '',
  exported_to: '',
  period: { name: '2026-Q3', kind: 'quarter', from: '2026-07-01', to: '2026-09-30' },
  corrects: null,
  sold_currency: 'USD',
  sold_on: '2026-08-03',
  ...more,
})

const used = (more: Partial<UsedRate>): UsedRate => ({
  currency: 'USD',
  period: '2026-08-03',
  amounts: { sold: 1, filed: 1 },
  source: 'a bank',
  rate_day: '2026-08-03',
  ...more,
})

describe('equal amounts of two currencies', () => {
  it('need no base currency between them', () => {
    const rates = { USD: 1_152_300, AUD: 1_781_300 }
    expect(equalAmounts('ecb', rates, 'USD', 'AUD')).toEqual({ sold: 1_152_300, filed: 1_781_300 })
    expect(equalAmounts('ecb', rates, 'EUR', 'AUD')).toEqual({ sold: 1_000_000, filed: 1_781_300 })
    expect(equalAmounts('ecb', rates, 'AUD', 'EUR')).toEqual({ sold: 1_781_300, filed: 1_000_000 })
  })

  it('are the other way round in a series that quotes its own currency', () => {
    const rates = { USD: 1_407_800, JPY: 8_940 }
    expect(equalAmounts('boc', rates, 'USD', 'CAD')).toEqual({ sold: 1_000_000, filed: 1_407_800 })
    expect(equalAmounts('boc', rates, 'USD', 'JPY')).toEqual({ sold: 8_940, filed: 1_407_800 })
  })

  it('are unknown without both rates', () => {
    expect(equalAmounts('ecb', { USD: 1 }, 'USD', 'AUD')).toBeNull()
    expect(equalAmounts('ecb', { AUD: 1 }, 'USD', 'AUD')).toBeNull()
  })
})

describe('a conversion', () => {
  it('is the exact quotient, rounded once half away from zero', () => {
    fc.assert(
      fc.property(amount, quote, quote, currency, currency, (tax_amount, sold, filed, from, to) => {
        const rate = used({ currency: from, amounts: { sold, filed } })
        const before = row({ tax_amount, currency: from, sold_currency: from })
        fc.pre(from !== to)
        // amount ÷ 10^from × filed ÷ sold × 10^to, doubled, so that halves are whole.
        const numerator = 2n * BigInt(tax_amount) * BigInt(filed) * 10n ** BigInt(DIGITS[to])
        const denominator = BigInt(sold) * 10n ** BigInt(DIGITS[from])
        fc.pre(numerator / denominator < 2n ** 53n && numerator / denominator > -(2n ** 53n))
        const [after] = convertRows([before], to, () => rate).rows
        const distance = numerator - 2n * BigInt(after?.tax_amount ?? Number.NaN) * denominator
        const magnitude = distance < 0n ? -distance : distance
        expect(magnitude <= denominator).toBe(true)
        // Exactly between two units, the result is the one that is farther from zero.
        if (magnitude === denominator) expect(distance < 0n).toBe(tax_amount > 0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of a sale and of its whole refund on any later day adds up to nothing', () => {
    fc.assert(
      fc.property(amount, quote, quote, (net_amount, sold, filed) => {
        const rate = () => used({ amounts: { sold, filed } })
        const [sale] = convertRows([row({ net_amount })], 'AUD', rate).rows
        const [refund] = convertRows([row({ refunded_net_amount: net_amount })], 'AUD', rate).rows
        expect((sale?.net_amount ?? 0) - (refund?.refunded_net_amount ?? 1)).toBe(0)
      }),
    )
  })

  it('is the same by the rates that a filed return keeps', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, quote, quote), { maxLength: 20 }), (sales) => {
        const rows = sales.map(([net_amount], index) =>
          row({ net_amount, sold_on: `2026-08-${String(index + 1).padStart(2, '0')}` }),
        )
        const rates = sales.map(([, sold, filed], index) =>
          used({ period: rows[index]?.sold_on ?? '', amounts: { sold, filed } }),
        )
        const first = convertRows(rows, 'AUD', (each) => rates[rows.indexOf(each)] ?? null)
        const kept = JSON.parse(JSON.stringify(keptRates(first.used)))
        const again = convertRows(rows, 'AUD', ratesOfFiled(kept, auBas.exchange))
        for (const name of SUMMED)
          expect(again.rows.map((each) => each[name])).toEqual(first.rows.map((each) => each[name]))
        expect(again.unconverted).toEqual([])
      }),
    )
  })
})

describe('the rates of an answer', () => {
  it('are one list for each currency, by the day of publication, and at most 400 each', () => {
    const days = Array.from({ length: 450 }, (_, index) =>
      new Date(Date.UTC(2025, 0, 1) + index * 86_400_000).toISOString().slice(0, 10),
    )
    const rates = days.map((day) => used({ period: day, rate_day: day, amounts: { sold: 2, filed: 3 } }))
    const weekend = used({ period: '2026-03-27', rate_day: '2026-03-26', amounts: { sold: 2, filed: 3 } })
    const given = used({ currency: 'EUR', rate_day: null, period: '2026-Q3', source: 'request' })
    const shown = presentRates([...rates, weekend, given], auBas)
    expect(shown.exchange_rates).toMatchObject([{ currency: 'EUR', period: '2026-Q3', rate: 1 }])
    expect(shown.daily_exchange_rates).toMatchObject([{ currency: 'USD', source: 'a bank', days: 450 }])
    const listed = shown.daily_exchange_rates[0]?.rates ?? {}
    expect(Object.keys(listed)).toEqual(days.slice(-DAYS_SHOWN_MAX))
    expect(listed['2026-03-26']).toBe(0.666666667)
  })
})
