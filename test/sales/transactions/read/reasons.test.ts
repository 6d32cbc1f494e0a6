import { exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create, created, GIVEN } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Explained = {
  explanation: {
    data_version: string
    lines: {
      line_item_id: string
      sentence: string
      badge: string
      tax_from: string
      tax_amount: number
      taxes: { tax_amount: number }[]
      calculated: { tax_amount: number } | null
      steps: { step: string; rule: string; outcome: string; basis: string | null }[]
    }[]
    refunds: { refund_id: string; sentence: string; parts: { tax_amount: number }[] }[]
  } | null
  explanation_note: string | null
  line_items: { id: string; tax_amount: number; tax_breakdown: { tax_amount: number }[] }[]
}

async function explained(key: string, id: string): Promise<Explained> {
  const { status, body, text } = await call('GET', `/v1/transactions/${id}?explain=true`, { key })
  expect(status, text).toBe(200)
  return body as unknown as Explained
}

const SELLER = { country: 'DE', registrations: ['DE'] }
const LAMP = {
  seller: SELLER,
  customer: { address: { country: 'DE', postal_code: '10115' }, type: 'individual' },
  line_items: [{ amount: 18_900, product_type: 'physical_goods', description: 'Desk lamp' }],
  currency: 'EUR',
}

it('tells in words why a line bears its tax', async () => {
  const { key } = await newAccount()
  const { explanation, explanation_note } = await explained(key, await created(key, LAMP))
  expect(explanation_note).toBeNull()
  const line = explanation?.lines[0]
  expect(line?.sentence).toMatch(
    /^Desk lamp · €189\.00 · 19 % VAT of Germany = €35\.91 · standard rate, .*\(.*art\. 3[1-3].*\)$/,
  )
  expect(line).toMatchObject({ badge: 'Standard rate', tax_from: 'calculated', calculated: null })
  expect(line?.steps.map(({ step }) => step)).toEqual(['place_of_supply', 'registration', 'product_rule'])
})

it('leaves the reason out unless it is asked for', async () => {
  const { key } = await newAccount()
  const id = await created(key, LAMP)
  const { body } = await call('GET', `/v1/transactions/${id}`, { key })
  expect(body).not.toHaveProperty('explanation')
  expect((await call('GET', `/v1/transactions/${id}?explain=yes`, { key })).status).toBe(400)
})

it('gives zero tax a badge and one sentence', async () => {
  const { key } = await newAccount()
  const business = {
    ...LAMP,
    customer: {
      address: { country: 'FR', postal_code: '75001' },
      type: 'business',
      vat_id: 'FR40303265045',
      vat_id_validated: true,
    },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  }
  const reverse = (await explained(key, await created(key, business))).explanation?.lines[0]
  expect(reverse?.badge).toBe('Reverse charge')
  expect(reverse?.sentence).toMatch(/ · €100\.00 · no tax · the customer is a business and accounts for/)
  const texas = {
    ...LAMP,
    currency: 'USD',
    customer: { address: { country: 'US', region: 'TX', postal_code: '78701' } },
  }
  const unregistered = (await explained(key, await created(key, texas))).explanation?.lines[0]
  expect(unregistered?.sentence).not.toContain('US-TX')
  expect(unregistered?.badge).not.toBe('No tax')
})

it('tells a given tax beside what the service would have charged', async () => {
  const { key } = await newAccount()
  const given = { ...GIVEN, customer: { address: { country: 'FR', postal_code: '75001' } }, seller: SELLER }
  const line = { ...GIVEN.line_items[0], tax_amount: 1_900 }
  const id = await created(key, { ...given, jurisdiction_id: 'FR', line_items: [line] })
  const { explanation } = await explained(key, id)
  const told = explanation?.lines[0]
  expect(told?.tax_from).toBe('given')
  expect(told?.calculated?.tax_amount).toBe(2_000)
  expect(told?.sentence).toBe(
    'Plan: €19.00 of tax, as stated with the sale; the service would have charged €20.00',
  )
})

it('keeps the reason although registrations change afterwards, and refunds have it too', async () => {
  const { key } = await newAccount()
  const { seller: _, ...byProfile } = LAMP
  const id = await created(key, byProfile)
  const before = await explained(key, id)
  const registered = await call('POST', '/v1/registrations', {
    key,
    body: { jurisdiction_id: 'DE', valid_from: '2020-01-01' },
  })
  expect(registered.status, registered.text).toBeLessThan(300)
  expect(await explained(key, id)).toMatchObject({ explanation: before.explanation })
  const back = await call('POST', `/v1/transactions/${id}/refund`, {
    key,
    body: { amount: 100, reason: 'x' },
  })
  expect(back.status, back.text).toBe(200)
  const after = await explained(key, id)
  expect(after.explanation).toMatchObject({ lines: before.explanation?.lines })
  expect(after.explanation?.refunds[0]?.sentence).toContain('Refund of €1.00')
})

