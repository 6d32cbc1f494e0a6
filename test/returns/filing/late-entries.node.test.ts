import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillForm } from '../../../src/returns/filing/compute-return.ts'
import { FILING_TYPES, formOf } from '../../../src/returns/forms/forms.ts'
import { lateRuleOf } from '../../../src/returns/forms/late-rules.ts'
import type { FilingRow } from '../../../src/returns/rows/figures.ts'

const PERIOD = { name: '2026-06', kind: 'month', from: '2026-06-01', to: '2026-06-30' } as const

/** Forms of boxes with the place of their sales, a rate, and the boxes that add up to the tax, some less. */
const FORMS = [
  ['uk_vat100', null, 'GB', 'GBP', 200_000, ['1'], []],
  ['eu_domestic', 'IE', 'IE', 'EUR', 230_000, ['T1'], []],
  ['eu_domestic', 'NL', 'NL', 'EUR', 210_000, ['1a-tax', '1b-tax', '1c-tax'], []],
  ['eu_domestic', 'FR', 'FR', 'EUR', 200_000, ['08-tax', '09-tax', '9B-tax', 'other-rates-tax'], ['21']],
  ['eu_domestic', 'AT', 'AT', 'EUR', 200_000, ['tax'], []],
  ['au_bas', null, 'AU', 'AUD', 100_000, ['1A'], []],
  ['nz_gst101a', null, 'NZ', 'NZD', 150_000, ['8'], []],
  ['ca_gst34', null, 'CA-ON', 'CAD', 130_000, ['105'], ['107']],
  ['ca_bc_pst', null, 'CA-BC', 'CAD', 120_000, ['tax', 'late'], []],
  ['ca_qst', null, 'CA-QC', 'CAD', 149_750, ['tax', 'late'], []],
  ['al_ssut', null, 'US-AL', 'USD', 80_000, ['tax', 'late'], []],
  ['generic', 'SG', 'SG', 'SGD', 90_000, ['6'], []],
  ['generic', 'AE', 'AE', 'AED', 50_000, ['1 VAT'], []],
  ['generic', 'SA', 'SA', 'SAR', 150_000, ['1 VAT'], []],
  ['generic', 'NO', 'NO', 'NOK', 250_000, ['3 avgift', '31 avgift', '33 avgift'], []],
] as const

/** A sale, or what is refunded of one, with whole units of tax and of the price. */
type Entry = { price: number; refunded: boolean; month: string }

const ENTRY = fc.record({
  price: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 400_000 })),
  refunded: fc.boolean(),
  month: fc.constantFrom('2026-06', '2026-05', '2026-04', '2024-01'),
})

function rowOf({ price, refunded, month }: Entry, place: string, currency: string, rate: number): FilingRow {
  // A price without tax of so many times 20.00 has a tax in whole units at each rate above.
  const net = price * 2_000
  const tax = Math.round((net * rate) / 1_000_000)
  const period = { name: month, kind: 'month' as const, from: `${month}-01`, to: `${month}-28` }
  const given = { net_amount: net, taxable_amount: net, tax_amount: tax, provincial_tax_amount: tax }
  const none = { net_amount: 0, taxable_amount: 0, tax_amount: 0, provincial_tax_amount: 0 }
  const [sold, back] = refunded ? [none, given] : [given, none]
  const provincial = currency === 'CAD' && place !== 'CA-ON'
  const of = (amount: number) => (provincial ? amount : 0)
  return {
    ...sold,
    provincial_tax_amount: of(sold.provincial_tax_amount),
    refunded_net_amount: back.net_amount,
    refunded_taxable_amount: back.taxable_amount,
    refunded_tax_amount: back.tax_amount,
    refunded_provincial_tax_amount: of(back.provincial_tax_amount),
    uncollected_amount: 0,
    transactions: refunded ? 0 : 1,
    refunds: refunded ? 1 : 0,
    sold_in: month,
    place_of_supply: place,
    scheme: '',
    currency,
    product_type: 'saas',
    tax_rate: rate,
    reason: '',
    exemption: '',
    exported_to: '',
    period: month === PERIOD.name ? PERIOD : period,
    corrects: month === PERIOD.name ? null : month,
    sold_currency: currency,
    sold_on: null,
  }
}

function filled(of: (typeof FORMS)[number], entries: readonly Entry[]) {
  const [, , place, currency, rate] = of
  return fillOf(
    of,
    entries.map((entry) => rowOf(entry, place, currency, rate)),
  )
}

function fillOf(
  [type, jurisdiction_id, place, currency, rate]: (typeof FORMS)[number],
  counted: readonly FilingRow[],
) {
  const home = place.slice(0, 2)
  const form = formOf(FILING_TYPES.find((each) => each === type) ?? 'generic')
  return fillForm(form, {
    period: PERIOD,
    jurisdiction_id,
    currency,
    seller: { country: home, registrations: type === 'al_ssut' ? ['al_ssut'] : [home] },
    rateOf: () => null,
    counted,
    boxes: new Map(),
    rates: { rateTypeOf: () => null, standardRateOf: () => rate },
  })
}

