import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { nearlyValid, type Schema, valid } from '../../lab/fuzz/arbitrary.ts'
import { HOSTILE_VALUES } from '../../lab/fuzz/hostile.ts'
import { CalculateBatchRequest, CalculateRequest } from '../../src/sales/calculation/schemas.ts'
import * as calculation from '../../src/sales/calculation/quick-checks.generated.ts'
import {
  RefundRequest,
  TransactionBatchRequest,
  TransactionRequest,
} from '../../src/sales/transactions/sale/schemas.ts'
import * as transactions from '../../src/sales/transactions/sale/quick-checks.generated.ts'

type Pair = { name: string; quick: (value: unknown) => unknown; schema: z.ZodType }

const PAIRS: Pair[] = [
  { name: 'a calculation', quick: calculation.quickCalculation, schema: CalculateRequest },
  {
    name: 'a batch of calculations',
    quick: calculation.quickCalculationBatch,
    schema: CalculateBatchRequest,
  },
  { name: 'a sale', quick: transactions.quickTransaction, schema: TransactionRequest },
  { name: 'a batch of sales', quick: transactions.quickTransactionBatch, schema: TransactionBatchRequest },
  { name: 'a refund', quick: transactions.quickRefund, schema: RefundRequest },
]

/** Values that the JSON Schema does not describe, and that are good: old ones, and those in the other case. */
const DAYS = ['2026-06-15', '2026-06-15T12:00:00Z']
const COUNTRIES = ['DE', 'fr', 'EL']
const half = (product_type: string, share = 0.5) => ({ product_type, share })
const GOOD = {
  bundle: [
    [half('saas'), half('books')],
    [half('saas', 0.333333), half('books', 0.666667)],
  ],
  currency: ['EUR', 'usd', 'HRK'],
  country: [...COUNTRIES, 'us', 'uk', 'XI'],
  supplied_from: COUNTRIES,
  jurisdiction_id: ['DE', 'us-ca', 'EL-A', 'uk'],
  registrations: [['DE', 'us-ca'], ['oss_union'], []],
  jurisdictions: [['EL-69'], ['us-ca', 'DE']],
  transaction_date: ['2026-06-15'],
  refunded_at: DAYS,
  checked_at: DAYS,
  date: ['2026-06-15'],
  product_type: ['saas', 'physical_goods', 'txcd_10000000', '81100'],
  tax_rate: [0, 0.19, 1],
  amount: [1, -0, 1e15],
  quantity: [1, 2],
  postal_code: ['94105', '👩‍👩‍👧‍👦'.repeat(2)],
  external_id: ['order-1', 'a'.repeat(255)],
  credit_note_for: [{ date: '2026-06-15' }, { external_id: 'order-1' }],
  settles: [[{ transaction_id: 'txn_1' }]],
  metadata: [{ order: '1' }, {}],
}

/** The same and some that are not good: at a limit, beyond it, and nearly right. */
const MIXED = {
  ...GOOD,
  bundle: [
    ...GOOD.bundle,
    [half('saas')],
    [half('saas'), half('81100')],
    [half('saas', 0), half('books', 0.3333333)],
  ],
  currency: [...GOOD.currency, 'XXX', 'EURO'],
  country: [...GOOD.country, 'YU', 'D'],
  jurisdiction_id: [...GOOD.jurisdiction_id, 'US-', 'FR-75-'],
  registrations: [...GOOD.registrations, ['OSS_UNION'], [5]],
  transaction_date: [...DAYS, '2026-02-30', '2026-06-15T24:30:00+01:00', '10000-01-01'],
  product_type: [...GOOD.product_type, 'sass', 'D0000000'],
  tax_rate: [...GOOD.tax_rate, 0.1234567, 1.1],
  amount: [...GOOD.amount, 1e15 + 1, 0.5],
  quantity: [...GOOD.quantity, 1.5, 0, 1e9 + 1],
  postal_code: [...GOOD.postal_code, 'a'.repeat(21)],
  external_id: [...GOOD.external_id, '.', '..'],
  credit_note_for: [...GOOD.credit_note_for, {}, { date: '2026-06-15', external_id: 'order-1' }],
  metadata: [...GOOD.metadata, JSON.parse('{"__proto__":"x"}'), { '': 'x' }, { a: 1 }],
}

describe.each(PAIRS)('the quick check of $name', ({ quick, schema }) => {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

  it('says what the schema says of valid and nearly valid bodies', () => {
    const few = withoutUsual(described)
    const bodies = fc.oneof(
      valid(few, GOOD),
      valid(described, GOOD),
      nearlyValid(few, GOOD),
      valid(few, MIXED),
      nearlyValid(described, MIXED),
    )
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(bodies, (body) => {
        const accepted = compare(quick, schema, body)
        seen[accepted ? 'accepted' : 'refused'] += 1
      }),
      { numRuns: 1_000 },
    )
    expect(seen.accepted).toBeGreaterThan(20)
    expect(seen.refused).toBeGreaterThan(20)
  })

  it('says what the schema says of hostile values', () => {
    for (const value of HOSTILE_VALUES) compare(quick, schema, value)
    fc.assert(fc.property(fc.jsonValue(), (value) => void compare(quick, schema, value)))
  })
})

it('leaves a field that is given as undefined to the schema', () => {
  const line = { amount: 1, product_type: 'saas' }
  const body = { currency: 'EUR', line_items: [line], customer: undefined }
  expect(calculation.quickCalculation(body)).toBeUndefined()
  expect(calculation.quickCalculation({ currency: 'EUR', line_items: [line] })).toBeDefined()
})

/** Whether the schema accepts the value. The quick check gives the same value, or is not sure. */
function compare(quick: Pair['quick'], schema: z.ZodType, value: unknown): boolean {
  const { success, data } = schema.safeParse(value)
  const found = quick(value)
  if (found !== undefined) {
    expect(success).toBe(true)
    expect(found).toStrictEqual(data)
    expect(JSON.stringify(found)).toBe(JSON.stringify(data))
  }
  // Only these accepted values may be left to the schema: a text that has fewer characters than units of
  // UTF-16, and a field whose name is __proto__.
  else if (success) expect(JSON.stringify(value)).toMatch(/[\ud800-\udfff]|"__proto__":/)
  return success
}

/** An object with its required fields and the third of the others, so that more of the values are valid. */
function withoutUsual(schema: Schema): Schema {
  const { properties = {}, required = [] } = schema
  const kept = Object.entries(properties).filter(
    ([name], index) => required.includes(name) || index % 3 === 0,
  )
  return { ...schema, properties: Object.fromEntries(kept) }
}