it('says that no reason was kept for a sale of an earlier release', async () => {
  const { key } = await newAccount()
  const id = await created(key, LAMP)
  await books.prepare('UPDATE transactions SET reasons = NULL WHERE id = ?').bind(id).run()
  const { explanation, explanation_note } = await explained(key, id)
  expect(explanation).toBeNull()
  expect(explanation_note).toContain('No reason was kept')
})

it('exports the kept reason of each line', async () => {
  const { key } = await newAccount()
  await created(key, LAMP)
  const response = await exports.default.fetch('https://service.test/v1/reports/export?report=lines', {
    headers: { Authorization: `Bearer ${key}` },
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(text.split('\r\n')[0]).toContain(',why,')
  expect(text).toContain('Desk lamp · €189.00 · 19 % VAT of Germany = €35.91')
})

it('is not told to another account', async () => {
  const { key } = await newAccount()
  const { key: other } = await newAccount()
  const id = await created(key, LAMP)
  expect((await call('GET', `/v1/transactions/${id}?explain=true`, { key: other })).status).toBe(404)
})

const PLACES = [
  { country: 'DE', postal_code: '10115' },
  { country: 'FR', postal_code: '75001' },
  { country: 'CA', region: 'QC', postal_code: 'H2X 1Y4' },
  { country: 'US', region: 'CA', postal_code: '94105' },
  { country: 'US', region: 'TX', postal_code: '78701' },
  { country: 'GB', postal_code: 'SW1A 1AA' },
  { country: 'AU', region: 'NSW', postal_code: '2000' },
  { country: 'NZ', postal_code: '6011' },
  { country: 'CH', postal_code: '8001' },
]
const sales = fc.record({
  currency: fc.constantFrom('EUR', 'USD', 'JPY'),
  seller_registered: fc.constantFrom(true, false),
  rounding: fc.constantFrom('line', 'document'),
  tax_behavior: fc.constantFrom('exclusive', 'inclusive'),
  customer: fc.record({
    address: fc.constantFrom(...PLACES),
    type: fc.constantFrom('individual', 'business'),
  }),
  line_items: fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 9_999_999 }),
      product_type: fc.constantFrom('physical_goods', 'groceries', 'books', 'saas', 'clothing'),
      taxable: fc.constantFrom(true, true, false),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  shipping_cost: fc.option(fc.record({ amount: fc.integer({ min: 0, max: 9_999 }) }), { nil: null }),
})

it('keeps reasons whose parts add up to the stored tax, for sales of all regimes', async () => {
  const { key, account_id } = await newAccount()
  for (const sale of fc.sample(sales, { numRuns: 120, seed: 20_261_123 })) {
    const { explanation, line_items } = await explained(key, await created(key, sale))
    expect(explanation?.lines.map(({ line_item_id }) => line_item_id)).toEqual(line_items.map(({ id }) => id))
    for (const [index, line] of (explanation?.lines ?? []).entries()) {
      const sum = line.taxes.reduce((total, { tax_amount }) => total + tax_amount, 0)
      expect(sum, line.sentence).toBe(line_items[index]?.tax_amount)
      expect(line.steps.length, line.sentence).toBeGreaterThan(0)
      expect(line.sentence).not.toMatch(/undefined|null|NaN/)
    }
  }
  const { bytes } = await sizes(account_id)
  expect(bytes).toBeLessThan(2_500)
})

it('bounds the reasons of a sale with many lines', async () => {
  const { key, account_id } = await newAccount()
  const { body } = await call('GET', '/v1/metadata/product-types', { key })
  const types = (body['product_types'] as { id: string }[])
    .map(({ id }) => id)
    .filter((id) => id !== 'shipping')
  const line_items = Array.from({ length: 500 }, (_, index) => ({
    amount: 1_000,
    product_type: types[index % types.length],
  }))
  const answer = await create(key, {
    currency: 'USD',
    seller_registered: true,
    customer: { address: { country: 'US', region: 'CA', postal_code: '94105' } },
    supply_address: { country: 'US', region: 'CA', postal_code: '94105' },
    line_items,
  })
  expect(answer.status, answer.text).toBe(201)
  const { bytes } = await sizes(account_id)
  expect(bytes).toBeLessThan(150_000)
})

/** The mean bytes of reasons of the account's sales. */
async function sizes(account_id: string): Promise<{ bytes: number; sales: number }> {
  const row = await books
    .prepare(
      'SELECT avg(length(CAST(reasons AS BLOB))) AS bytes, count(*) AS sales FROM transactions WHERE account_id = ?',
    )
    .bind(account_id)
    .first<{ bytes: number; sales: number }>()
  return row ?? { bytes: 0, sales: 0 }
}
