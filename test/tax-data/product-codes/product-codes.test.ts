import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

type Line = { product_type: string; tax_amount: number; rule: string; notes: string[] }

const sale = (...products: string[]) => ({
  currency: 'USD',
  seller: { country: 'US', region: 'PA', registrations: ['US-PA'] },
  customer: { address: { country: 'US', region: 'PA', postal_code: '17101', city: 'Harrisburg' } },
  line_items: products.map((product_type) => ({ amount: 10_000, product_type })),
})

async function linesOf(key: string, ...products: string[]): Promise<Line[]> {
  const answer = await call('POST', '/v1/calculate', { key, body: sale(...products) })
  expect(answer.status, answer.text).toBe(200)
  return answer.body['line_items'] as Line[]
}

it('taxes a code without a type in full, and says so on its line', async () => {
  const { key } = await newAccount()
  const [swimwear, unheard, food] = await linesOf(key, '53102800A0000', 'txcd_99990001', '40030')
  expect(swimwear).toMatchObject({ product_type: 'physical_goods', tax_amount: 600, rule: 'uncertain' })
  expect(swimwear?.notes[0]).toBe(
    'The code 53102800A0000 has no product type here, so the line is taxed in full. PA taxes sport clothing; ' +
      'the SSUTA counts athletic uniforms and swimwear as clothing. If clothing fits, send that',
  )
  expect(unheard).toMatchObject({ tax_amount: 600, rule: 'uncertain' })
  expect(unheard?.notes[0]).toContain('It is in no list of codes that we have')
  expect(food).toMatchObject({ product_type: 'groceries', tax_amount: 0 })
})

it('calls the rule of a code uncertain whose type is only close, and says what is near', async () => {
  const { key } = await newAccount()
  const [services, insulin] = await linesOf(key, 'txcd_20030000', '51183603A0000')
  expect(services).toMatchObject({ product_type: 'professional_services', rule: 'uncertain' })
  expect(services?.notes[0]).toContain('The code txcd_20030000 is taken as professional_services. General')
  expect(insulin).toMatchObject({ product_type: 'prescription_drugs', tax_amount: 0 })
  expect(insulin?.notes[0]).toContain('Most states free insulin by name')
})

it.each(['txcd_00000000', 'NT', '99999'])('does not tax the code %s, which says so itself', async (code) => {
  const { key } = await newAccount()
  const [line] = await linesOf(key, code)
  expect(line).toMatchObject({ tax_amount: 0 })
  expect(line?.notes[0]).toBe(`The code ${code} says that no tax is due, so the line is not taxed`)
})

it('refuses what is neither a type nor in the form of a code', async () => {
  const { key } = await newAccount()
  for (const product_type of ['sass', 'CLOTHING', 'txcd_1', '4003', '']) {
    const answer = await call('POST', '/v1/calculate', { key, body: sale(product_type) })
    expect(answer.status, product_type).toBe(400)
    expect(answer.text).toContain('line_items[0].product_type')
  }
})

it('refuses codes without a type if the account asks for that, in all calls with lines', async () => {
  const { key } = await newAccount()
  const put = await call('PUT', '/v1/account', { key, body: { unknown_codes: 'refuse' } })
  expect(put.body['unknown_codes']).toBe('refuse')
  const body = sale('saas', '40030', '53102800A0000')
  const refused = await call('POST', '/v1/calculate', { key, body })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    reason: 'unknown_product_code: 53102800A0000',
    errors: [{ path: 'line_items[2].product_type' }],
  })
  const batch = await call('POST', '/v1/calculate/batch', {
    key,
    body: { calculations: [sale('saas'), body] },
  })
  expect(batch.body['summary']).toEqual({ total: 2, succeeded: 1, failed: 1 })
  expect((await call('POST', '/v1/transactions', { key, body })).status).toBe(400)
  const recorded = await call('POST', '/v1/transactions/batch', {
    key,
    body: { transactions: [sale('saas'), body] },
  })
  expect(recorded.body['summary']).toEqual({ total: 2, succeeded: 1, failed: 1 })
  const tells = await call('PUT', '/v1/account', { key, body: { unknown_codes: 'tell' } })
  expect(tells.body['unknown_codes']).toBe('tell')
  expect((await call('POST', '/v1/transactions', { key, body })).status).toBe(201)
})

