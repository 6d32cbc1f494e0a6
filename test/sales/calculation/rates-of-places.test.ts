import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { partOfState } from '../../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../../src/tax-data/records/write-local-parts.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { newAccount } from '../../support/account.ts'
import { LAW, placeOf } from '../../support/local-data.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

const STATES = ['AK', 'AZ', 'CO', 'LA', 'TX']
await writeLocalParts(
  env,
  STATES.map((state) =>
    partOfState(state, { law: LAW, jurisdictions: [placeOf(state, '1', 'Anywhere', 30_000)], read_at: null }),
  ),
  new Date('2026-09-02T00:00:00.000Z'),
)
forgetAll()

const DAY = '2026-06-15'

async function notesOfRates(place: string, product_type: string): Promise<string> {
  const { body } = await call('GET', `/v1/rates?${place}&product_type=${product_type}&date=${DAY}`, { key })
  return (body as { notes: string[] }).notes.join('\n')
}

async function notesOfSale(region: string, postal_code: string, product_type: string): Promise<string> {
  const body = {
    currency: 'USD',
    transaction_date: DAY,
    seller: { country: 'US', region: 'DE' },
    seller_registered: true,
    customer: { address: { country: 'US', region, postal_code } },
    line_items: [{ amount: 10_000, product_type }],
  }
  const answer = await call('POST', '/v1/calculate', { key, body })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { line_items: { notes: string[] }[] }).line_items
    .flatMap(({ notes }) => notes)
    .join()
}

describe('the rate of a product that only the state exempts', () => {
  it.each([
    ['AZ', '85001', 'Arizona', 'candy'],
    ['CO', '80301', 'Colorado', 'sanitary_products'],
    ['LA', '70801', 'Louisiana', 'soft_drinks'],
  ])(
    '%s %s: is told with the doubt about its places, as in a calculation',
    async (state, zip, name, type) => {
      const doubt = `in ${name} are not in the data and not in the answer`
      expect(await notesOfSale(state, zip, type)).toContain(doubt)
      expect(await notesOfRates(`jurisdiction=US-${state}`, type)).toContain(doubt)
      expect(await notesOfRates(`country=US&postal_code=${zip}`, type)).toContain(doubt)
    },
  )

  it.each([
    ['US-TX', 'prescription_drugs'],
    ['US-CO', 'physical_goods'],
    ['DE', 'education'],
  ])('%s %s: has no such note where nothing is in doubt', async (place, type) => {
    expect(await notesOfRates(`jurisdiction=${place}`, type)).not.toMatch(/local taxes/i)
  })

  it('names the local data that a note rests on', async () => {
    const { body } = await call('GET', '/v1/rates?jurisdiction=US-CO&product_type=candy', { key })
    expect((body as { meta: { data_version: string } }).meta.data_version).toContain('20260902T000000000Z')
  })
})

it('the levies on lodging of a Canadian province are told with its rate', async () => {
  const said = await notesOfRates('jurisdiction=CA-BC', 'accommodation')
  expect(said).toMatch(/local taxes on .* are not in the data/i)
})
