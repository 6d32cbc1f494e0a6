import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

async function notesOf(more: object): Promise<string[]> {
  const line_items = [{ amount: 10_000, product_type: 'physical_goods' }]
  const seller = { country: 'DE', registrations: ['DE', 'oss_union'] }
  const customer = { address: { country: 'DE' } }
  const body = { currency: 'EUR', seller, customer, line_items, ...more }
  const { status, body: answer, text } = await call('POST', '/v1/calculate', { key, body })
  expect(status, text).toBe(200)
  return (answer['notes'] as string[]).filter((note) => note.includes('was not understood'))
}
const soldTo = (address: object) => notesOf({ customer: { address } })

it.each([
  { country: 'DE' },
  { country: 'DE', region: null },
  { country: 'DE', region: 'BY' },
  { country: 'DE', region: 'DE-BE' },
  { country: 'FR', region: 'Île-de-France' },
  { country: 'FR', region: 'RE' },
  { country: 'PT', region: 'Açores' },
  { country: 'GB', region: 'Surrey' },
  { country: 'BR', region: 'SP' },
  { country: 'US', region: 'CA' },
])('no note names a region that is understood: %o', async (address) => {
  expect(await soldTo(address)).toEqual([])
})

it.each([
  ['ES', 'T.F.', 'TF'],
  ['FI', '0-1', '01'],
])('signs in the code of a territory do not matter: %s %s', async (country, region, code) => {
  const taxOf = async (of: string) => {
    const body = {
      currency: 'EUR',
      seller: { country },
      customer: { address: { country, region: of } },
      line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
    }
    return (await call('POST', '/v1/calculate', { key, body })).body['tax_amount']
  }
  expect([await taxOf(region), await taxOf(code)]).toEqual([0, 0])
})

it.each([
  ['FR', 'Reunoin'],
  ['ES', 'Kanaren Ost'],
  ['NL', 'XX'],
  ['AU', 'Somewhere'],
  ['BR', 'Atlantis'],
  // A territory in a spelling that the tax data does not know is taxed as the mainland.
  ['ES', 'S/C Tenerife'],
  ['GB', 'GBNIR'],
])('a note names a region that is not understood: %s %s', async (country, region) => {
  expect(await soldTo({ country, region })).toEqual([
    `region "${region}" of customer was not understood, so it was not used: ` +
      `GET /v1/addresses/regions/${country} lists the regions`,
  ])
})

it('a note names a region that its postal code contradicts', async () => {
  const address = { country: 'FR', region: 'La Réunion', postal_code: '54450' }
  const { body } = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: 'EUR',
      seller: { country: 'DE', registrations: ['DE', 'oss_union'] },
      customer: { address },
      line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
    },
  })
  expect(body).toMatchObject({
    tax_amount: 2_000,
    notes: expect.arrayContaining([
      'region "La Réunion" of customer does not have postal code "54450", so the postal code was used',
    ]),
  })
})

it('tells it of each address of a sale', async () => {
  const place = { country: 'FR', region: 'Nowhere' }
  const notes = await notesOf({ seller: { ...place, registrations: ['FR'] }, ship_from: place })
  expect(notes.map((note) => note.split(' of ')[1]?.split(' ')[0])).toEqual(['seller', 'ship_from'])
  const { body } = await call('GET', '/v1/addresses/regions/FR', { key })
  expect(JSON.stringify(body)).not.toContain('Nowhere')
})

it.each([
  ['XK', null, 0],
  ['IC', null, 0],
  ['FR', 'RE', 0],
  ['PT', 'Açores', 1_600],
  ['FI', 'Åland', 0],
  ['GB', 'BFS', 2_000],
])('the tax of %s %s is that of the place', async (country, region, tax_amount) => {
  const body = {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['DE', 'oss_union'] },
    customer: { address: { country, region } },
    line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  }
  const { body: answer } = await call('POST', '/v1/calculate', { key, body })
  expect(answer).toMatchObject({ tax_amount })
})
