import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { loadTestData } from '../../support/service-data.ts'

keepAccountsIn(2)
await loadTestData()

type Profile = { country: string; region?: string; vat_id?: string }
type Registration = { jurisdiction_id?: string; scheme?: string; registration_number?: string }

async function sellerIn(profile: Profile, registrations: readonly Registration[] = []) {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: profile })
  for (const registration of registrations) {
    const body = { valid_from: '2020-01-01', ...registration }
    const { status, text } = await call('POST', '/v1/registrations', { key, body })
    expect(status, text).toBe(201)
  }
  return key
}

const saleTo = (address: object, product_type = 'physical_goods') => ({
  currency: 'EUR',
  customer: { address },
  line_items: [{ amount: 10_000, product_type }],
})

/** The number on the line, on its breakdown and on that of the sale, of a calculation and of a sale. */
async function numbersOf(key: string, sale: object) {
  const calculated = await call('POST', '/v1/calculate', { key, body: sale })
  expect(calculated.status, calculated.text).toBe(200)
  const recorded = await call('POST', '/v1/transactions', { key, body: sale })
  expect(recorded.status, recorded.text).toBe(201)
  const shown = await call('GET', `/v1/transactions/${String(recorded.body['id'])}`, { key })
  const [line, ofRecorded, ofShown] = [calculated, recorded, shown].map(({ body }) => lineOf(body))
  expect(ofRecorded).toEqual(line)
  expect(ofShown).toEqual(line)
  const breakdown = calculated.body['tax_breakdown'] as Numbered[]
  return { line: line?.line, taxes: line?.taxes, sale: breakdown.map(numberIn) }
}

type Numbered = Record<'registration_number' | 'scheme' | 'registration_printed', unknown>

function numberIn({ registration_number, scheme, registration_printed }: Numbered) {
  return { registration_number, scheme, registration_printed }
}

function lineOf(body: Record<string, unknown>) {
  const [line] = body['line_items'] as (Numbered & { tax_breakdown: Numbered[] })[]
  return line && { line: numberIn(line), taxes: line.tax_breakdown.map(numberIn) }
}

const GERMAN = { registration_number: 'DE136695976' }

it('names the number of the account at home, without `einvoice`', async () => {
  const key = await sellerIn({ country: 'DE', vat_id: 'DE136695976' })
  expect(await numbersOf(key, saleTo({ country: 'DE' }))).toEqual({
    line: GERMAN,
    taxes: [GERMAN],
    sale: [GERMAN],
  })
})

it('names the number of the state of identification beside the one-stop shop', async () => {
  const key = await sellerIn({ country: 'DE', vat_id: 'DE136695976' }, [{ scheme: 'oss_union' }])
  const number = { ...GERMAN, scheme: 'oss_union' }
  expect(await numbersOf(key, saleTo({ country: 'FR' }))).toEqual({
    line: number,
    taxes: [number],
    sale: [number],
  })
})

it('takes the number that is stored with the Union scheme for that of the home state', async () => {
  const registered = { scheme: 'oss_union', registration_number: 'DE136695976' }
  const key = await sellerIn({ country: 'DE' }, [registered])
  expect(await numbersOf(key, saleTo({ country: 'FR' }))).toMatchObject({
    line: { ...GERMAN, scheme: 'oss_union' },
  })
})

it('names the local number in the state of the customer, unless a scheme declares all of it', async () => {
  const seller = { country: 'DE', vat_id: 'DE136695976' }
  const local = { jurisdiction_id: 'FR', registration_number: 'FR40303265045' }
  const alone = await numbersOf(await sellerIn(seller, [local]), saleTo({ country: 'FR' }))
  expect(alone.line?.registration_number).toBe('FR40303265045')
  const key = await sellerIn(seller, [local, { scheme: 'oss_union' }])
  for (const country of ['FR', 'IT'])
    expect(await numbersOf(key, saleTo({ country }))).toMatchObject({
      line: { ...GERMAN, scheme: 'oss_union' },
    })
})

it('marks the number of the import scheme as one that no invoice may show, and leaves it out', async () => {
  const imported = { scheme: 'ioss', registration_number: 'IM3720000224' }
  const key = await sellerIn({ country: 'US', region: 'CA' }, [imported])
  const sale = { ...saleTo({ country: 'DE' }), ship_from: { country: 'US' } }
  const mark = { scheme: 'ioss', registration_printed: false }
  expect(
    await numbersOf(key, { ...sale, line_items: [{ amount: 5_000, product_type: 'physical_goods' }] }),
  ).toEqual({
    line: mark,
    taxes: [mark],
    sale: [mark],
  })
})

