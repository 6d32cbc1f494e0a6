import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NATIONAL_FORMS, NATIONAL_GROUPS } from '../../../src/returns/forms/national-forms.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>
type Box = { box: string; amount: number | null; transactions_url: string | null }

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function seller(country: string, registrations: readonly object[]): Promise<string> {
  const { key } = await newAccount()
  const body = { name: 'Acme', country, vat_id: null, time_zone: 'UTC' }
  expect((await call('PUT', '/v1/account', { key, body })).status).toBe(200)
  for (const registration of registrations) {
    const given = { valid_from: '2020-01-01', ...registration }
    const answer = await call('POST', '/v1/registrations', { key, body: given })
    expect(answer.status, answer.text).toBe(201)
  }
  return key
}

const sale = (currency: string, country: string, amount: number, product_type: string) => ({
  customer: { address: { country, ...(country === 'US' && { region: 'CA', postal_code: '94105' }) } },
  currency,
  transaction_date: '2026-08-03',
  line_items: [{ amount, product_type }],
})

/** The boxes with an amount. Each one's lines add up to it. */
async function boxes(key: string, country: string, period = '2026-Q3') {
  const filed = await get(key, `/v1/reports/filing?type=generic&jurisdiction_id=${country}&period=${period}`)
  for (const { box, amount, transactions_url } of filed['boxes'] as Box[]) {
    if (transactions_url === null) continue
    const { lines } = (await get(key, transactions_url)) as { lines: { figure_amount: number }[] }
    expect(
      lines.reduce((sum, line) => sum + line.figure_amount, 0),
      box,
    ).toBe(amount)
  }
  const amounts = (filed['boxes'] as Box[]).flatMap(({ box, amount }) =>
    amount === 0 || amount === null ? [] : [[box, amount] as const],
  )
  return { filed, amounts: Object.fromEntries(amounts) }
}

async function sellEach(key: string, currency: string, home: string): Promise<void> {
  await created(key, sale(currency, home, 1_000_000, 'saas'))
  await created(key, sale(currency, home, 2_000_000, 'groceries'))
  await created(key, sale(currency, 'US', 4_000_000, 'physical_goods'))
  await created(key, sale(currency, 'US', 8_000_000, 'saas'))
}

it.each([
  [
    'CH',
    'CHF',
    {
      200: 15_000_000,
      220: 4_000_000,
      221: 8_000_000,
      299: 3_000_000,
      303: 1_000_000,
      313: 2_000_000,
      399: 81_000 + 52_000,
    },
  ],
  [
    'NO',
    'NOK',
    {
      '3 grunnlag': 1_000_000,
      '3 avgift': 250_000,
      '31 grunnlag': 2_000_000,
      '31 avgift': 300_000,
      52: 12_000_000,
    },
  ],
  ['SG', 'SGD', { 1: 3_000_000, 2: 12_000_000, 4: 15_000_000, 6: 270_000 }],
  // A digital service is used abroad, so it is no supply in the Emirates.
  ['AE', 'AED', { 1: 3_000_000, '1 VAT': 150_000, 4: 4_000_000 }],
  ['SA', 'SAR', { 1: 3_000_000, '1 VAT': 450_000, 4: 12_000_000, 6: 15_000_000 }],
])('fills in the main return of %s', async (country, currency, expected) => {
  const key = await seller(country, [{ jurisdiction_id: country }])
  await sellEach(key, currency, country)
  const { filed, amounts } = await boxes(key, country)
  expect(amounts).toEqual(expected)
  expect(filed).toMatchObject({ currency })
  expect((filed['notes'] as string[])[0]).toContain('not yet compared with the page of the tax office')
})

it('fills in the bases of Japan by rate', async () => {
  const key = await seller('JP', [{ jurisdiction_id: 'JP' }])
  await sellEach(key, 'JPY', 'JP')
  expect((await boxes(key, 'JP')).amounts).toMatchObject({
    'base 10 %': 1_000_000,
    'tax 10 %': 100_000,
    'base 8 %': 2_000_000,
    'tax 8 %': 160_000,
  })
})

