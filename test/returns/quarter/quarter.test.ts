import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import {
  book,
  EARLIER,
  bookEarlier,
  bookSale,
  type Figures,
  type Kind,
  known,
  salesOf,
  type Sold,
  taxOf,
} from './second-books.ts'
import { AMERICAN, GERMANS, IRISH } from './sellers.ts'

await loadTestData()

type Body = Record<string, unknown>

async function get(key: string, path: string): Promise<Body> {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function post(key: string, path: string, body: object): Promise<Body> {
  const answer = await call('POST', path, { key, body })
  expect([200, 201], answer.text).toContain(answer.status)
  return answer.body
}

async function seller(country: object, registrations: readonly string[]): Promise<string> {
  const { key } = await newAccount()
  const profile = { name: 'Acme', vat_id: null, time_zone: 'UTC', ...country }
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  for (const id of registrations) {
    const of = id === 'oss_union' ? { scheme: id } : { jurisdiction_id: id }
    await post(key, '/v1/registrations', { ...of, registration_number: 'local-1', valid_from: '2020-01-01' })
  }
  return key
}

/** The request of a sale. */
function requestOf({ kind, day, amount, postage, discount }: Sold): Body {
  const stated = kind.states_tax
    ? { tax_rate: kind.rate / 100_000, tax_amount: taxOf(amount, kind.rate) }
    : {}
  return {
    ...kind.sale,
    currency: kind.currency,
    transaction_date: day,
    line_items: [{ amount, product_type: kind.product_type, ...kind.line, ...stated }],
    ...(postage !== 0 && { shipping_cost: { amount: postage } }),
    ...(discount !== 0 && { discount_amount: discount }),
  }
}

const BATCH = 50
type Recorded = { sold: Sold; id: string }

async function record(key: string, sales: readonly Sold[]): Promise<Recorded[]> {
  const ids: string[] = []
  for (let from = 0; from < sales.length; from += BATCH) {
    const transactions = sales.slice(from, from + BATCH).map(requestOf)
    const { results } = (await post(key, '/v1/transactions/batch', { transactions })) as {
      results: { data?: { id: string } }[]
    }
    for (const result of results) {
      if (result.data === undefined) throw new Error(JSON.stringify(result))
      ids.push(result.data.id)
    }
  }
  return sales.map((sold, index) => ({ sold, id: ids[index] ?? '' }))
}

/** Of amounts that are round at every rate, so the share of the charged tax is that of the rate. */
const [GIVEN_BACK, CREDITED_LATE] = [1_000, 200]

/** Gives back a part and its tax of each seventh sale, within the quarter. */
async function giveBack(key: string, recorded: readonly Recorded[], figures: Figures): Promise<number> {
  const some = recorded.filter(({ sold }, index) => index % 7 === 3 && sold.postage === 0)
  for (const { sold, id } of some) {
    const tax = taxOf(GIVEN_BACK, sold.kind.rate)
    await post(key, `/v1/transactions/${id}/refund`, {
      amount: GIVEN_BACK + tax,
      reason: 'Returned',
      refunded_at: '2026-09-29',
    })
    book(figures, sold.kind, -GIVEN_BACK, -tax)
  }
  return some.length
}

/** A sale of the quarter before, and its credit note of this one. */
async function creditEarlier(key: string, kind: Kind, figures: Figures): Promise<void> {
  const sale = { kind, day: '2026-05-10', amount: EARLIER.sold, postage: 0, discount: 0 }
  const [before] = await record(key, [sale])
  const note = { ...sale, day: '2026-08-20', amount: -EARLIER.credited }
  await post(key, '/v1/transactions', {
    ...requestOf(note),
    credit_note_for: { transaction_id: before?.id },
  })
  bookEarlier(figures, kind)
}

type Return = {
  totals: { tax_due: number } | null
  boxes: { box: string; amount: number | null }[]
  supplies: {
    jurisdiction_id: string
    kind: string
    rate: number
    gross_sales: number
    taxable_amount: number
    tax_amount: number
  }[]
  amendments: { tax_amount: number }[]
  corrections: { jurisdiction_id: string; period: string; tax_amount: number }[]
}

const read = async (key: string, query: string) =>
  (await get(key, `/v1/reports/filing?${query}`)) as unknown as Return

const named = (name: string, { boxes }: Return) =>
  boxes.map(({ box, amount }) => [`${name} ${box}`, amount] as const)

/** The figures of a return of the one-stop shop. */
function ofShop({ supplies, corrections }: Return) {
  return [
    ...supplies.flatMap(({ jurisdiction_id, kind, rate, taxable_amount, tax_amount }) => [
      [`OSS ${jurisdiction_id}.${kind}.${rate} net`, taxable_amount] as const,
      [`OSS ${jurisdiction_id}.${kind}.${rate} tax`, tax_amount] as const,
    ]),
    ...corrections.map((each) => [`OSS ${each.jurisdiction_id} ${each.period}`, each.tax_amount] as const),
  ]
}

async function file(key: string, query: string): Promise<string> {
  const answer = await exports.default.fetch(`https://service.test/v1/reports/filing/file?${query}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return text
}

/** The figures of a list of sales to businesses. */
function ofList(csv: string) {
  const [, ...rows] = csv.replace('\uFEFF', '').trim().split('\r\n')
  return rows.map((row) => {
    const [, , , vat_id, kind, , amount] = row.split(',')
    return [`ESL ${vat_id} ${kind}`, Number(amount)] as const
  })
}

type Filed = { id: string; type: string; jurisdiction_id?: string }

/** Files the returns of the quarter. */
async function fileAll(key: string, returns: readonly Omit<Filed, 'id'>[]): Promise<Filed[]> {
  const filed: Filed[] = []
  for (const each of returns) {
    const body = { ...each, period: '2026-Q3', fx_rates: 'USD:1.25' }
    filed.push({ ...each, id: String((await post(key, '/v1/returns', body))['id']) })
  }
  return filed
}

/** Records a sale of each kind, and a credit note for one recorded earlier, both of the quarter. */
async function recordLate(
  key: string,
  kinds: readonly Kind[],
  recorded: readonly Recorded[],
  ledgers: readonly Figures[],
): Promise<void> {
  for (const kind of kinds) {
    const sold = { kind, day: '2026-09-10', amount: 10_000, postage: 0, discount: 0 }
    await record(key, [sold])
    for (const figures of ledgers) bookSale(figures, sold)
    const last = recorded.findLast((each) => each.sold.kind === kind)
    const note = { ...sold, day: '2026-09-30', amount: -CREDITED_LATE }
    await post(key, '/v1/transactions', {
      ...requestOf(note),
      credit_note_for: { transaction_id: last?.id },
    })
    for (const figures of ledgers) book(figures, kind, -CREDITED_LATE, -taxOf(CREDITED_LATE, kind.rate))
  }
}

/** What the office wants of late entries: figures of the next return, or returns of the quarter amended. */
type Office = {
  figuresOfNext: () => Promise<Figures>
  /** The figures that the next return takes, by how their names begin. */
  takes: readonly string[]
  amended: { returns: () => Promise<Return[]>; taxes: readonly string[] }
}

/** The late figures that the next returns declare. The one-stop shop has a correction for each state. */
function ofNext(late: Figures, takes: readonly string[]): Figures {
  const figures: Figures = {}
  for (const [name, amount] of Object.entries(late)) {
    const [, state] = /^OSS (\w+)\..* tax$/.exec(name) ?? []
    const next = state === undefined ? name : `OSS ${state} 2026-Q3`
    if (state !== undefined || takes.some((each) => name.startsWith(each)))
      figures[next] = (figures[next] ?? 0) + amount
  }
  return known(figures)
}

/**
 * Files the quarter, records late entries of it, and files it again. The figures of each version are the books
 * of its day. Between them, the next returns have what the office takes there.
 */
async function fileTwice(
  key: string,
  returns: readonly Omit<Filed, 'id'>[],
  { kinds, recorded, figures }: { kinds: readonly Kind[]; recorded: readonly Recorded[]; figures: Figures },
  figuresOf: () => Promise<Figures>,
  { figuresOfNext, takes, amended }: Office,
): Promise<void> {
  const filed = await fileAll(key, returns)
  const before = known(figures)
  const late: Figures = {}
  await recordLate(key, kinds, recorded, [figures, late])
  expect(await figuresOf()).toEqual(before)
  expect(await figuresOfNext()).toEqual(ofNext(late, takes))
  const amendments = (await amended.returns()).flatMap((each) => each.amendments)
  const taxes = amended.taxes.reduce((sum, name) => sum + (late[name] ?? 0), 0)
  expect(amendments.reduce((sum, { tax_amount }) => sum + tax_amount, 0)).toBe(taxes)
  const reconciled = async () => (await get(key, '/v1/returns/reconciliation'))['reconciled']
  expect(await reconciled()).toBe(taxes === 0)
  for (const { id } of filed) await post(key, `/v1/returns/${id}/reopen`, { reason: 'Late entries' })
  expect(await figuresOf()).toEqual(known(figures))
  await fileAll(key, returns)
  expect(await figuresOf()).toEqual(known(figures))
  expect(await figuresOfNext()).toEqual({})
  expect(await reconciled()).toBe(true)
}

/** Its tax is not stated, and its currency is that of the return. */
const isPlain = (kind: Kind) => (kind.currency !== 'USD' || kind.at_home === true) && !kind.states_tax

const USD = 'fx_rates=USD:1.25'
const [Q3, Q4] = ['period=2026-Q3', 'period=2026-Q4']
const IRISH_VAT3 = `type=eu_domestic&jurisdiction_id=IE&${Q3}&${USD}`

async function irishFigures(key: string): Promise<Figures> {
  const list = await file(key, `${IRISH_VAT3}&format=ec_sales_list`)
  return known(
    Object.fromEntries([
      ...named('VAT3', await read(key, IRISH_VAT3)),
      ...named('VAT100', await read(key, `type=uk_vat100&${Q3}&${USD}`)),
      ...ofShop(await read(key, `type=oss_union&${Q3}&${USD}`)),
      ...ofList(list),
    ]),
  )
}

it('the quarter of an Irish seller with stocks in Britain agrees with second books', async () => {
  const key = await seller({ country: 'IE' }, ['oss_union', 'IE', 'GB'])
  const figures: Figures = {}
  const sales = salesOf(IRISH, 7)
  for (const sold of sales) bookSale(figures, sold)
  const recorded = await record(key, sales)
  expect(await giveBack(key, recorded, figures)).toBeGreaterThan(10)
  for (const kind of IRISH)
    if (kind.currency !== 'USD' && !kind.states_tax) await creditEarlier(key, kind, figures)
  expect(await irishFigures(key)).toEqual(known(figures))
  const given = 'period_key=26J1&box_2=0&box_4=0&box_7=0&box_9=0&finalised=true'
  const mtd = await file(key, `type=uk_vat100&${Q3}&${USD}&format=hmrc_mtd_json&${given}`)
  expect(JSON.parse(mtd)).toMatchObject({
    vatDueSales: (figures['VAT100 1'] ?? 0) / 100,
    totalValueSalesExVAT: Math.trunc((figures['VAT100 6'] ?? 0) / 100),
    totalValueGoodsSuppliedExVAT: Math.trunc((figures['VAT100 8'] ?? 0) / 100),
  })
  const returns = [
    { type: 'uk_vat100' },
    { type: 'eu_domestic', jurisdiction_id: 'IE' },
    { type: 'oss_union' },
  ]
  const late = { kinds: IRISH.filter((kind) => kind.tax && isPlain(kind)), recorded, figures }
  const figuresOfNext = async () =>
    known(
      Object.fromEntries([
        ...named('VAT3', await read(key, `type=eu_domestic&jurisdiction_id=IE&${Q4}`)),
        ...named('VAT100', await read(key, `type=uk_vat100&${Q4}`)),
        ...ofShop(await read(key, `type=oss_union&${Q4}`)),
      ]),
    )
  await fileTwice(key, returns, late, () => irishFigures(key), {
    figuresOfNext,
    takes: ['VAT3', 'VAT100'],
    amended: { returns: async () => [], taxes: [] },
  })
})

const GERMAN_RETURN = `type=eu_domestic&jurisdiction_id=DE&${Q3}&${USD}`
/** The office computes these from whole euros. */
const COMPUTED = ['USt 81-tax', 'USt 86-tax', 'USt office-tax']

async function germanFigures(key: string): Promise<Figures> {
  const vat = await read(key, GERMAN_RETURN)
  const list = await file(key, `${GERMAN_RETURN}&format=ec_sales_list`)
  const figures = known(
    Object.fromEntries([
      ...named('USt', vat),
      ['USt due', vat.totals?.tax_due ?? null] as const,
      ...ofShop(await read(key, `type=oss_union&${Q3}&${USD}`)),
      ...ofList(list),
    ]),
  )
  const wholeEuros = (box: string) => Math.trunc((figures[`USt ${box}`] ?? 0) / 100)
  expect(figures['USt office-tax']).toBe(wholeEuros('81') * 19 + wholeEuros('86') * 7)
  return Object.fromEntries(Object.entries(figures).filter(([name]) => !COMPUTED.includes(name)))
}

it('the quarter of a German seller agrees with second books', async () => {
  const key = await seller({ country: 'DE' }, ['oss_union', 'DE'])
  const figures: Figures = {}
  const sales = salesOf(GERMANS, 8)
  for (const sold of sales) bookSale(figures, sold)
  const recorded = await record(key, sales)
  expect(await giveBack(key, recorded, figures)).toBeGreaterThan(5)
  for (const kind of GERMANS) if (kind.currency !== 'USD') await creditEarlier(key, kind, figures)
  expect(await germanFigures(key)).toEqual(known(figures))
  const returns = [{ type: 'eu_domestic', jurisdiction_id: 'DE' }, { type: 'oss_union' }]
  const late = { kinds: GERMANS.filter((kind) => kind.tax && isPlain(kind)), recorded, figures }
  const next = () => read(key, `type=eu_domestic&jurisdiction_id=DE&${Q4}`)
  const figuresOfNext = async () =>
    known(
      Object.fromEntries([...named('USt', await next()), ...ofShop(await read(key, `type=oss_union&${Q4}`))]),
    )
  await fileTwice(key, returns, late, () => germanFigures(key), {
    figuresOfNext,
    // Sales under the one-stop shop are on it, and corrected there alone.
    takes: ['USt 45'],
    amended: { returns: async () => [await next()], taxes: ['USt due'] },
  })
})

const STATES = ['US-IN', 'US-NJ', 'US-KY', 'US-MI']

const returnsOfStates = (key: string, quarter: string) =>
  Promise.all(STATES.map((id) => read(key, `type=us_state&jurisdiction_id=${id}&${quarter}`)))

async function stateFigures(key: string, quarter = Q3): Promise<Figures> {
  const returns = await returnsOfStates(key, quarter)
  const supplies = returns.flatMap((each) => each.supplies)
  return known(
    Object.fromEntries(
      supplies.flatMap((each) => [
        [`${each.jurisdiction_id} gross`, each.gross_sales],
        [`${each.jurisdiction_id} taxable`, each.taxable_amount],
        [`${each.jurisdiction_id} tax`, each.tax_amount],
      ]),
    ),
  )
}

it('the quarter of an American seller agrees with second books', async () => {
  const key = await seller({ country: 'US', region: 'IN' }, STATES)
  const figures: Figures = {}
  const sales = salesOf(AMERICAN, 12)
  for (const sold of sales) bookSale(figures, sold)
  const recorded = await record(key, sales)
  expect(await giveBack(key, recorded, figures)).toBeGreaterThan(5)
  for (const kind of AMERICAN) await creditEarlier(key, kind, figures)
  expect(await stateFigures(key)).toEqual(known(figures))
  const returns = STATES.map((jurisdiction_id) => ({
    type: 'us_state',
    jurisdiction_id,
  }))
  const late = { kinds: AMERICAN.filter(isPlain), recorded, figures }
  await fileTwice(key, returns, late, () => stateFigures(key), {
    figuresOfNext: () => stateFigures(key, Q4),
    takes: [],
    amended: { returns: () => returnsOfStates(key, Q4), taxes: STATES.map((id) => `${id} tax`) },
  })
})