it('names the number of each tax in Québec, and none for a line that has two', async () => {
  const federal = { jurisdiction_id: 'CA', registration_number: '123456789 RT0001' }
  const provincial = { jurisdiction_id: 'CA-QC', registration_number: '1234567890 TQ0001' }
  const key = await sellerIn({ country: 'CA', region: 'QC' }, [federal, provincial])
  const sale = saleTo({ country: 'CA', region: 'QC', postal_code: 'H2Y 1C6' })
  const found = await numbersOf(key, { ...sale, currency: 'CAD' })
  expect(found.line).toEqual({})
  expect(found.taxes).toEqual([
    { registration_number: '123456789 RT0001' },
    { registration_number: '1234567890 TQ0001' },
  ])
})

it('names the permit of a state of the United States on the tax of the state alone', async () => {
  const permit = { jurisdiction_id: 'US-CA', registration_number: '102-345678' }
  const key = await sellerIn({ country: 'US', region: 'CA' }, [permit])
  const sale = { ...saleTo({ country: 'US', region: 'CA', postal_code: '94105' }), currency: 'USD' }
  const { line } = await numbersOf(key, sale)
  expect(line).toEqual({ registration_number: '102-345678' })
})

it('derives the number of Northern Ireland from the British one', async () => {
  const key = await sellerIn({ country: 'GB', vat_id: 'GB980780684' })
  const address = { country: 'GB', postal_code: 'BT1 1AA' }
  const sale = { ...saleTo(address), ship_from: address, currency: 'GBP' }
  const { line } = await numbersOf(key, sale)
  expect(line).toEqual({ registration_number: 'XI980780684' })
  const view = await call('POST', '/v1/calculate', { key, body: { ...sale, einvoice: {} } })
  expect(view.body['einvoice'], view.text).toMatchObject({
    seller_registrations: [{ jurisdiction_id: 'XI', registration_number: 'XI980780684', term: 'BT-31' }],
    warnings: [],
  })
})

it('names none that is not stored, of another day, of another seller, or where no tax is charged', async () => {
  const past = { jurisdiction_id: 'FR', registration_number: 'FR40303265045', valid_to: '2021-01-01' }
  const key = await sellerIn({ country: 'DE', vat_id: 'DE136695976' }, [past, { jurisdiction_id: 'FR' }])
  const nothing = { line: {}, taxes: [{}], sale: [{}] }
  expect(await numbersOf(key, saleTo({ country: 'FR' }))).toEqual(nothing)
  const other = { ...saleTo({ country: 'DE' }), seller: { country: 'DE', registrations: ['DE'] } }
  expect(await numbersOf(key, other)).toEqual(nothing)
  expect(await numbersOf(key, saleTo({ country: 'CH' }))).toEqual({ line: {}, taxes: [], sale: [] })
  const without = await sellerIn({ country: 'DE' })
  expect(await numbersOf(without, saleTo({ country: 'DE' }))).toEqual(nothing)
})

it('names none on a tax of the sale that is charged under two numbers', async () => {
  const schemes = [
    { scheme: 'oss_non_union', registration_number: 'EU372000063' },
    { scheme: 'ioss', registration_number: 'IM3720000224' },
  ]
  const key = await sellerIn({ country: 'US', region: 'CA' }, schemes)
  const found = await call('POST', '/v1/calculate', {
    key,
    body: {
      ...saleTo({ country: 'DE' }),
      ship_from: { country: 'US' },
      line_items: [
        { amount: 5_000, product_type: 'physical_goods' },
        { amount: 5_000, product_type: 'saas' },
      ],
    },
  })
  expect(found.body, found.text).toMatchObject({
    line_items: [
      { scheme: 'ioss', registration_printed: false },
      { scheme: 'oss_non_union', registration_number: 'EU372000063' },
    ],
    tax_breakdown: [{ jurisdiction_id: 'DE', tax_amount: 1_900 }],
  })
  expect((found.body['tax_breakdown'] as Numbered[]).map(numberIn)).toEqual([{}])
})

it('answers a batch, with shipping, as it answers a calculation', async () => {
  const key = await sellerIn({ country: 'DE', vat_id: 'DE136695976' })
  const sale = { ...saleTo({ country: 'DE' }), shipping_cost: { amount: 500 } }
  const { body } = await call('POST', '/v1/calculate/batch', { key, body: { calculations: [sale] } })
  expect(body['results']).toMatchObject([
    { data: { line_items: [GERMAN], shipping_cost: GERMAN, tax_breakdown: [GERMAN] } },
  ])
})
