import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

await loadTestData()
keepAccountsIn(0)

const { key, account_id } = await newAccount()
const profile = { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' }
expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
const registration = { jurisdiction_id: 'DE', valid_from: '2020-01-01' }
expect((await call('POST', '/v1/registrations', { key, body: registration })).status).toBe(201)
await created(key, {
  customer: { address: { country: 'FR' }, type: 'business', vat_id: 'FR40303265045' },
  currency: 'EUR',
  transaction_date: '2025-02-10',
  line_items: [{ amount: 10_000, product_type: 'saas' }],
})

const RETURN = 'obl_DE_2025-Q1'
const STATEMENT = `${RETURN}_ec_sales_list`
const DEEP = JSON.parse('['.repeat(500) + ']'.repeat(500))

const written = async () =>
  env.DB.prepare(
    `SELECT (SELECT count(*) FROM obligation_marks WHERE account_id = ?1) AS marks,
       (SELECT count(*) FROM audit_events WHERE account_id = ?1) AS events`,
  )
    .bind(account_id)
    .first()

const pathsOf = ({ errors }: Record<string, unknown>) =>
  (errors as { path: string }[]).map(({ path }) => path)

/** Bodies that are no decision about an obligation, as the texts that are sent. */
const BODIES: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '7',
  '{"set_aside":"a"}{"set_aside":"b"}',
  '\ufeff{',
  '{"set_aside":}',
  ...[
    {},
    { set_aside: '' },
    { set_aside: 7 },
    { set_aside: ['a'] },
    { set_aside: { reason: 'a' } },
    { set_aside: 'x'.repeat(501) },
    { set_aside: 'x'.repeat(2_000_000) },
    { set_aside: '\u0000' },
    { set_aside: DEEP },
    { set_aside: 'a', filed: { day: '2025-04-24' } },
    { set_aside: 'a', status: 'filed' },
    { set_aside: 'a', account_id: 'acct_1' },
    { constructor: 1 },
    { filed: {} },
    { filed: [] },
    { filed: 'x' },
    { filed: { day: 20_250_424 } },
    { filed: { day: null } },
    { filed: { day: '2025-02-30' } },
    { filed: { day: '+275760-09-14' } },
    { filed: { day: '0000-00-00' } },
    { filed: { day: '2025-04-24T00:00:00Z' } },
    { filed: { day: '2025-04-24\n' } },
    { filed: { day: '' } },
    { filed: { day: '2025-04-24', number: 'x'.repeat(101) } },
    { filed: { day: '2025-04-24', number: 7 } },
    { filed: { day: '2025-04-24', number: '\u0000' } },
    { filed: { day: '2025-04-24', by: 'me' } },
  ].map((body) => JSON.stringify(body)),
  '{"__proto__":{"set_aside":"a"}}',
  '{"set_aside":"\\ud800"}',
]

const IDS = [
  'obl_',
  'obl_DE',
  'obl_XX_2025-Q1',
  'obl_DE_2025-Q5',
  'obl_DE_2025-Q1_',
  'obl_DE_2025-Q1_EC_SALES_LIST',
  'obl_DE_9999-12',
  'obl_DE_-001-01',
  "obl_DE_2025-Q1'--",
  'obl_DE_2025-Q1%00',
  'obl___proto___2025-Q1',
  '%2e%2e',
  'obl_DE_2025-Q1%2f..',
  `obl_DE_${'9'.repeat(1_000)}`,
  'obl_constructor_2025-Q1',
  'null',
]

describe('a decision about an obligation', () => {
  it.each([RETURN, STATEMENT])('%s is refused with the field, and changes nothing', async (id) => {
    const before = await written()
    for (const raw of BODIES) {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await call('PUT', `/v1/obligations/${id}`, { key, raw, headers })
      const what = `${raw.slice(0, 80)}: ${answer.text.slice(0, 300)}`
      expect([400, 413], what).toContain(answer.status)
      if (answer.body['reason'] === 'invalid_request')
        expect(pathsOf(answer.body), what).toEqual(expect.arrayContaining([expect.any(String)]))
    }
    expect(await written()).toEqual(before)
  })

  it.each(IDS)('of %s finds nothing', async (id) => {
    const before = await written()
    for (const body of [{ set_aside: 'x' }, { set_aside: null }, { filed: null }]) {
      const answer = await call('PUT', `/v1/obligations/${id}`, { key, body })
      expect([400, 404], answer.text.slice(0, 300)).toContain(answer.status)
    }
    expect(await written()).toEqual(before)
  })

  it('keeps what is only strange to the sign, and shows it so', async () => {
    const reason = `"'><script>alert(1)</script>=1+1 \u202e\ud83d\udc69\u200d\ud83d\udc67 DROP TABLE`
    const answer = await call('PUT', `/v1/obligations/${RETURN}`, { key, body: { set_aside: reason } })
    expect(answer.body, answer.text).toMatchObject({ set_aside: { reason } })
    expect((await call('PUT', `/v1/obligations/${RETURN}`, { key, body: { set_aside: null } })).status).toBe(
      200,
    )
  })
})

const SPAN = 'from_date=2025-01-01&to_date=2025-12-31'
const QUERIES = [
  '',
  'from_date=2025-01-01',
  'from_date=2025-12-31&to_date=2025-01-01',
  'from_date=x&to_date=y',
  'from_date=2025-02-30&to_date=2025-03-01',
  `${SPAN}&limit=0`,
  `${SPAN}&limit=100000`,
  `${SPAN}&limit=1e3`,
  `${SPAN}&from_date=2025-01-02`,
  `${SPAN}&cursor=x`,
  `${SPAN}&offset=-1`,
  `${SPAN}&__proto__=1`,
  `${SPAN}&jurisdiction_id=${'X'.repeat(5_000)}`,
  `${SPAN}&jurisdiction_id=%00`,
  `${SPAN}&unknown=1`,
  'from_date=0000-01-01&to_date=9999-12-31T00:00',
  `${SPAN}&jurisdiction_id[]=DE`,
  `${SPAN}&%=1`,
]

describe('the report of variances', () => {
  it.each(QUERIES)('is refused for ?%s with the field', async (query) => {
    const answer = await call('GET', `/v1/reports/tax-variance?${query}`, { key })
    expect(answer.status, answer.text.slice(0, 500)).toBe(400)
    expect(pathsOf(answer.body)).toEqual(expect.arrayContaining([expect.any(String)]))
  })

  it('takes no body, and no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const sent = { key, body: { from_date: '2025-01-01' } }
      const { status } = await call(method, '/v1/reports/tax-variance', sent).catch(() => ({ status: 405 }))
      expect([404, 405]).toContain(status)
    }
  })
})