it('keeps the note of a code with the recorded line', async () => {
  const { key } = await newAccount()
  const made = await call('POST', '/v1/transactions', { key, body: sale('53102800A0000', '40030', 'saas') })
  expect(made.status, made.text).toBe(201)
  const shown = await call('GET', `/v1/transactions/${String(made.body['id'])}`, { key })
  const lines = shown.body['line_items'] as (Line & { notes?: string[] })[]
  expect(lines.map(({ product_type }) => product_type)).toEqual(['physical_goods', 'groceries', 'saas'])
  expect(lines[0]?.notes?.[0]).toContain('The code 53102800A0000 has no product type here')
  expect(lines[2]).not.toHaveProperty('notes')
})

it('counts the lines of codes without a type, at most 200 codes of an account', async () => {
  const { key } = await newAccount()
  const { key: other } = await newAccount()
  await linesOf(key, '53102800A0000', '53102800A0000', '40030')
  const counted = async () =>
    (await call('GET', '/v1/account/usage', { key })).body['unknown_codes'] as { code: string }[]
  await expect
    .poll(counted)
    .toEqual([
      { code: '53102800A0000', lines: 2, first_seen: expect.any(String), last_seen: expect.any(String) },
    ])
  expect((await call('GET', '/v1/account/usage', { key: other })).body['unknown_codes']).toEqual([])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 })
  try {
    const many = Array.from({ length: 250 }, (_, index) => `txcd_${String(80_000_000 + index)}`)
    await linesOf(key, ...many)
    await expect.poll(async () => (await counted()).length).toBe(200)
    vi.setSystemTime(Date.now() + 91 * 24 * 3_600_000)
    await linesOf(key, 'txcd_80000000')
    await expect.poll(counted).toMatchObject([{ code: 'txcd_80000000', lines: 1 }])
    const { results } = await env.DB.prepare("SELECT code FROM unknown_codes WHERE code LIKE '5310%'").all()
    expect(results).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

it('lists the codes of each service by pages', async () => {
  const { key } = await newAccount()
  const page = async (query: string) =>
    (await call('GET', `/v1/metadata/product-codes?${query}`, { key })).body
  const stripe = await page('system=stripe&limit=1000')
  expect(stripe).toMatchObject({ total: 653, has_more: false })
  expect(stripe['product_codes']).toContainEqual({
    system: 'stripe',
    code: 'txcd_30011000',
    product_type: 'clothing',
    certainty: expect.any(String),
    suggest: null,
    note: null,
  })
  expect(await page('system=avalara&offset=3000')).toMatchObject({ total: 3_019, has_more: false })
  expect(await page('')).toMatchObject({ total: 4_519, limit: 500, has_more: true })
  expect((await call('GET', '/v1/metadata/product-codes?system=vertex', { key })).status).toBe(400)
})

it('answers questions on a code by its type, and refuses one without a type', async () => {
  const { key } = await newAccount()
  const ask = (code: string) => call('GET', `/v1/rates?jurisdiction=US-PA&product_type=${code}`, { key })
  expect((await ask('40030')).body).toMatchObject({ combined_rate: 0 })
  const refused = await ask('53102800A0000')
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    reason: 'unknown_product_type',
    errors: [{ path: 'product_type', message: expect.stringContaining('If clothing fits, send that') }],
  })
})

it('looks up one code, and answers an empty list for a code that it does not have', async () => {
  const { key } = await newAccount()
  const asked = async (query: string) =>
    (await call('GET', `/v1/metadata/product-codes?${query}`, { key })).body
  expect(await asked('code=txcd_20030000')).toMatchObject({
    product_codes: [{ system: 'stripe', code: 'txcd_20030000', product_type: 'professional_services' }],
    total: 1,
    has_more: false,
  })
  for (const other of ['code=txcd_99990001', 'code=txcd_20030000&system=avalara', 'code=__proto__'])
    expect(await asked(other)).toMatchObject({ product_codes: [], total: 0 })
  expect(await asked('code=')).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'code' }] })
})
