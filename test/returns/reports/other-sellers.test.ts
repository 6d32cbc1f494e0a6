import { exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { ROUTES } from '../../../src/interfaces/routes.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const RETURN = 'type=eu_domestic&jurisdiction_id=DE&period='
const QUARTERS = ['2026-Q1', '2026-Q2']
const DAYS = 'from_date=2026-01-01&to_date=2026-06-30'

/** What is asked of each route that counts sales. An empty list needs a reason. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  '/v1/overview': ['?months=24'],
  '/v1/account': [''],
  '/v1/thresholds': [''],
  '/v1/nexus': [''],
  '/v1/obligations': ['?from=2026-01-01&to=2026-12-31'],
  '/v1/obligations/calendar': [''],
  '/v1/reports/summary': [
    `?${DAYS}`,
    ...['month', 'product_type', 'jurisdiction_and_month'].map((group) => `?${DAYS}&group_by=${group}`),
  ],
  '/v1/reports/tax-variance': [`?${DAYS}`],
  '/v1/reports/transactions': [`?${DAYS}&of_other_seller=false`],
  '/v1/reports/lines': [`?${DAYS}`],
  '/v1/reports/oss-records': [`?scheme=oss_union&${DAYS}`],
  '/v1/reports/filing': QUARTERS.flatMap((quarter) => [
    `?${RETURN}${quarter}`,
    `?type=oss_union&period=${quarter}&fx_rates=USD:1.1`,
    `?type=generic&period=${quarter}&fx_rates=USD:1.1`,
  ]),
  '/v1/reports/filing/file': QUARTERS.flatMap((quarter) => [
    `?${RETURN}${quarter}&format=csv`,
    `?${RETURN}${quarter}&format=de_zm_csv`,
    `?${RETURN}${quarter}&format=saft_lines_csv`,
    `?${RETURN}${quarter}&format=datev_csv&consultant=1001&client=1&chart=skr03&debtor_account=10000`,
  ]),
  '/v1/reports/export': [
    `?report=summary&${DAYS}`,
    `?report=lines&${DAYS}`,
    `?report=filing&${RETURN}2026-Q2`,
    `?report=oss_records&scheme=oss_union&${DAYS}`,
    `?report=transactions&${DAYS}&of_other_seller=false`,
  ],
  '/v1/transactions': ['?sums=true&of_other_seller=false'],
  '/v1/returns': [''],
  '/v1/returns/reconciliation': [''],
  // Of one return or sale, which the lists above contain.
  '/v1/returns/:id': [],
  '/v1/returns/:id/rows': [],
  '/v1/returns/:id/hashed-rows': [],
  '/v1/returns/:id/file': [],
  '/v1/transactions/:id': [],
  '/v1/transactions/external/:external_id': [],
}

it('asks each route that counts sales', () => {
  const counting = ROUTES.filter(
    ({ method, tag }) => method === 'get' && (tag === 'Reports' || tag === 'Transactions'),
  )
  const others = ['/v1/overview', '/v1/account', '/v1/thresholds']
  expect(Object.keys(ASKED).toSorted()).toEqual([...counting.map(({ path }) => path), ...others].toSorted())
})

/** Names, ids, moments and hashes of two accounts differ. */
function withoutNames(text: string): string {
  return text
    .replaceAll(/\b([a-z]{2,5})_[0-9a-z]{26}\b/g, '$1')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'moment')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'name')
    .replaceAll(/\btcs_live_\w+/g, 'key')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'hash')
}

async function answersOf(key: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const [path, queries] of Object.entries(ASKED))
    for (const query of queries) {
      const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() }
      const answer = await exports.default.fetch(`https://service.test${path}${query}`, { headers })
      const text = await answer.text()
      // A file may be refused, in both accounts for the same reason.
      if (!path.endsWith('/file')) expect(answer.status, `${path}${query}: ${text}`).toBe(200)
      answers[`${path}${query}`] = withoutNames(text)
    }
  return answers
}

async function send(method: string, path: string, key: string, body: object): Promise<string> {
  const answer = await call(method, path, { key, body })
  expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300)
  return String(answer.body['id'])
}

