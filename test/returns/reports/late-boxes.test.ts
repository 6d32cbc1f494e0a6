import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { writeKansas } from '../../support/local-data.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>
type Place = { country: string; region?: string; postal_code?: string }

/** A form, where it is filed, and the boxes that add up to its tax. `over`: above the limit, in major units. */
type Case = {
  type: string
  jurisdiction_id?: string
  place: Place
  currency: string
  rate: number
  tax: readonly string[]
  over: number | null
  notice: string
}

const BOXES: readonly Case[] = [
  of('uk_vat100', { country: 'GB', postal_code: 'SW1A 1AA' }, 'GBP', 0.2, ['1'], 60_000, 'VAT652'),
  of('eu_domestic', { country: 'IE' }, 'EUR', 0.23, ['T1'], 30_000, 'amended VAT3'),
  of('eu_domestic', { country: 'NL' }, 'EUR', 0.21, ['1a-tax'], 5_000, 'suppletie'),
  of('eu_domestic', { country: 'FR' }, 'EUR', 0.2, ['08-tax'], 25_000, 'rectificative'),
  of('au_bas', { country: 'AU' }, 'AUD', 0.1, ['1A'], 130_000, 'revised activity statement'),
  of('nz_gst101a', { country: 'NZ' }, 'NZD', 0.15, ['8'], 10_000, 's. 113'),
  of('generic', { country: 'SG' }, 'SGD', 0.09, ['6'], 40_000, 'GST F7'),
  of('generic', { country: 'SA' }, 'SAR', 0.15, ['1 VAT'], 110_000, 'corrected return'),
]

const AMENDED: readonly Case[] = [
  of('eu_domestic', { country: 'DE' }, 'EUR', 0.19, [], null, '§ 153'),
  of('eu_domestic', { country: 'AT' }, 'EUR', 0.2, ['tax'], null, 'amended return'),
  of('generic', { country: 'CH' }, 'CHF', 0.081, ['399'], null, 'amended return'),
  of(
    'ca_gst34',
    { country: 'CA', region: 'ON', postal_code: 'M5H 2N2' },
    'CAD',
    0.13,
    ['105'],
    null,
    'Adjust',
  ),
  of(
    'us_state',
    { country: 'US', region: 'TX', postal_code: '78701' },
    'USD',
    0.0825,
    [],
    null,
    'amended return',
  ),
]

function of(
  type: string,
  place: Place,
  currency: string,
  rate: number,
  tax: readonly string[],
  over: number | null,
  notice: string,
): Case {
  const own = type === 'us_state' ? `US-${place.region ?? ''}` : place.country
  const by_state = type === 'eu_domestic' || type === 'generic' || type === 'us_state'
  return { type, ...(by_state && { jurisdiction_id: own }), place, currency, rate, tax, over, notice }
}

const nameOf = ({ type, jurisdiction_id = '' }: Case) => `${type} ${jurisdiction_id}`
const [OLD, OPEN] = ['2026-05', '2026-06']
const queryOf = ({ type, jurisdiction_id }: Case, period: string) =>
  `type=${type}&period=${period}${jurisdiction_id === undefined ? '' : `&jurisdiction_id=${jurisdiction_id}`}`

const sale = (each: Case, day: string, amount: number) => ({
  customer: { address: { city: 'Town', line1: '1 Street', ...each.place } },
  ship_from: each.place,
  currency: each.currency,
  transaction_date: `${day}T12:00:00Z`,
  line_items: [
    {
      amount: amount * 100,
      product_type: 'physical_goods',
      tax_rate: each.rate,
      tax_amount: Math.round(amount * 100 * each.rate),
    },
  ],
})

