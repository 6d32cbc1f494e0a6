import fc from 'fast-check'
import { expect, it } from 'vitest'
import vatex from '../../data/einvoice/vatex.json'
import { TEXTS } from '../../src/sales/calculation/invoice-texts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { Assessment } from '../../src/engine/found/assessment.ts'
import { codeOfArticle } from '../../src/engine/einvoice/categories.ts'
import { invoiceDetailsOf } from '../../src/engine/einvoice/details-of-sale.ts'
import { INVOICE_CATEGORIES, type InvoiceCategory } from '../../src/engine/ground/invoice-details.ts'
import { type SaleView, viewOf } from '../../src/engine/einvoice/view.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { Refusal } from '../../src/engine/ground/refusal.ts'
import { sellingInOrder } from '../../src/engine/parts/deposits.ts'
import { linesOf } from '../../src/engine/sale/lines.ts'
import type { Sale, VatId } from '../../src/engine/sale/sale.ts'
import { termsOfNoSupply } from '../../src/engine/terms/no-supply.ts'
import { CATEGORY_RULES, invoiceFor } from './einvoice-category-rules.ts'
import { book, saleOf } from './sale.ts'

/** PEPPOL-EN16931-P0104 to P0107: these codes go with one category alone, and it with them. */
const TIED: Readonly<Record<string, InvoiceCategory>> = {
  'VATEX-EU-G': 'G',
  'VATEX-EU-O': 'O',
  'VATEX-EU-IC': 'K',
  'VATEX-EU-AE': 'AE',
}

const CATEGORIES_OF = new Map(vatex.codes.map(({ code, categories }) => [code, categories]))

const PLACES = [
  { country: 'DE' },
  { country: 'FR' },
  { country: 'FR', region: 'RE' },
  { country: 'MC' },
  { country: 'IE' },
  { country: 'DK' },
  { country: 'ES' },
  { country: 'ES', postal_code: '35001' },
  { country: 'IT' },
  { country: 'GB', postal_code: 'SW1A 1AA' },
  { country: 'GB', postal_code: 'BT1 1AA' },
  { country: 'IM' },
  { country: 'CH' },
  { country: 'US', region: 'NY' },
  { country: 'US', region: 'OR' },
  { country: 'CA', region: 'QC' },
  { country: 'AU' },
  { country: 'NZ' },
  { country: 'NO' },
  { country: 'JP' },
  { country: 'KR' },
  { country: 'IN', region: 'MH' },
  { country: 'SG' },
  { country: 'AE' },
  { country: 'SA' },
] as const
const HELD = [
  'DE',
  'FR',
  'IT',
  'GB',
  'XI',
  'US-NY',
  'CA',
  'CA-QC',
  'AU',
  'NZ',
  'CH',
  'NO',
  'JP',
  'KR',
  'IN',
  'SG',
  'AE',
  'SA',
  'oss_union',
  'oss_non_union',
  'ioss',
]
const PRODUCTS = [
  'physical_goods',
  'books',
  'children_clothing',
  'groceries',
  'saas',
  'professional_services',
  'passenger_transport',
  'insurance',
  'education',
  'bottle_deposit',
  'no_supply_tip',
  'no_supply_late_fee',
]

const place = fc.constantFrom(...PLACES)
const line = fc
  .record({
    amount: fc.integer({ min: -5_000, max: 5_000_000 }),
    product_type: fc.constantFrom(...PRODUCTS),
    tax_behavior: fc.constantFrom('exclusive', 'inclusive'),
    taxable: fc.constantFrom(true, true, true, false),
    funded: fc.constantFrom(0, 0, 0, 0.5, 1),
  } as const)
  .map(({ funded, ...own }) => {
    // A request says nothing else of what is no supply.
    if (own.product_type.startsWith('no_supply'))
      return { ...own, taxable: true, discount: 0, funded_discount: 0 }
    const discount = Math.floor(Math.abs(own.amount) * funded)
    return { ...own, discount, funded_discount: discount }
  })

