import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

type Line = { conditions?: object[]; rule: string; tax_rate: number; notes: string[] }

const linesOf = async (country: string, line: object, region?: string) => {
  const address = { country, ...(region !== undefined && { region }) }
  const { body } = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: country === 'US' ? 'USD' : 'GBP',
      seller_registered: true,
      seller: address,
      customer: { address, type: 'individual' },
      transaction_date: '2026-11-20',
      line_items: [{ amount: 30_000, ...line }],
    },
  })
  return (body as { line_items: Line[] }).line_items[0]
}

it('says what a kind within the product type would bear', async () => {
  const clothing = await linesOf('GB', { product_type: 'clothing' })
  expect(clothing).toMatchObject({
    tax_rate: 0.2,
    rule: 'uncertain',
    conditions: [{ fact: 'product_type', if: 'children_clothing', tax_rate: 0 }],
  })
  expect(clothing?.notes.join()).toContain('the tax on children’s clothing is 0 %. Send its own product type')
  for (const product_type of ['children_clothing', 'physical_goods'])
    expect((await linesOf('GB', { product_type }))?.conditions).toBeUndefined()
})

it('says what several items would bear, if the request has neither a quantity nor a unit price', async () => {
  const coat = { product_type: 'clothing' }
  expect(await linesOf('US', coat, 'MA')).toMatchObject({
    conditions: [{ fact: 'quantity', if: 'several items within the limit of $175.00 each', tax_rate: 0 }],
  })
  const said = [{ quantity: 1 }, { amount: undefined, unit_amount: 30_000 }]
  for (const each of said)
    expect((await linesOf('US', { ...coat, ...each }, 'MA'))?.conditions).toBeUndefined()
})

it('says on the rates page what a fact would change', async () => {
  const { body } = await call('GET', '/v1/rates?jurisdiction=GB&product_type=clothing&date=2026-11-20', {
    key,
  })
  expect(JSON.stringify(body)).toContain('the tax on children’s clothing is 0 %')
})

type Sold = Line & { product_type: string }

const saleIn = async (country: string, line_items: object[]) => {
  const { body } = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: country === 'GB' ? 'GBP' : 'EUR',
      seller_registered: true,
      seller: { country },
      customer: { address: { country }, type: 'individual' },
      transaction_date: '2026-11-20',
      line_items,
    },
  })
  return (body as { line_items: Sold[] }).line_items
}

it('says what is open about goods of their line, and not of what goes with them', async () => {
  const zero = { amount: 1000, product_type: 'medical_devices' }
  const [devices, shipping] = await saleIn('GB', [zero, { amount: 700, product_type: 'shipping' }])
  expect(devices?.conditions).toMatchObject([{ fact: 'use', tax_rate: 0.2 }])
  expect(shipping?.conditions).toBeUndefined()
  const meal = { amount: 1000, product_type: 'prepared_food' }
  const [food, deposit] = await saleIn('DE', [meal, { amount: 25, product_type: 'bottle_deposit' }])
  expect(food?.conditions).toEqual([{ fact: 'product_type', if: 'restaurant_drinks', tax_rate: 0.19 }])
  expect(deposit?.conditions).toBeUndefined()
})

it('says in notes alone what is open about a product of a bundle, whose rate is not that of the line', async () => {
  const bundle = [
    { product_type: 'prepared_food', share: 0.5 },
    { product_type: 'physical_goods', share: 0.5 },
  ]
  const [line] = await saleIn('DE', [{ amount: 1000, product_type: 'prepared_food', bundle }])
  expect(line?.conditions).toBeUndefined()
  expect(line?.rule).toBe('uncertain')
  expect(line?.notes.join()).toContain('the tax on restaurant drinks is 19 %')
})
