import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>

const done = async (method: string, path: string, key: string, body?: object): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const boxesOf = (figures: Body) =>
  Object.fromEntries((figures['boxes'] as Body[]).map(({ box, amount }) => [box, amount]))

async function seller(country: string, registrations: readonly object[]) {
  const { key } = await newAccount()
  await done('PUT', '/v1/account', key, { country, time_zone: 'UTC' })
  for (const each of registrations)
    await done('POST', '/v1/registrations', key, { ...each, valid_from: '2020-01-01' })
  return key
}

const sale = (country: string, region: string, currency: string, transaction_date: string) => ({
  customer: { address: { country, region } },
  currency,
  transaction_date,
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
})

describe('the return of a province', () => {
  it.each([
    ['ca_qst', 'QC', 998],
    ['ca_bc_pst', 'BC', 700],
    ['ca_sk_pst', 'SK', 600],
    ['ca_mb_rst', 'MB', 700],
  ])('%s declares its own tax, and its obligation is filed', async (type, region, tax) => {
    const key = await seller('CA', [{ jurisdiction_id: 'CA' }, { jurisdiction_id: `CA-${region}` }])
    await created(key, sale('CA', region, 'CAD', '2026-02-01'))
    await created(key, sale('CA', 'ON', 'CAD', '2026-02-01'))
    const filed = await done('POST', '/v1/returns', key, { type, period: '2026-Q1' })
    const figures = filed['figures'] as Body
    expect(boxesOf(figures)).toMatchObject({ sales: 10_000, tax, late: 0 })
    expect(figures['totals']).toMatchObject({ tax_amount: tax, tax_due: tax })
    expect(filed['row_count']).toBe(1)
    const federal = await done('GET', '/v1/reports/filing?type=ca_gst34&period=2026-Q1', key)
    expect(boxesOf(federal)).toMatchObject({ 101: 20_000, 103: 500 + 1_300 })
    const registrations = await done('GET', '/v1/registrations', key)
    const own = (registrations['registrations'] as Body[]).find(
      (each) => each['jurisdiction_id'] === `CA-${region}`,
    )
    await done('PUT', `/v1/registrations/${String(own?.['id'])}`, key, { filing_frequency: 'quarterly' })
    const { obligations } = await done('GET', '/v1/obligations?from=2026-04-01&to=2026-04-30', key)
    expect(obligations).toMatchObject([
      { type, period: '2026-Q1', status: 'filed', so_far: [{ currency: 'CAD', tax_amount: tax }] },
    ])
    await created(key, sale('CA', region, 'CAD', '2026-03-01'))
    const next = await done('GET', `/v1/reports/filing?type=${type}&period=2026-Q2`, key)
    expect(next).toMatchObject({
      amendments: [{ period: '2026-Q1', tax_amount: tax }],
      totals: { tax_due: 0 },
    })
    expect(boxesOf(next)).toMatchObject({ sales: 0, tax: 0, late: 0 })
  })

  it('of Québec takes input tax refunds', async () => {
    const key = await seller('CA', [{ jurisdiction_id: 'CA' }, { jurisdiction_id: 'CA-QC' }])
    await created(key, sale('CA', 'QC', 'CAD', '2026-02-01'))
    const query = 'type=ca_qst&period=2026-Q1'
    expect(boxesOf(await done('GET', `/v1/reports/filing?${query}`, key))).toMatchObject({
      ITR: null,
      net: null,
    })
    expect(boxesOf(await done('GET', `/v1/reports/filing?${query}&boxes=ITR:98`, key))).toMatchObject({
      ITR: 98,
      net: 900,
    })
  })
})

it('declares sales to Alabama as simplified sellers use tax, and not twice', async () => {
  const key = await seller('US', [{ scheme: 'al_ssut' }, { jurisdiction_id: 'US-TX' }])
  const taxed = { amount: 10_000, product_type: 'physical_goods', tax_rate: 0.08, tax_amount: 800 }
  await created(key, { ...sale('US', 'AL', 'USD', '2026-02-01'), line_items: [taxed] })
  const filed = await done('POST', '/v1/returns', key, { type: 'al_ssut', period: '2026-02' })
  expect(boxesOf(filed['figures'] as Body)).toMatchObject({ sales: 10_000, taxable: 10_000, tax: 800 })
  const state = await done('GET', '/v1/reports/filing?type=us_state&period=2026-02', key)
  expect(state).toMatchObject({ supplies: [], nil_return: true })
  const { obligations } = await done('GET', '/v1/obligations?from=2026-03-20&to=2026-03-20', key)
  expect((obligations as Body[]).find(({ scheme }) => scheme === 'al_ssut')).toMatchObject({
    type: 'al_ssut',
    status: 'filed',
  })
})

it('counts the year of an activity statement from July to June', async () => {
  const key = await seller('AU', [{ jurisdiction_id: 'AU', filing_frequency: 'annual' }])
  expect(await done('GET', '/v1/reports/filing?type=au_bas&period=2026', key)).toMatchObject({
    from_date: '2025-07-01',
    to_date: '2026-06-30',
  })
  await done('POST', '/v1/returns', key, { type: 'au_bas', period: '2026' })
  expect(await done('GET', '/v1/obligations?from=2026-10-01&to=2026-10-31', key)).toMatchObject({
    obligations: [
      { from_date: '2025-07-01', to_date: '2026-06-30', due_date: '2026-10-31', status: 'filed' },
    ],
  })
})