it('has the sales in Liechtenstein on the Swiss return, unless the seller is registered there', async () => {
  const swiss = await seller('DE', [{ jurisdiction_id: 'CH' }])
  await created(swiss, sale('CHF', 'CH', 100_000, 'saas'))
  await created(swiss, sale('CHF', 'LI', 50_000, 'saas'))
  expect((await boxes(swiss, 'CH')).amounts).toEqual({
    200: 150_000,
    299: 150_000,
    303: 150_000,
    399: 12_150,
  })
  const both = await seller('DE', [{ jurisdiction_id: 'CH' }, { jurisdiction_id: 'LI' }])
  await created(both, sale('CHF', 'CH', 100_000, 'saas'))
  await created(both, sale('CHF', 'LI', 50_000, 'saas'))
  expect((await boxes(both, 'CH')).amounts).toMatchObject({ 200: 100_000 })
  expect((await boxes(both, 'LI')).amounts).toMatchObject({ 200: 50_000 })
})

it.each([
  ['no_voec', 'NO', 'NOK', { supplies: 100_000, tax: 25_000 }],
  ['kr_simplified', 'KR', 'KRW', { supplies: 100_000, tax: 10_000 }],
  ['sg_ovr', 'SG', 'SGD', { 1: 100_000, 4: 100_000, 6: 9_000 }],
  ['in_oidar', 'IN', 'INR', { 5: 100_000, '5 IGST': 18_000 }],
])('charges and declares under the scheme %s', async (scheme, country, currency, expected) => {
  const key = await seller('DE', [{ scheme, registration_number: 'local-1' }])
  await created(key, sale(currency, country, 100_000, 'saas'))
  expect((await boxes(key, country)).amounts).toEqual(expected)
  const due = (await get(key, '/v1/obligations?from=2026-10-01&to=2026-10-31')) as { obligations: Body[] }
  expect(due.obligations.at(0)).toMatchObject({ scheme, type: 'generic' })
  expect(String(due.obligations.at(0)?.['filing_url'])).toContain(`jurisdiction_id=${country}`)
})

it('keeps the return of a country apart from the list of all sales', async () => {
  const key = await seller('CH', [{ jurisdiction_id: 'CH' }])
  const id = await created(key, sale('CHF', 'CH', 100_000, 'saas'))
  const filedAs = async (body: object) => {
    const answer = await call('POST', '/v1/returns', { key, body })
    expect(answer.status, answer.text).toBe(201)
  }
  await filedAs({ type: 'generic', period: '2026-Q3' })
  expect((await boxes(key, 'CH')).amounts).toMatchObject({ 200: 100_000 })
  await filedAs({ type: 'generic', period: '2026-Q3', jurisdiction_id: 'CH' })
  const { returns } = (await get(key, `/v1/transactions/${id}`)) as { returns: Body[] }
  expect(returns.map(({ jurisdiction_id, declares_tax }) => [jurisdiction_id, declares_tax])).toEqual([
    ['CH', true],
    [null, false],
  ])
})

it('asks for a country whose form is in the data', async () => {
  const key = await seller('CH', [])
  for (const country of ['DE', 'US-CA', 'TW']) {
    const path = `/v1/reports/filing?type=generic&jurisdiction_id=${country}&period=2026-Q3`
    expect(await call('GET', path, { key })).toMatchObject({ status: 400 })
  }
})

it('has each group of each form in one box of its net amounts at a rate, or in none', () => {
  const rates = [0, 18_000, 26_000, 38_000, 81_000, 80_000, 90_000, 100_000, 120_000, 150_000, 250_000]
  const sums = new Set(['200', '299', '4', '6', '1'])
  fc.assert(
    fc.property(
      fc.constantFrom(...NATIONAL_FORMS),
      fc.constantFrom(...NATIONAL_GROUPS),
      fc.constantFrom(...rates),
      ([country, { boxes: own }], group, rate) => {
        const counting = own.filter(
          ({ box, groups, takes, rates: wanted }) =>
            takes === 'net' &&
            groups.includes(group) &&
            (wanted?.includes(rate) ?? true) &&
            !(sums.has(box) && groups.length > 1) &&
            box !== '299',
        )
        expect(counting.length, `${country} ${group}`).toBeLessThanOrEqual(1)
      },
    ),
  )
})