const randomSale: fc.Arbitrary<Sale> = fc
  .record({
    from: fc.option(place, { freq: 9 }),
    to: place,
    ship_from: fc.option(place, { freq: 1 }),
    registrations: fc.option(fc.subarray(HELD)),
    over_eu_threshold: fc.boolean(),
    small_business: fc.boolean(),
    type: fc.constantFrom('individual', 'business', null),
    vat_country: fc.option(fc.constantFrom('DE', 'FR', 'IT', 'XI', 'GB', 'AU')),
    marketplace: fc.constantFrom(null, null, null, 'facilitated'),
    rounding: fc.constantFrom('line', 'document'),
    importer: fc.constantFrom(null, 'seller'),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    shipping: fc.option(fc.record({ amount: fc.integer({ min: 1, max: 9_999 }) })),
    reasons: fc.array(fc.option(fc.constant('Art. 132'))),
  } as const)
  .map(({ type, vat_country, reasons, shipping, ...words }) => {
    const vat_id: VatId | null =
      vat_country === null ? null : { country: vat_country, good: true, invalid: false }
    const sale = saleOf({
      ...words,
      registrations: words.registrations,
      lines: words.lines,
      ...(shipping !== null && { shipping }),
      customer: { address: words.to, type, vat_id },
      einvoice: { exemption_reasons: reasons },
      rare_lines: { sellingInOrder, termsOfNoSupply },
    })
    return sale
  })

