import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const decide = (body: object) => call('POST', '/v1/decision/collect', { key, body })

const IMPORT = {
  jurisdiction_id: 'FR',
  seller: { country: 'US', region: 'NY', registrations: ['FR'] },
  product_type: 'physical_goods',
  amount: 50_000,
  currency: 'EUR',
}

it('a decision asks who imports the goods', async () => {
  const border = await decide(IMPORT)
  expect(border.body, border.text).toMatchObject({ collect: false, reason: 'not_subject_to_tax' })
  const own = await decide({ ...IMPORT, importer: 'seller' })
  expect(own.body, own.text).toMatchObject({ collect: true, reason: 'registered' })
  const unregistered = { country: 'US', region: 'NY', registrations: [] }
  const due = await decide({ ...IMPORT, importer: 'seller', seller: unregistered })
  expect(due.body, due.text).toMatchObject({ collect: false, must_register: true })
})

it('a decision asks where a supply takes place', async () => {
  const ticket = {
    seller: { country: 'DE', registrations: ['DE', 'ES'] },
    customer: { address: { country: 'FR' } },
    product_type: 'cultural_event',
    supply_address: { country: 'ES' },
  }
  const { body, text } = await decide(ticket)
  expect(body, text).toMatchObject({ jurisdiction_id: 'ES', collect: true, reason: 'registered' })
  const elsewhere = await decide({ ...ticket, jurisdiction_id: 'FR' })
  expect(elsewhere.body, elsewhere.text).toMatchObject({ collect: false, reason: 'not_subject_to_tax' })
})

it('a fact that decided nothing is told', async () => {
  const { body } = await decide({ ...IMPORT, importer: 'seller', supply_address: { country: 'FR' } })
  expect(JSON.stringify(body['notes'])).toContain('supply_address was not used')
  const services = { ...IMPORT, product_type: 'saas', importer: 'seller' }
  expect(JSON.stringify((await decide(services)).body['notes'])).toContain('importer was not used')
})

it('a recorded sale keeps who imported and where the supply took place', async () => {
  const body = {
    currency: 'EUR',
    seller: { country: 'US', registrations: ['FR'] },
    customer: { address: { country: 'FR' } },
    importer: 'seller',
    supply_address: { country: 'FR', postal_code: '75001' },
    line_items: [{ amount: 50_000, product_type: 'physical_goods' }],
  }
  const kept = { importer: 'seller', supply_address: { country: 'FR', region: null, postal_code: '75001' } }
  const { body: sale, text } = await call('POST', '/v1/transactions', { key, body })
  expect(sale, text).toMatchObject(kept)
  const read = await call('GET', `/v1/transactions/${String(sale['id'])}`, { key })
  expect(read.body, read.text).toMatchObject(kept)
})

it('a comparison names the importer as the likely reason', async () => {
  const { jurisdiction_id: _, amount, product_type, ...rest } = IMPORT
  const sale = {
    ...rest,
    customer: { address: { country: 'FR' } },
    line_items: [{ amount, product_type }],
    compare: { provider: 'other', tax_amount: 10_000 },
  }
  const { body, text } = await call('POST', '/v1/calculate', { key, body: sale })
  expect(body, text).toMatchObject({
    comparison: { reason: 'place_of_supply', detail: 'The figures agree if the seller imports the goods' },
  })
})