const sum = (amounts: readonly (number | null)[]) =>
  amounts.reduce<number>((all, each) => all + (each ?? 0), 0)
const taxOf = ({ tax_amount }: { tax_amount: number }) => tax_amount

describe.each(FORMS.map((each) => [`${each[0]} ${each[1] ?? ''}`, each] as const))('%s', (_, of) => {
  it('has the tax of its boxes as tax_due, and each late entry once', () => {
    fc.assert(
      fc.property(fc.array(ENTRY, { maxLength: 12 }), (entries) => {
        const found = filled(of, entries)
        const boxed = (names: readonly string[]) =>
          sum(found.filled.boxes.filter(({ box }) => names.includes(box)).map(({ amount }) => amount))
        const due = found.filled.totals?.tax_due ?? NaN
        expect(boxed(of[5]) - boxed(of[6])).toBe(due)
        const own = filled(
          of,
          entries.filter(({ month }) => month === PERIOD.name),
        )
        expect(due - (own.filled.totals?.tax_due ?? NaN)).toBe(sum(found.corrections.map(taxOf)))
        const late = entries.filter(({ month }) => month !== PERIOD.name)
        const tax = sum(late.map((each) => taxOfEntry(each, of[4])))
        expect(sum([...found.corrections, ...found.amendments].map(taxOf))).toBe(tax)
        const rows = [...found.corrections, ...found.amendments].flatMap((each) => each.rows)
        expect(rows).toHaveLength(late.length)
        expect(found.counted).toHaveLength(
          entries.length - sum(found.amendments.map((each) => each.rows.length)),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('has late entries in its boxes only as far as its office allows it', () => {
    const { where, limit } = lateRuleOf(of[0], of[1])
    fc.assert(
      fc.property(fc.array(ENTRY, { maxLength: 12 }), (entries) => {
        const { corrections } = filled(of, entries)
        // Entries that cancel out are on the return, because nobody amends another for them.
        if (where === 'amend') expect(corrections.map(taxOf).filter(Boolean)).toEqual([])
        const tax = sum(corrections.map(taxOf))
        const most = (fixed: number | null | undefined) =>
          fixed === null || fixed === undefined ? Infinity : Math.max(fixed, limit?.share?.max ?? 0)
        expect(tax).toBeLessThanOrEqual(most(limit?.more))
        expect(-tax).toBeLessThanOrEqual(most(limit?.less))
      }),
      { numRuns: 300 },
    )
  })
})

describe('late entries that cancel out', () => {
  const of = FORMS.find(([, state]) => state === 'AT') ?? FORMS[0]
  const sold: Entry = { price: 100, refunded: false, month: '2026-05' }

  it.each(FORMS.map((each) => [`${each[0]} ${each[1] ?? ''}`, each] as const))(
    'are on the next return and in no amendment: %s',
    (_, form) => {
      const found = filled(form, [sold, { ...sold, refunded: true }])
      expect(found.amendments).toEqual([])
      expect(found.corrections.flatMap(({ rows }) => rows)).toHaveLength(2)
      expect(found.filled.boxes.filter(({ amount }) => amount)).toEqual([])
      expect(found.counted).toHaveLength(2)
    },
  )

  it('amend their return if a part of them is left', () => {
    const rest = filled(of, [sold, { ...sold, price: 40, refunded: true }])
    expect(rest.amendments).toMatchObject([{ period: '2026-05', tax_amount: 24_000 }])
    expect(rest.corrections).toEqual([])
  })

  it('amend their returns if they are of two', () => {
    const two = filled(of, [sold, { ...sold, refunded: true, month: '2026-04' }])
    expect(two.amendments).toHaveLength(2)
  })

  it('amend their return if a box of it changes, though its tax does not', () => {
    const canada = FORMS.find(([type]) => type === 'ca_gst34') ?? FORMS[0]
    const rows = [
      rowOf(sold, 'CA-ON', 'CAD', 130_000),
      rowOf({ ...sold, refunded: true }, 'CA-ON', 'CAD', 130_000),
    ]
    // The refund is of a sale in April: line 107 of May, and the sale is on line 103.
    const found = fillOf(
      canada,
      rows.map((row, index) => (index === 0 ? row : { ...row, sold_in: '2026-04' })),
    )
    expect(found.amendments).toMatchObject([{ period: '2026-05', tax_amount: 0, taxable_amount: 0 }])
    expect(found.corrections).toEqual([])
  })
})

const taxOfEntry = ({ price, refunded }: Entry, rate: number) =>
  Math.round((price * 2_000 * rate) / 1_000_000) * (refunded ? -1 : 1)
