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
