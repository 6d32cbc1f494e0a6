import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

type Box = { box: string; amount: number | null }

async function boxesOf(
  country: string,
  type: string,
  registrations: string[],
  to: object,
): Promise<Record<string, number | null>> {
  const { key } = await newAccount({ tier: 'enterprise' })
  await call('PUT', '/v1/account', { key, body: { country } })
  for (const jurisdiction_id of registrations) {
    const body = { jurisdiction_id, valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  for (const address of [{ country, region: 'ON' }, to]) {
    const sale = await call('POST', '/v1/transactions', {
      key,
      body: {
        currency: country === 'AU' ? 'AUD' : 'CAD',
        transaction_date: '2026-09-10T12:00:00Z',
        customer: { address: country === 'AU' && address !== to ? { country } : address },
        line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
      },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    })
    expect(sale.status, sale.text).toBe(201)
  }
  const answer = await call('GET', `/v1/reports/filing?type=${type}&period=2026-Q3`, { key })
  expect(answer.status, answer.text).toBe(200)
  return Object.fromEntries((answer.body['boxes'] as Box[]).map(({ box, amount }) => [box, amount]))
}

it.each([
  ['not registered abroad', ['AU']],
  ['registered abroad, where the sale is taxed', ['AU', 'NZ']],
])('an export is on the activity statement without GST: %s', async (_, registrations) => {
  const boxes = await boxesOf('AU', 'au_bas', registrations, { country: 'NZ' })
  expect(boxes).toMatchObject({ G1: 21_000, G2: 10_000, G3: 0, '1A': 1_000 })
})

it.each([
  ['not registered abroad', ['CA']],
  ['registered abroad, where the sale is taxed', ['CA', 'GB']],
])('an export is revenue on the GST/HST return, without tax: %s', async (_, registrations) => {
  const boxes = await boxesOf('CA', 'ca_gst34', registrations, { country: 'GB' })
  expect(boxes).toMatchObject({ '101': 20_000, '103': 1_300 })
})

const LONDON = { country: 'GB', postal_code: 'SW1A 1AA' }
const BELFAST = { country: 'GB', postal_code: 'BT1 5GS' }
const NEW_YORK = { country: 'US', region: 'NY', postal_code: '10001' }

/** Records a sale of an account with registrations in several countries, and returns boxes of a return. */
async function boxesAfter(
  country: string,
  sale: { ship_from?: object; to: object; registrations?: string[]; products?: string[] },
  type = 'uk_vat100',
): Promise<Record<string, number | null>> {
  const { key } = await newAccount({ tier: 'enterprise' })
  await call('PUT', '/v1/account', { key, body: { country } })
  const registrations = sale.registrations ?? ['GB', 'IE', 'FR', 'DE']
  for (const jurisdiction_id of registrations) {
    const body = { jurisdiction_id, valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  const sold = await call('POST', '/v1/transactions', {
    key,
    body: {
      currency: type === 'uk_vat100' ? 'GBP' : 'EUR',
      transaction_date: '2026-09-10T12:00:00Z',
      ...(sale.ship_from !== undefined && { ship_from: sale.ship_from }),
      customer: { address: sale.to },
      line_items: (sale.products ?? ['physical_goods']).map((product_type, index) => ({
        amount: 10_000 + index,
        product_type,
      })),
    },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  })
  expect(sold.status, sold.text).toBe(201)
  const answer = await call('GET', `/v1/reports/filing?type=${type}&period=2026-Q3`, { key })
  expect(answer.status, answer.text).toBe(200)
  return Object.fromEntries((answer.body['boxes'] as Box[]).map(({ box, amount }) => [box, amount]))
}

it.each([
  ['from Great Britain, of an Irish seller', 'IE', { ship_from: LONDON, to: NEW_YORK }, 10_000],
  ['from Northern Ireland, of an Irish seller', 'IE', { ship_from: BELFAST, to: NEW_YORK }, 10_000],
  [
    'from Great Britain to France, of a German seller',
    'DE',
    { ship_from: LONDON, to: { country: 'FR' } },
    10_000,
  ],
  ['from Great Britain, of a British seller', 'GB', { to: NEW_YORK }, 10_000],
  [
    'from Great Britain, taxed where they arrive',
    'GB',
    { to: { country: 'CA', region: 'ON' }, registrations: ['GB', 'CA'] },
    10_000,
  ],
  ['from Ireland, of a British seller', 'GB', { ship_from: { country: 'IE' }, to: NEW_YORK }, 0],
  [
    'from Germany to Switzerland, of a British seller',
    'GB',
    { ship_from: { country: 'DE' }, to: { country: 'CH' } },
    0,
  ],
  ['services of a British seller', 'GB', { to: NEW_YORK, products: ['saas'] }, 10_000],
  ['services of an Irish seller', 'IE', { to: NEW_YORK, products: ['saas'] }, 0],
  [
    'services that an Irish seller sells with goods from Great Britain',
    'IE',
    { ship_from: LONDON, to: NEW_YORK, products: ['physical_goods', 'saas'] },
    10_000,
  ],
])('the British return counts what left the territory: %s', async (_, country, sale, box_6) => {
  expect(await boxesAfter(country, sale)).toMatchObject({ '1': 0, '6': box_6 })
})

it('the return of the destination does not count an export into it as its own', async () => {
  const sale = { ship_from: LONDON, to: { country: 'FR' } }
  expect(await boxesAfter('DE', sale, 'eu_domestic&jurisdiction_id=FR')).toMatchObject({ E1: 0 })
})

it('services that are sold with exported goods are no exports of goods', async () => {
  const sale = { ship_from: { country: 'DE' }, to: NEW_YORK, products: ['physical_goods', 'saas'] }
  const boxes = await boxesAfter('DE', sale, 'eu_domestic&jurisdiction_id=DE')
  expect(boxes).toMatchObject({ '43': 10_000, '45': 10_001 })
})