function shownOf(sale: Sale): { assessment: Assessment; shown: SaleView } | null {
  try {
    const assessment = assessSale(sale, book, null, { invoiceDetailsOf, chargedNumbersOf: null })
    const facts = invariant(assessment.einvoice, 'a view is asked for')
    const registration_numbers = facts.numbers.map(() => 'DE136695976')
    const shown = viewOf(facts, {
      texts: TEXTS,
      language: null,
      day: sale.day,
      digits: 2,
      registration_numbers,
    })
    return { assessment, shown }
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}

it('names each of the 96 category rules once', () => {
  const ids = new Set(CATEGORY_RULES.map(({ id }) => id))
  expect([ids.size, CATEGORY_RULES.length]).toEqual([96, 96])
})

it('holds the category rules of EN 16931 for random sales of every regime', () => {
  const rules = CATEGORY_RULES.flatMap((rule) => ('holds' in rule ? [rule] : []))
  const met = new Set<string>()
  fc.assert(
    fc.property(randomSale, (sale) => {
      const found = shownOf(sale)
      if (found === null) return
      const { shown } = found
      const broken = rules.filter(({ id, category, holds }) => {
        const invoice = invoiceFor(category, shown, sale)
        if (invoice.breakdown.length > 0) met.add(id)
        return !holds(invoice)
      })
      expect(broken.map(({ id }) => id)).toEqual([])
    }),
    { numRuns: 3_000 },
  )
  expect([...met].toSorted()).toEqual(rules.map(({ id }) => id).toSorted())
})

it('has rows of the categories of the table alone, and ties each code to its category', () => {
  fc.assert(
    fc.property(randomSale, (sale) => {
      for (const { category, exemption_code } of shownOf(sale)?.shown.view.breakdown ?? []) {
        expect(INVOICE_CATEGORIES).toContain(category)
        if (exemption_code === null) continue
        expect(CATEGORIES_OF.get(exemption_code)).toContain(category)
        expect(category).toBe(TIED[exemption_code] ?? category)
      }
    }),
    { numRuns: 1_000 },
  )
})

it('adds up: the rows of lines to the breakdown, and the breakdown to the tax', () => {
  fc.assert(
    fc.property(randomSale, (sale) => {
      const found = shownOf(sale)
      if (found === null) return
      const { assessment, shown } = found
      const all = assessment.shipping === null ? assessment.lines : [...assessment.lines, assessment.shipping]
      for (const [index, assessed] of all.entries()) {
        const rows = invariant(shown.lines[index], 'each line has rows')
        const base = rows.reduce((sum, row) => sum + row.taxable_amount, 0)
        const { funded_discount } = invariant(linesOf(sale)[index], 'a line is assessed')
        const says = shown.view.warnings.some(
          ({ code, lines }) =>
            (code === 'third_party_discount' || code === 'foreign_tax') && lines.includes(index),
        )
        if (funded_discount > 0 && says)
          expect(Math.abs(base)).toBeGreaterThanOrEqual(Math.abs(assessed.net_amount))
        else expect(base).toBe(assessed.net_amount)
        expect(rows.reduce((sum, row) => sum + row.tax_amount, 0)).toBe(assessed.tax_amount)
      }
      const named = shown.lines.flat().filter(({ category }) => category !== null)
      for (const of of ['taxable_amount', 'tax_amount'] as const)
        expect(shown.view.breakdown.reduce((sum, row) => sum + row[of], 0)).toBe(
          named.reduce((sum, row) => sum + row[of], 0),
        )
      if (named.length === shown.lines.flat().length)
        expect(shown.view.breakdown.reduce((sum, row) => sum + row.tax_amount, 0)).toBe(assessment.tax_amount)
    }),
    { numRuns: 2_000 },
  )
})

it('gives only codes of the list, with their categories', () => {
  const exempt = book.facts.product_rules.filter(({ treatment }) => treatment === 'exempt')
  const cited = exempt.map(({ source }) => codeOfArticle(source))
  const codes = [...cited, ...TEXTS.texts.map(({ code }) => code ?? null)].filter((code) => code !== null)
  expect(codes.length).toBeGreaterThan(50)
  for (const code of codes) expect(CATEGORIES_OF.get(code)).toContain('E')
})

it('warns of rounding by line that EN 16931 refuses: 200 lines of 0.50 at 19 %, not 199', () => {
  const of = (count: number, rounding: Sale['rounding']) =>
    shownOf(
      saleOf({
        from: { country: 'DE' },
        to: { country: 'DE' },
        lines: Array.from({ length: count }, () => ({ amount: 50 })),
        rounding,
        einvoice: { exemption_reasons: [] },
      }),
    )?.shown.view.warnings.map(({ code }) => code)
  expect(of(200, 'line')).toEqual(['line_rounding'])
  expect(of(199, 'line')).toEqual([])
  expect(of(200, 'document')).toEqual([])
})

it('says what the law of the origin says if another place charges its tax', () => {
  const sale = saleOf({
    from: { country: 'DE' },
    to: { country: 'US', region: 'NY' },
    registrations: ['US-NY'],
    lines: [{ amount: 10_000 }],
    einvoice: { exemption_reasons: [] },
  })
  const { assessment, shown } = invariant(shownOf(sale), 'the sale is assessed')
  expect(shown.lines[0]).toMatchObject([
    { category: null, at_origin: { category: 'G', exemption_code: 'VATEX-EU-G', jurisdiction_id: 'DE' } },
  ])
  expect(shown.view.warnings.map(({ code }) => code)).toContain('foreign_tax')
  expect(assessment.lines[0]?.notes.join()).toContain('art. 146(1)(a)')
})

it('names a foreign tax before a missing reason, which the rules of that tax do not ask for', () => {
  const sale = saleOf({
    from: { country: 'NZ' },
    to: { country: 'DE' },
    customer: {
      address: { country: 'DE' },
      type: 'individual',
      vat_id: { country: 'DE', good: true, invalid: false },
    },
    lines: [
      { amount: 10_000, product_type: 'saas' },
      { amount: 5_000, product_type: 'passenger_transport', taxable: false },
      { amount: 2_000 },
    ],
    einvoice: { exemption_reasons: [] },
  })
  const { view } = invariant(shownOf(sale), 'the sale is assessed').shown
  expect(view.warnings.map(({ code, lines }) => [code, lines])).toContainEqual(['foreign_tax', [1, 2]])
})

it('has no code of another standard in a row, whatever the first row is', () => {
  const toGermany = {
    from: { country: 'NZ' },
    to: { country: 'DE' },
    customer: {
      address: { country: 'DE' },
      type: 'individual' as const,
      vat_id: { country: 'DE', good: true, invalid: false },
    },
    einvoice: { exemption_reasons: [] },
  }
  for (const product_types of [
    ['saas', 'physical_goods'],
    ['physical_goods', 'saas'],
  ]) {
    const lines = product_types.map((product_type) => ({ amount: 10_000, product_type }))
    const { view, lines: rows } = invariant(shownOf(saleOf({ ...toGermany, lines })), 'it is assessed').shown
    expect(view.warnings.map(({ code }) => code)).toContain('foreign_tax')
    const [first, second] = rows.map(([row]) => row)
    expect(first?.category).not.toBeNull()
    expect(second).toMatchObject({ category: null, exemption_code: null, exemption_text: null })
    expect(view.breakdown).toHaveLength(1)
  }
})

it('cites the law of an exemption, not the page that was read of it', () => {
  const cited = ['education', 'health_services', 'insurance', 'financial_services'].flatMap((product_type) =>
    [{ country: 'DE' }, { country: 'FR' }, { country: 'GB', postal_code: 'SW1A 1AA' }].map((home) => {
      const sale = saleOf({
        from: home,
        to: home,
        lines: [{ amount: 5_000, product_type }],
        einvoice: { exemption_reasons: [null] },
      })
      return shownOf(sale)?.shown.view.breakdown[0]?.exemption_text ?? ''
    }),
  )
  for (const text of cited) expect(text).toMatch(/(13[25]\(1\)\([a-z]\)|sch\. 9 group \d)[^:]{0,15}\)$/)
})
