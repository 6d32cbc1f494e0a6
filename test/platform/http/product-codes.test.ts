import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })
const sale = (product_type: string, more: object = {}) => ({
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type }],
  ...more,
})
type Line = { product_type: string; tax_amount: number; rule: string; discount: number; notes: string[] }
const linesOf = async (body: object) => {
  const answer = await call('POST', '/v1/calculate', { key, body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body['line_items'] as Line[]
}

it.each([
  ['txcd_10103001', 'saas'],
  ['81100', 'books'],
  ['40020', 'dietary_supplements'],
  ['P0000000', 'physical_goods'],
])('takes the code %s of another service, and answers with ours', async (code, product_type) => {
  expect((await linesOf(sale(code)))[0]?.product_type).toBe(product_type)
})

it('refuses a code that nobody has, and names the field', async () => {
  const answer = await call('POST', '/v1/calculate', { key, body: sale('txcd_1') })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('line_items[0].product_type')
})

it('uses the rule of the broader type for a type without a rule, and says so', async () => {
  const [line] = await linesOf(sale('basic_food'))
  expect(line).toMatchObject({ tax_amount: 700, rule: 'default' })
  expect(line?.notes[0]).toMatch(
    /^No rule in the data for basic food in Germany .*, so the rule for groceries was used$/,
  )
})

it('refuses live for a product without an audience, and names the field', async () => {
  const body = sale('books', { line_items: [{ amount: 1, product_type: 'books', live: true }] })
  const answer = await call('POST', '/v1/calculate', { key, body })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('line_items[0].live')
})

it('has rules of its own for types that a law splits', async () => {
  const gb = { currency: 'GBP', seller: { country: 'GB' }, customer: { address: { country: 'GB' } } }
  const [child] = await linesOf(sale('children_clothing', gb))
  const [candy] = await linesOf(sale('candy', gb))
  // That of children's clothing is general knowledge that nobody has verified.
  expect(child).toMatchObject({ tax_amount: 0, rule: 'uncertain' })
  expect(candy).toMatchObject({ tax_amount: 2_000, rule: 'specific' })
})

it('shares a discount of the document between the lines, to the cent', async () => {
  const lines = [
    { amount: 1_000, product_type: 'books' },
    { amount: 500, product_type: 'physical_goods' },
    { amount: 500, product_type: 'saas', discount: 100 },
  ]
  const answer = await call('POST', '/v1/calculate', {
    key,
    body: sale('books', { line_items: lines, discount_amount: 100 }),
  })
  const shown = (answer.body['line_items'] as Line[]).map(({ discount }) => discount)
  expect(shown).toEqual([53, 26, 121])
  expect(answer.body['discount_amount']).toBe(200)
})

it('refuses a discount of the document that is larger than its lines', async () => {
  const answer = await call('POST', '/v1/calculate', {
    key,
    body: sale('books', { discount_amount: 10_001 }),
  })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('"discount_amount"')
})

it('tells of a day in the future that the data has no other change', async () => {
  const answer = await call('POST', '/v1/calculate', {
    key,
    body: sale('books', { transaction_date: '2031-01-01' }),
  })
  expect(JSON.stringify(answer.body['notes'])).toContain('which has no other change')
})

it('tells by GET /v1/rates whether a rule is in the data', async () => {
  const rates = async (query: string) => (await call('GET', `/v1/rates?${query}`, { key })).body
  expect(await rates('jurisdiction=DE&product_type=saas')).toMatchObject({ rule: 'specific', notes: [] })
  expect(await rates('jurisdiction=DE&product_type=soft_drinks')).toMatchObject({ rule: 'uncertain' })
  const before = await rates('jurisdiction=DE&product_type=groceries&date=2012-01-01')
  expect(before).toMatchObject({ rule: 'default' })
  expect(JSON.stringify(before['notes'])).toContain('No rule in the data for groceries in Germany')
})

it('lists for which products and places a rule is in the data', async () => {
  const coverage = async (query: string) =>
    (await call('GET', `/v1/metadata/coverage?${query}`, { key })).body
  expect(await coverage('jurisdiction=DE&product_type=groceries')).toMatchObject({
    total: 1,
    coverage: [{ jurisdiction_id: 'DE', status: 'on_file', from: '2015-01-01', confidence: 'high' }],
  })
  expect(await coverage('jurisdiction=DE&product_type=saas')).toMatchObject({
    coverage: [{ status: 'on_file', confidence: 'high' }],
  })
  expect(await coverage('jurisdiction=DE&product_type=bicycles')).toMatchObject({
    coverage: [{ status: 'default', from: null }],
  })
  expect(await coverage('jurisdiction=GB&product_type=medical_devices')).toMatchObject({
    coverage: [{ status: 'uncertain', confidence: 'low' }],
  })
  expect((await coverage('product_type=books&limit=500'))['total']).toBeGreaterThan(100)
  const country = await call('GET', '/v1/metadata/coverage?jurisdiction=US', { key })
  expect(country.status).toBe(400)
})
