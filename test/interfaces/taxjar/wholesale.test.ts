import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readTaxJar } from '../../../scripts/imports/taxjar.ts'
import { PLAIN } from '../../../scripts/imports/rows.ts'
import { writeKansas } from '../../support/local-data.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()
await writeKansas()

const DAY = '2026-09-07'
const MONTH = '2026-09'

const newSeller = () =>
  newShop({
    profile: { country: 'US', region: 'DE', postal_code: '19801', time_zone: 'UTC' },
    registrations: ['US-KS'],
  })

type Shop = Awaited<ReturnType<typeof newSeller>>

async function send({ key }: Shop, path: string, body: object): Promise<void> {
  const said = await ask('POST', `/v2/${path}`, { key, body })
  expect(said.status, said.text).toBe(201)
}

/** An order to Kansas of 100.00 of goods and 10.00 of shipping, without tax. */
const order = (id: string, more: object = {}) => ({
  transaction_id: id,
  transaction_date: DAY,
  to_country: 'US',
  to_state: 'KS',
  to_zip: '66604',
  amount: 110,
  shipping: 10,
  sales_tax: 0,
  line_items: [{ id: 1, quantity: 2, product_identifier: 'A', unit_price: 50, sales_tax: 0 }],
  ...more,
})

/** The only figure of the state in the return of the month, filed. */
async function fileReturn({ owner: key }: Shop): Promise<{ id: string; figure: unknown }> {
  const body = { type: 'us_state', period: MONTH, jurisdiction_id: 'US-KS' }
  const filed = await call('POST', '/v1/returns', { key, body })
  expect(filed.status, filed.text).toBe(201)
  const { supplies } = filed.body['figures'] as { supplies: unknown[] }
  expect(supplies).toHaveLength(1)
  return { id: String(filed.body['id']), figure: supplies[0] }
}

const NONE = { resale: 0, government: 0, nonprofit: 0, food: 0, export: 0, marketplace: 0, other: 0 }

describe('wholesale in the form of TaxJar', () => {
  it('is deducted as sales for resale in a filed return, whichever way it came', async () => {
    const shop = await newSeller()
    await send(shop, 'transactions/orders', order('stated', { exemption_type: 'wholesale' }))
    const customer = {
      customer_id: 'dealer',
      exemption_type: 'wholesale',
      name: 'A Dealer',
      exempt_regions: [{ country: 'US', state: 'KS' }],
    }
    await send(shop, 'customers', customer)
    await send(shop, 'transactions/orders', order('of-dealer', { customer_id: 'dealer' }))
    await send(shop, 'transactions/refunds', {
      ...order('back', { exemption_type: 'wholesale', amount: -50, shipping: 0 }),
      transaction_reference_id: 'stated',
      line_items: [{ id: 1, quantity: 1, product_identifier: 'A', unit_price: -50, sales_tax: 0 }],
    })
    const { sales } = readTaxJar(
      [
        'order_id,completed_at,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,' +
          'exemption_type',
        `file,${DAY},KS,66604,US,10.00,110.00,0,wholesale`,
      ].join('\r\n'),
      { currency: 'USD', product_type: null, map: new Map(), skip_bad_rows: false, format: PLAIN },
    )
    const imported = await call('POST', '/v1/transactions/batch', {
      key: shop.owner,
      body: { transactions: sales },
    })
    expect(imported.body['results'], imported.text).toMatchObject([{ success: true }])
    await send(shop, 'transactions/orders', order('office', { exemption_type: 'government' }))

    const filed = await fileReturn(shop)
    expect(filed.figure).toMatchObject({
      gross_sales: 39_000,
      taxable_amount: 0,
      tax_amount: 0,
      exempt_by_reason: { ...NONE, resale: 28_000, government: 11_000 },
    })
    const asked = 'format=sst_ser_xml&tin=123456789&sst_id=S12345678&transmission=26244000001'
    const path = `/v1/returns/${filed.id}/file?${asked}&sold_from=out_of_state`
    const file = await exports.default.fetch(`https://service.test${path}`, {
      headers: { Authorization: `Bearer ${shop.owner}`, 'CF-Connecting-IP': newAddress() },
    })
    const xml = await file.text()
    expect(file.status, xml).toBe(200)
    expect(xml.replaceAll(/>\s+</g, '><')).toContain(
      '<ExemptionType>Resale</ExemptionType><ExemptionAmount>280.00</ExemptionAmount>',
    )
  })
})