const done = async (
  key: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** An account at home in the place, with a sale in a filed month and one in the next, open one. */
async function begun(each: Case): Promise<{ key: string; sold: string; filed: Body }> {
  const { key } = await newAccount()
  const { country, region } = each.place
  await done(key, 'PUT', '/v1/account', {
    country,
    ...(region !== undefined && { region }),
    time_zone: 'UTC',
  })
  const jurisdiction_id = each.type === 'us_state' ? each.jurisdiction_id : country
  await done(key, 'POST', '/v1/registrations', { jurisdiction_id, valid_from: '2020-01-01' })
  const sold = await created(key, sale(each, '2026-05-10', 100))
  await created(key, sale(each, '2026-06-10', 100))
  return { key, sold, filed: await fileOld(key, each) }
}

const fileOld = (key: string, { type, jurisdiction_id }: Case) =>
  done(key, 'POST', '/v1/returns', {
    type,
    period: OLD,
    ...(jurisdiction_id !== undefined && { jurisdiction_id }),
  })

const returnOf = (key: string, each: Case, period = OPEN) =>
  done(key, 'GET', `/v1/reports/filing?${queryOf(each, period)}`)

const taxOf = (figures: Body, { tax }: Case) =>
  (figures['boxes'] as { box: string; amount: number | null }[])
    .filter(({ box }) => tax.includes(box))
    .reduce((sum, { amount }) => sum + (amount ?? 0), 0)
const dueOf = (figures: Body) => (figures['totals'] as { tax_due: number }).tax_due
const cents = (amount: number, { rate }: Case) => Math.round(amount * 100 * rate)

async function verdictOf(key: string): Promise<{ reconciled: unknown; faults: string }> {
  const body = await done(key, 'GET', '/v1/returns/reconciliation')
  const faults = (body['returns'] as { faults: string[] }[]).flatMap((each) => each.faults)
  return { reconciled: body['reconciled'], faults: faults.join() }
}

const amendmentsDue = async (key: string) =>
  (await done(key, 'GET', '/v1/obligations'))['amendments'] as Body[]

async function expectAmended(key: string, each: Case, late: number): Promise<void> {
  const figures = await returnOf(key, each)
  const tax_amount = cents(late, each)
  expect(figures['corrections']).toEqual([])
  expect(figures['amendments']).toMatchObject([{ period: OLD, tax_amount }])
  expect(String((figures['amendments'] as Body[])[0]?.['notice']) + String(figures['notes'])).toContain(
    each.notice,
  )
  expect(dueOf(figures)).toBe(cents(100, each))
  if (each.tax.length > 0) expect(taxOf(figures, each)).toBe(cents(100, each))
  expect(await amendmentsDue(key)).toMatchObject([{ type: each.type, period: OLD, tax_amount }])
  const { reconciled, faults } = await verdictOf(key)
  expect(reconciled).toBe(false)
  expect(faults).toContain('the tax office does not know them')
}

describe.each(BOXES.map((each) => [nameOf(each), each] as const))('%s', (_, each) => {
  it('has a late sale in its boxes, within the limit', async () => {
    const { key } = await begun(each)
    await created(key, sale(each, '2026-05-20', 50))
    const figures = await returnOf(key, each)
    expect(figures).toMatchObject({
      corrections: [{ period: OLD, tax_amount: cents(50, each) }],
      amendments: [],
    })
    expect(dueOf(figures)).toBe(cents(150, each))
    expect(taxOf(figures, each)).toBe(dueOf(figures))
    expect(await amendmentsDue(key)).toEqual([])
    expect(await verdictOf(key)).toEqual({ reconciled: true, faults: '' })
  })

  it('has a late refund in its boxes, and is filed with it', async () => {
    const { key, sold } = await begun(each)
    const back = { amount: 20_00 + cents(20, each), reason: 'returned', refunded_at: '2026-05-25T12:00:00Z' }
    await done(key, 'POST', `/v1/transactions/${sold}/refund`, back)
    const figures = await returnOf(key, each)
    expect(dueOf(figures)).toBe(cents(80, each))
    expect(taxOf(figures, each)).toBe(dueOf(figures))
    const { type, jurisdiction_id } = each
    const filed = await done(key, 'POST', '/v1/returns', { type, jurisdiction_id, period: OPEN })
    expect(filed['figures']).toMatchObject({ boxes: boxesWithoutLinks(figures) })
    const after = await returnOf(key, each, '2026-07')
    expect([dueOf(after), after['corrections'], after['amendments']]).toEqual([0, [], []])
    expect(await verdictOf(key)).toEqual({ reconciled: true, faults: '' })
  })

  it('has a late sale above the limit in none, and names the notice', async () => {
    const { key } = await begun(each)
    await created(key, sale(each, '2026-05-20', each.over ?? 0))
    await expectAmended(key, each, each.over ?? 0)
  })
})

const boxesWithoutLinks = (figures: Body) =>
  (figures['boxes'] as Body[]).map(({ box, amount, form_amount }) => ({ box, amount, form_amount }))

describe.each(AMENDED.map((each) => [nameOf(each), each] as const))('%s', (_, each) => {
  it('has no late sale in its boxes: the old return is amended, and then has it', async () => {
    const { key, filed } = await begun(each)
    await created(key, sale(each, '2026-05-20', 50))
    await expectAmended(key, each, 50)
    await done(key, 'POST', `/v1/returns/${String(filed['id'])}/reopen`, { reason: 'amended' })
    const again = (await fileOld(key, each))['figures'] as Body
    expect(dueOf(again)).toBe(cents(150, each))
    expect(dueOf(await returnOf(key, each))).toBe(cents(100, each))
    expect(await amendmentsDue(key)).toEqual([])
    expect(await verdictOf(key)).toEqual({ reconciled: true, faults: '' })
  })

  it('is not amended for late entries that cancel out: the next return has them', async () => {
    const { key } = await begun(each)
    const late = await created(key, sale(each, '2026-05-20', 50))
    const back = { rest: true, reason: 'returned', refunded_at: '2026-05-25T12:00:00Z' }
    await done(key, 'POST', `/v1/transactions/${late}/refund`, back)
    const figures = await returnOf(key, each)
    expect(figures).toMatchObject({
      amendments: [],
      corrections: [{ period: OLD, tax_amount: 0, taxable_amount: 0 }],
    })
    expect(dueOf(figures)).toBe(cents(100, each))
    expect(await amendmentsDue(key)).toEqual([])
    expect(await verdictOf(key)).toEqual({ reconciled: true, faults: '' })
    const { type, jurisdiction_id } = each
    const filed = await done(key, 'POST', '/v1/returns', { type, jurisdiction_id, period: OPEN })
    expect(dueOf(filed['figures'] as Body)).toBe(cents(100, each))
    const rows = await done(key, 'GET', `/v1/returns/${String(filed['id'])}/rows`)
    expect((rows['lines'] as Body[]).filter(({ transaction_id }) => transaction_id === late)).toHaveLength(2)
    expect(await returnOf(key, each, '2026-07')).toMatchObject({ amendments: [], corrections: [] })
    expect(await verdictOf(key)).toEqual({ reconciled: true, faults: '' })
  })

  it('has a refund on one of its own days, and no late one', async () => {
    const { key, sold } = await begun(each)
    const back = { amount: 20_00 + cents(20, each), reason: 'returned' }
    await done(key, 'POST', `/v1/transactions/${sold}/refund`, {
      ...back,
      refunded_at: '2026-06-25T12:00:00Z',
    })
    expect(await returnOf(key, each)).toMatchObject({
      amendments: [],
      totals: { tax_due: cents(80, each) },
    })
    await done(key, 'POST', `/v1/transactions/${sold}/refund`, {
      ...back,
      refunded_at: '2026-05-25T12:00:00Z',
    })
    expect(await returnOf(key, each)).toMatchObject({
      amendments: [{ period: OLD, tax_amount: -cents(20, each) }],
      totals: { tax_due: cents(80, each) },
    })
  })
})

describe('the file for HMRC', () => {
  const british = BOXES[0] ?? of('', { country: 'GB' }, 'GBP', 0, [], null, '')
  const fileOf = (key: string, more = '') =>
    exports.default.fetch(
      `https://service.test/v1/reports/filing/file?${queryOf(british, OPEN)}&format=hmrc_mtd_json` +
        `&period_key=26J1&box_2=0&box_4=0&box_7=0&box_9=0&finalised=true${more}`,
      { headers: { Authorization: `Bearer ${key}` } },
    )

  it('declares what the return declares', async () => {
    const { key } = await begun(british)
    await created(key, sale(british, '2026-05-20', 100))
    await created(key, sale(british, '2026-06-20', 5))
    const response = await fileOf(key)
    expect(response.headers.get('X-To-Amend')).toBeNull()
    expect(await response.json()).toMatchObject({ vatDueSales: 41, netVatDue: 41, totalValueSalesExVAT: 205 })
  })

  it('is refused above the limit, unless the notice is sent apart', async () => {
    const { key } = await begun(british)
    await created(key, sale(british, '2026-05-20', 60_000))
    const refused = await fileOf(key)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('VAT652')
    const written = await fileOf(key, '&amends_apart=true')
    expect(written.headers.get('X-To-Amend')).toContain('GB 2026-05 12000.00 GBP')
    expect(await written.json()).toMatchObject({ vatDueSales: 20 })
  })

  it('has more above ten thousand pounds, up to one percent of box 6', async () => {
    const { key } = await begun(british)
    await created(key, sale(british, '2026-06-20', 1_300_000))
    await created(key, sale(british, '2026-05-20', 60_000))
    expect(await returnOf(key, british)).toMatchObject({
      amendments: [],
      corrections: [{ tax_amount: 12_000_00 }],
    })
  })
})

it('compares the limit of HMRC with what was recorded after the last return alone', async () => {
  const british = BOXES[0] ?? of('', { country: 'GB' }, 'GBP', 0, [], null, '')
  const { key } = await begun(british)
  await created(key, sale(british, '2026-05-20', 30_200))
  await done(key, 'POST', '/v1/returns', { type: british.type, period: OPEN })
  await created(key, sale(british, '2026-05-21', 30_000))
  expect(await returnOf(key, british, '2026-07')).toMatchObject({
    amendments: [],
    corrections: [{ period: OLD, tax_amount: 6_000_00 }],
  })
  await created(key, sale(british, '2026-05-22', 30_000))
  expect(await returnOf(key, british, '2026-07')).toMatchObject({
    amendments: [{ period: OLD, tax_amount: 12_000_00 }],
    corrections: [],
  })
})

it('amends a state for entries that cancel out there, but not in each of its cities', async () => {
  await writeKansas()
  const kansas = of('us_state', { country: 'US', region: 'KS' }, 'USD', 0, [], null, '')
  const { key } = await newAccount()
  await done(key, 'PUT', '/v1/account', { country: 'US', region: 'KS', time_zone: 'UTC' })
  await done(key, 'POST', '/v1/registrations', { jurisdiction_id: 'US-KS', valid_from: '2020-01-01' })
  const soldIn = (postal_code: string, day: string, tax: object = {}) => ({
    customer: { address: { country: 'US', region: 'KS', postal_code } },
    currency: 'USD',
    transaction_date: `${day}T12:00:00Z`,
    line_items: [{ amount: 100_00, product_type: 'physical_goods', ...tax }],
  })
  const topeka = soldIn('66604', '2026-05-20')
  const { tax_amount } = await done(key, 'POST', '/v1/calculate', {
    ...topeka,
    transaction_date: '2026-05-20',
  })
  const county = await created(key, soldIn('66409', '2026-05-10', { tax_amount }))
  await fileOld(key, kansas)
  await created(key, topeka)
  const back = { rest: true, reason: 'returned', refunded_at: '2026-05-25T12:00:00Z' }
  await done(key, 'POST', `/v1/transactions/${county}/refund`, back)
  expect(await returnOf(key, kansas)).toMatchObject({
    amendments: [{ period: OLD, tax_amount: 0, taxable_amount: 0 }],
    corrections: [],
  })
})

it('leaves corrections of the one-stop shop to its own return', async () => {
  const { key } = await newAccount()
  await done(key, 'PUT', '/v1/account', { country: 'IE', time_zone: 'UTC' })
  for (const body of [{ jurisdiction_id: 'IE' }, { scheme: 'oss_union' }])
    await done(key, 'POST', '/v1/registrations', { ...body, valid_from: '2020-01-01' })
  const french = (day: string) => ({
    customer: { address: { country: 'FR' } },
    currency: 'EUR',
    transaction_date: `${day}T12:00:00Z`,
    line_items: [{ amount: 100_00, product_type: 'physical_goods' }],
  })
  await created(key, french('2026-02-01'))
  const irish = { type: 'eu_domestic', jurisdiction_id: 'IE', period: '2026-Q1' }
  await done(key, 'POST', '/v1/returns', irish)
  await done(key, 'POST', '/v1/returns', { type: 'oss_union', period: '2026-Q1' })
  await created(key, french('2026-03-01'))
  const shop = await done(key, 'GET', '/v1/reports/filing?type=oss_union&period=2026-Q2')
  expect(shop['corrections']).toMatchObject([{ jurisdiction_id: 'FR', tax_amount: 20_00 }])
  const home = await done(key, 'GET', '/v1/reports/filing?type=eu_domestic&jurisdiction_id=IE&period=2026-Q2')
  expect([home['corrections'], home['amendments']]).toEqual([[], []])
})

it('keeps a late sale on a line of its own in the list of all sales, which has no boxes', async () => {
  const each = of('generic', { country: 'SG' }, 'SGD', 0.09, [], null, '')
  const list: Case = { ...each }
  delete list.jurisdiction_id
  const { key } = await begun(list)
  await created(key, sale(list, '2026-05-20', 50))
  expect(await returnOf(key, list)).toMatchObject({
    boxes: [],
    corrections: [{ jurisdiction_id: 'SG', period: OLD, tax_amount: 4_50 }],
    amendments: [],
    totals: { tax_due: 13_50 },
  })
})
