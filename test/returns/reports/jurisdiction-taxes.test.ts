import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { newAccount } from '../../support/account.ts'
import { writeKansas, writeRemoteSellerRates } from '../../support/local-data.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()
await writeKansas()
await writeRemoteSellerRates()

type Body = Record<string, unknown>
type Tax = {
  jurisdiction_id: string
  state: string
  level: string
  name: string
  code: string | null
  rate: number | null
  currency: string
  taxable_amount: number
  tax_amount: number
  transactions_url: string
}
type Line = { transaction_id: string; figure_amount: number; tax_amount: number }

async function seller(time_zone = 'UTC') {
  const account = await newAccount()
  const { key } = account
  const profile = { country: 'US', region: 'DE', time_zone }
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  const body = { jurisdiction_id: 'US-KS', valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  return account
}

const sale = (postal_code: string, amount: number, more: object = {}) => ({
  currency: 'USD',
  customer: { address: { country: 'US', region: 'KS', postal_code } },
  transaction_date: '2026-08-10',
  line_items: [{ amount, product_type: 'physical_goods' }],
  ...more,
})
const TOPEKA = '66604'
const COUNTY = '66409'

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const QUARTER = '/v1/reports/filing?type=us_state&period=2026-Q3&jurisdiction_id=US-KS'
const taxesOf = (body: Body) => body['jurisdiction_taxes'] as Tax[]
const amounts = (body: Body) =>
  taxesOf(body).map(({ jurisdiction_id, level, taxable_amount, tax_amount }) => [
    jurisdiction_id,
    level,
    taxable_amount,
    tax_amount,
  ])
const refund = (key: string, id: string, body: object): Promise<Answer> =>
  call('POST', `/v1/transactions/${id}/refund`, {
    key,
    body: { reason: 'returned', refunded_at: '2026-09-01', ...body },
  })

async function linesOf(key: string, url: string): Promise<Line[]> {
  const lines: Line[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await get(key, `${url}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    lines.push(...(page['lines'] as Line[]))
    cursor = page['next_cursor'] as string | null
  }
  return lines
}

/** Each tax is the sum of its lines, and the taxes of the state are its tax. */
async function expectSums(key: string, filed: Body): Promise<void> {
  for (const { transactions_url, tax_amount } of taxesOf(filed)) {
    const lines = await linesOf(key, transactions_url)
    expect(lines.length).toBeGreaterThan(0)
    expect([transactions_url, lines.reduce((sum, line) => sum + line.figure_amount, 0)]).toEqual([
      transactions_url,
      tax_amount,
    ])
  }
  const { tax_due } = filed['totals'] as { tax_due: number }
  expect(taxesOf(filed).reduce((sum, { tax_amount }) => sum + tax_amount, 0)).toBe(tax_due)
}

describe('the return of a state lists the tax of each jurisdiction', () => {
  it('with its name, code and rate, and the lines of each', async () => {
    const { key } = await seller()
    await created(key, sale(TOPEKA, 10_000))
    await created(key, sale(COUNTY, 20_000))
    await created(key, sale(TOPEKA, 5_000, { transaction_date: '2026-10-01' }))
    const filed = await get(key, QUARTER)
    expect(taxesOf(filed)).toMatchObject([
      { jurisdiction_id: 'US-KS', level: 'state', name: 'Kansas', rate: 0.065, tax_amount: 1_950 },
      {
        jurisdiction_id: 'US-KS-177',
        state: 'US-KS',
        level: 'county',
        name: 'Shawnee County',
        code: '177',
        rate: 0.0135,
        taxable_amount: 30_000,
        tax_amount: 405,
      },
      { jurisdiction_id: 'US-KS-71000', level: 'city', name: 'Topeka', code: '71000', tax_amount: 150 },
    ])
    await expectSums(key, filed)
    const [, , topeka] = taxesOf(filed)
    expect(await linesOf(key, String(topeka?.transactions_url))).toMatchObject([
      { figure_amount: 150, tax_amount: 935 },
    ])
  })

  it('after refunds in parts, which give back all of each tax', async () => {
    const { key, account_id } = await seller()
    const id = await created(
      key,
      sale(TOPEKA, 3_333, {
        line_items: [
          { amount: 3_333, product_type: 'physical_goods' },
          { amount: 777, product_type: 'books' },
        ],
      }),
    )
    for (const amount of [1_000, 7, 1_499]) {
      expect((await refund(key, id, { amount })).status).toBe(200)
      await expectSums(key, await get(key, QUARTER))
    }
    const rest = ((await get(key, `/v1/transactions/${id}`))['total'] as number) - 2_506
    expect((await refund(key, id, { amount: rest })).status).toBe(200)
    expect(taxesOf(await get(key, QUARTER))).toEqual([])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('without pending and voided sales, and with credit notes', async () => {
    const { key } = await seller()
    await created(key, sale(TOPEKA, 10_000, { status: 'pending' }))
    const id = await created(key, sale(TOPEKA, 10_000, { status: 'pending' }))
    await created(key, sale(COUNTY, 10_000))
    await created(key, sale(COUNTY, -2_000))
    expect((await call('POST', `/v1/transactions/${id}/void`, { key })).status).toBe(200)
    const filed = await get(key, QUARTER)
    expect(amounts(filed)).toEqual([
      ['US-KS', 'state', 8_000, 520],
      ['US-KS-177', 'county', 8_000, 108],
    ])
    await expectSums(key, filed)
  })

  it('and apart the tax that was given with a sale and differs from the calculated one', async () => {
    const { key } = await seller()
    const given = { amount: 10_000, product_type: 'physical_goods', tax_amount: 900 }
    const id = await created(key, sale(TOPEKA, 10_000, { line_items: [given] }))
    await created(key, sale(COUNTY, 10_000))
    expect((await refund(key, id, { amount: 1_090 })).status).toBe(200)
    const filed = await get(key, QUARTER)
    expect(amounts(filed)).toEqual([
      ['US-KS', 'state', 10_000, 650],
      ['US-KS-177', 'county', 10_000, 135],
      ['US-KS', 'not_split', 9_000, 810],
    ])
    expect(String(filed['notes'])).toContain('is not split by jurisdiction')
    await expectSums(key, filed)
  })

  it('by the local day of the account', async () => {
    const { key } = await seller('America/Chicago')
    await created(key, sale(COUNTY, 10_000, { transaction_date: '2026-07-01T04:59:59Z' }))
    await created(key, sale(COUNTY, 20_000, { transaction_date: '2026-07-01T05:00:00Z' }))
    expect(amounts(await get(key, QUARTER))).toEqual([
      ['US-KS', 'state', 20_000, 1_300],
      ['US-KS-177', 'county', 20_000, 270],
    ])
  })

  it('adds up on a mix of sales and refunds', async () => {
    const { key } = await seller()
    let dice = 11
    const roll = (most: number) => (dice = (dice * 16_807) % 2_147_483_647) % most
    for (let index = 0; index < 16; index += 1) {
      const id = await created(
        key,
        sale(roll(2) === 0 ? TOPEKA : COUNTY, 0, {
          line_items: ['physical_goods', 'groceries', 'books', 'shipping']
            .slice(0, 1 + roll(4))
            .map((product_type) => ({ amount: 1_000 + roll(9_000), product_type })),
        }),
      )
      if (index % 2 === 0) await refund(key, id, { amount: 1 + roll(900) })
    }
    await expectSums(key, await get(key, QUARTER))
  })

  it('apart for one rate of sellers from elsewhere', async () => {
    const { key } = await seller()
    for (const body of [{ jurisdiction_id: 'US-TX' }, { scheme: 'tx_single_local' }, { scheme: 'al_ssut' }])
      expect(
        (await call('POST', '/v1/registrations', { key, body: { ...body, valid_from: '2026-01-01' } }))
          .status,
      ).toBe(201)
    const to = (region: string) => ({ customer: { address: { country: 'US', region } } })
    const id = await created(key, sale('', 10_000, to('TX')))
    await created(key, sale('', 10_000, to('AL')))
    await refund(key, id, { amount: 108 })
    const filed = await get(key, QUARTER.replace('&jurisdiction_id=US-KS', ''))
    expect(taxesOf(filed)).toMatchObject([
      { jurisdiction_id: 'US-TX', level: 'state', tax_amount: 619 },
      { jurisdiction_id: 'US-TX-SINGLE', level: 'flat', name: 'one rate', rate: 0.0175, tax_amount: 173 },
    ])
    await expectSums(key, filed)
    const ssut = await get(key, '/v1/reports/filing?type=al_ssut&period=2026-Q3')
    expect(ssut['totals']).toMatchObject({ taxable_amount: 10_000, tax_due: 800 })
  })

  it('in the CSV file', async () => {
    const { key } = await seller()
    await created(key, sale(TOPEKA, 10_000))
    const url = 'https://service.test/v1/reports/export?report=filing&type=us_state&period=2026-Q3'
    const response = await exports.default.fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    const text = await response.text()
    const [head = '', ...rows] = text.trim().split('\r\n')
    expect(head).toContain(',level,code,levied_as,office_code,')
    expect(rows.filter((row) => row.startsWith('jurisdiction,'))).toHaveLength(3)
    expect(text).toContain('Topeka,US-KS-71000,,0.015,,2026-Q3,USD,,,,10000,150,,,city,71000,')
  })
})

describe('a filed return of a state', () => {
  it('keeps the taxes, and late entries amend it: the next one has none of them', async () => {
    const { key, account_id } = await seller()
    const id = await created(key, sale(TOPEKA, 10_000))
    await created(key, sale(COUNTY, 20_000))
    await refund(key, id, { amount: 109 })
    const open = await get(key, QUARTER)
    const body = { type: 'us_state', period: '2026-Q3', jurisdiction_id: 'US-KS' }
    const { status, body: filed } = await call('POST', '/v1/returns', { key, body })
    expect(status).toBe(201)
    const figures = filed['figures'] as Body
    expect(amounts(figures)).toEqual(amounts(open))
    await expectSums(key, figures)
    await created(key, sale(TOPEKA, 1_000))
    await refund(key, id, { amount: 100, refunded_at: '2026-09-02' })
    expect(amounts(await get(key, QUARTER))).toEqual(amounts(open))
    const next = await get(key, QUARTER.replace('Q3', 'Q4'))
    expect(amounts(next)).toEqual([])
    expect(next).toMatchObject({
      amendments: [{ jurisdiction_id: 'US-KS', period: '2026-Q3', taxable_amount: 909, tax_amount: 85 }],
      totals: { tax_due: 0 },
    })
    expect(await verifyReturns(books, account_id)).toEqual([])
  })
})
