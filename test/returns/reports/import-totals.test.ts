import { exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readAvalara } from '../../../scripts/imports/avalara.ts'
import { PLAIN } from '../../../scripts/imports/rows.ts'
import type { ImportedSale, ImportOptions } from '../../../scripts/imports/sale.ts'
import { send } from '../../../scripts/imports/send.ts'
import { readStripe } from '../../../scripts/imports/stripe.ts'
import { readTaxJar } from '../../../scripts/imports/taxjar.ts'
import { type ControlTotal, controlTotals, totalsTable } from '../../../scripts/imports/totals.ts'
import { newAccount } from '../../support/account.ts'
import { AVALARA, STRIPE, TAXJAR } from '../../support/import-files.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
afterEach(() => vi.unstubAllGlobals())

const OPTIONS: ImportOptions = {
  currency: 'USD',
  product_type: null,
  map: new Map(),
  skip_bad_rows: false,
  format: PLAIN,
}
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