async function germanSeller() {
  const account = await newAccount()
  const profile = { country: 'DE', vat_id: 'DE136695976', time_zone: 'UTC' }
  await send('PUT', '/v1/account', account.key, profile)
  for (const registration of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await send('POST', '/v1/registrations', account.key, { ...registration, valid_from: '2020-01-01' })
  return account
}

type Step = {
  country: string
  amount: number
  day: string
  currency: string
  business: boolean
  given: boolean
  next: 'nothing' | 'refund' | 'credit' | 'settle' | 'complete' | 'void'
}

const steps = (country: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.record({
    country,
    amount: fc.integer({ min: 100, max: 2_000_000 }),
    day: fc.constantFrom('2026-01-15', '2026-02-28', '2026-03-31', '2026-04-01', '2026-05-20'),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    business: fc.boolean(),
    given: fc.boolean(),
    next: fc.constantFrom('nothing', 'refund', 'credit', 'settle', 'complete', 'void'),
  })

const places = fc.constantFrom('DE', 'FR', 'IT', 'GB', 'US')
const sellers = fc.constantFrom<object>(
  { country: 'FR', registrations: ['FR'] },
  { country: 'DE', registrations: ['DE', 'FR'] },
  { country: 'DE', registrations: ['oss_union'], reference: 'vendor-1' },
  { country: 'CN', registrations: ['ioss', 'DE'] },
  { country: 'DE', vat_id: 'DE129273398', over_eu_threshold: true },
)

/** Records a sale and what comes after it. `seller`: whose it is; left out: the account's. */
async function play(key: string, step: Step, seller?: object): Promise<void> {
  const { country, amount, day, currency, business, given, next } = step
  const region = country === 'US' ? { region: 'TX', postal_code: '78701' } : {}
  const customer = {
    address: { country, ...region },
    ...(business &&
      country === 'FR' && { type: 'business', vat_id: 'FR40303265045', vat_id_validated: true }),
  }
  const taxed = given ? { tax_rate: 0.1, tax_amount: Math.round(amount / 10) } : {}
  const sale = {
    currency,
    transaction_date: day,
    customer,
    line_items: [{ amount, product_type: 'physical_goods', tax_behavior: 'exclusive', ...taxed }],
    ...(seller !== undefined && { seller }),
  }
  const waits = next === 'complete' || next === 'void'
  const id = await send('POST', '/v1/transactions', key, waits ? { ...sale, status: 'pending' } : sale)
  if (waits) await send('POST', `/v1/transactions/${id}/${next}`, key, {})
  if (next === 'refund')
    await send('POST', `/v1/transactions/${id}/refund`, key, {
      amount: 50,
      reason: 'damaged',
      refunded_at: '2026-06-01',
    })
  const less = { ...sale.line_items[0], amount: -50, ...(given && { tax_amount: -5 }) }
  const note = { ...sale, line_items: [less], credit_note_for: { transaction_id: id } }
  if (next === 'credit')
    await send('POST', '/v1/transactions', key, { ...note, transaction_date: '2026-06-02' })
  if (next === 'settle')
    await send('POST', '/v1/transactions', key, {
      ...sale,
      transaction_date: '2026-06-03',
      settles: [{ transaction_id: id, amount: 50 }],
    })
}

it(
  'answers as if the sales of other sellers were not there, also in filed periods',
  { timeout: 240_000 },
  async () => {
    const plays = fc.record({
      before: fc.array(steps(places), { minLength: 1, maxLength: 3 }),
      after: fc.array(steps(places), { maxLength: 2 }),
      others: fc.array(fc.record({ step: steps(places), seller: sellers }), { minLength: 2, maxLength: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(plays, async ({ before, after, others }) => {
        const [alone, platform] = [await germanSeller(), await germanSeller()]
        const half = Math.ceil(others.length / 2)
        for (const { step, seller } of others.slice(0, half)) await play(platform.key, step, seller)
        for (const { key } of [alone, platform]) {
          for (const step of before) await play(key, step)
          await send('POST', '/v1/returns', key, {
            type: 'eu_domestic',
            jurisdiction_id: 'DE',
            period: '2026-Q1',
            fx_rates: 'USD:1.1',
          })
          for (const step of after) await play(key, step)
        }
        for (const { step, seller } of others.slice(half)) await play(platform.key, step, seller)
        const [wanted, found] = [await answersOf(alone.key), await answersOf(platform.key)]
        for (const path of Object.keys(wanted)) {
          const { other_sellers: _, ...shown } = parsed(found[path])
          expect(shown, path).toEqual(parsed(wanted[path]))
        }
        expect(await verifyTotals(books, platform.account_id)).toEqual([])
      }),
      { numRuns: 5, seed: 20_261_129, endOnFailure: true },
    )
  },
)

/** An answer in JSON; a file is one text. */
function parsed(text = ''): Record<string, unknown> {
  return text.startsWith('{') ? JSON.parse(text) : { text }
}
