import { exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readAvalara } from '../../scripts/imports/avalara.ts'
import { PLAIN } from '../../scripts/imports/rows.ts'
import type { ImportedSale, ImportOptions } from '../../scripts/imports/sale.ts'
import { send } from '../../scripts/imports/send.ts'
import { readStripe } from '../../scripts/imports/stripe.ts'
import { readTaxJar } from '../../scripts/imports/taxjar.ts'
import { type ControlTotal, controlTotals, totalsTable } from '../../scripts/imports/totals.ts'
import { newAccount } from '../support/account.ts'
import { call, newAddress } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()
afterEach(() => vi.unstubAllGlobals())

const OPTIONS: ImportOptions = {
  currency: 'USD',
  product_type: null,
  map: new Map(),
  skip_bad_rows: false,
  format: PLAIN,
}
const csv = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

/** Euros and yen, a line with two taxes, and a refund in the next month. */
const STRIPE = csv(
  'id,type,currency,transaction_date,tax_date,line_item_id,tax_code,subtotal,tax_amount,' +
    'destination_resolved_address_country,destination_resolved_address_state,customer_tax_id',
  'in_1,invoice,eur,2026-03-31,2026-03-31,li_1,txcd_10103001,100.00,19.00,DE,,',
  'in_2,invoice,eur,2026-04-01,2026-04-01,li_1,txcd_10103001,33.33,6.67,FR,,',
  'in_3,invoice,jpy,2026-04-02,2026-04-02,li_1,txcd_10103001,5000,500,JP,,',
  'in_4,invoice,usd,2026-04-03,2026-04-03,li_1,txcd_99999999,10.00,0.65,US,WA,',
  'in_4,invoice,usd,2026-04-03,2026-04-03,li_1,txcd_99999999,10.00,0.38,US,WA,',
  're_1,refund,eur,2026-05-02,2026-03-31,li_1,txcd_10103001,40.00,7.60,DE,,',
)

/** Quantities, discounts, the tax of shipping, and a refund that names its order. */
const TAXJAR = csv(
  'provider,transaction_id,transaction_type,transaction_reference_id,transaction_date,to_country,to_zip,' +
    'to_state,to_city,from_country,from_state,from_zip,total_shipping,total_sales_tax,' +
    'item_product_identifier,item_description,item_quantity,item_unit_price,item_discount,item_sales_tax,' +
    'item_product_tax_code',
  'api,7,Order,,2026-04-01,US,90002,CA,Los Angeles,US,CA,94025,10.00,3.10,a,A shirt,3,5.555,1.00,1.50,20010',
  'api,7,Order,,2026-04-01,US,90002,CA,Los Angeles,US,CA,94025,10.00,3.10,b,A book,1,9.99,,0.95,81100',
  'api,8,Refund,7,2026-05-09,US,90002,CA,,US,CA,94025,0,-0.95,b,A book,1,-9.99,,-0.95,81100',
)

/** Prices with tax inside, a return, and rows that are no sale. */
const AVALARA = csv(
  'ProcessCode,DocCode,DocType,DocDate,LineNo,TaxCode,TaxDate,Description,Qty,Amount,Discount,DestCity,' +
    'DestRegion,DestPostalCode,DestCountry,CurrencyCode,TaxIncluded,TotalTax,StateTax,CityTax,ReferenceCode',
  '1,INV-1,1,2026-03-31,1,P0000000,,A chair,2,200.00,,Seattle,WA,98101,US,USD,FALSE,20.70,,,',
  '1,INV-2,1,2026-04-30,1,P0000000,,A lamp,1,121.00,,Dublin,,,NL,EUR,TRUE,21.00,,,',
  '1,RET-1,5,2026-05-31,1,P0000000,2026-03-31,A chair,1,-100.00,,Seattle,WA,98101,US,USD,FALSE,-10.35,,,INV-1',
  '0,INV-9,1,2026-04-05,1,P0000000,,,1,77.00,,,WA,98101,US,USD,,7.00,,,',
)

const FILES: readonly (readonly [string, readonly ImportedSale[]])[] = [
  ['stripe', readStripe(STRIPE, OPTIONS).sales],
  ['taxjar', readTaxJar(TAXJAR, OPTIONS).sales],
  ['avalara', readAvalara(AVALARA, OPTIONS).sales],
]

/** The command runs until nothing is refused: a credit note needs its sale on file. */
async function record(key: string, sales: readonly ImportedSale[]): Promise<void> {
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => {
    const headers = new Headers(init.headers)
    headers.set('CF-Connecting-IP', newAddress())
    return exports.default.fetch(url, { ...init, headers })
  })
  const service = { url: 'https://service.test', key }
  await send(sales, service)
  const again = await send(sales, service)
  expect(again.refused).toEqual([])
}

type Month = { month: string; currency: string; transactions: number; gross_sales: number; net_tax: number }

/** The report of the same months, in the shape of control totals. */
async function reported(key: string): Promise<ControlTotal[]> {
  const path = '/v1/reports/summary?from_date=2026-01-01&to_date=2026-12-31&group_by=month'
  const { status, body, text } = await call('GET', path, { key })
  expect(status, text).toBe(200)
  return (body['rows'] as Month[])
    .map(({ month, currency, transactions, gross_sales, net_tax }) => ({
      currency,
      month,
      documents: transactions,
      net: gross_sales,
      tax: net_tax,
    }))
    .toSorted((a, b) => (`${a.month} ${a.currency}` < `${b.month} ${b.currency}` ? -1 : 1))
}

describe('the control totals of an import', () => {
  it.each(FILES)('of %s are those of the reports afterwards', async (_, sales) => {
    const { key } = await newAccount()
    await record(key, sales)
    expect(await reported(key)).toEqual(controlTotals(sales, 'UTC'))
  })

  it('of three files in one account are those of the reports afterwards', async () => {
    const { key } = await newAccount()
    for (const [, sales] of FILES) await record(key, sales)
    const totals = controlTotals(
      FILES.flatMap(([, sales]) => sales),
      'UTC',
    )
    expect(await reported(key)).toEqual(totals)
    expect(totalsTable(totals)).toBe(
      [
        'month    currency  documents      net     tax',
        '2026-03  EUR               1   100.00   19.00',
        '2026-03  USD               1   200.00   20.70',
        '2026-04  EUR               2   133.33   27.67',
        '2026-04  JPY               1     5000     500',
        '2026-04  USD               2    45.66    4.13',
        '2026-05  EUR               1   -40.00   -7.60',
        '2026-05  USD               2  -109.99  -11.30',
      ].join('\n'),
    )
  })
})
