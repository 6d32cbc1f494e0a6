import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runVatCheck, sweepVatChecks } from '../../../src/parties/vat-checks/run-check.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { eraseAccount } from '../../../scripts/manage-account/erase.ts'
import { newAccount } from '../../support/account.ts'
import { AUTHORITY_HOST } from '../../support/authority-server.ts'
import { listening } from '../../support/queues.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(1)
const shard = shardOf(env, 1)

await loadTestData()

/** Other tests ask the authorities at the same time, so these have an address of their own. */
const asking = {
  ...env,
  VIES_REST_URL: `https://${AUTHORITY_HOST}/checks`,
  VIES_SOAP_URL: `https://${AUTHORITY_HOST}/checks/soap`,
}

const NOW = new Date('2026-11-21T12:00:00Z')
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  forgetAll()
  for (const { name } of (await env.KV.list({ prefix: 'vat:' })).keys) await env.KV.delete(name)
})
afterEach(() => vi.useRealTimers())

async function answer(body: object): Promise<void> {
  await fetch(`https://${AUTHORITY_HOST}/checks/rest`, {
    method: 'PUT',
    body: JSON.stringify({ body: JSON.stringify(body) }),
  })
}
const away = () => answer({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] })
const registered = () =>
  answer({
    countryCode: 'IE',
    vatNumber: '{number}',
    valid: true,
    requestIdentifier: 'WAPI1',
    name: 'EXAMPLE',
    address: 'DUBLIN',
  })
const askedTimes = async () =>
  ((await (await fetch(`https://${AUTHORITY_HOST}/checks?asked`)).json()) as object[]).length

/** VAT ids of Ireland of a right form, none of them twice. */
const IRISH = Array.from({ length: 40 }, (_, index) => irish(6_388_047 + index))
function irish(number: number): string {
  const digits = String(number)
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (8 - index), 0)
  return `IE${digits}${'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] ?? ''}`
}

async function begin(body: object, headers: Record<string, string> = {}) {
  const account = await newAccount({ tier: 'enterprise' })
  const made = await call('POST', '/v1/vat/checks', { key: account.key, body, headers })
  return { ...account, made, id: String(made.body['id']) }
}

/** Runs a check until nothing is due at a moment. */
async function run(id: string, seconds = 0): Promise<void> {
  for (let slices = 0; slices < 30; slices += 1) await runVatCheck(asking, shard, id, at(seconds))
}

const read = async (key: string, id: string, rest = '') =>
  (await call('GET', `/v1/vat/checks/${id}${rest}`, { key })).body

describe('a check of many VAT ids', () => {
  it('asks about each id once, and lists what was said', async () => {
    await registered()
    const given = [
      'ie 63.88-047V',
      'IE6388047V',
      'DE000000000',
      'EU372022452',
      '12345678',
      ...IRISH.slice(1, 10),
    ]
    const { key, id, made } = await begin({ vat_ids: given })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      state: 'running',
      total: 14,
      counts: { pending: 13, valid: 0, invalid: 0, unavailable: 1 },
      finished_at: null,
    })
    const before = await askedTimes()
    await run(id)
    expect((await askedTimes()) - before).toBe(10)
    expect(await read(key, id)).toMatchObject({
      state: 'finished',
      counts: { pending: 0, valid: 11, invalid: 2, unavailable: 1 },
      finished_at: NOW.toISOString(),
    })
    const { results, next_cursor } = await read(key, id, '/results?limit=5')
    expect(results).toMatchObject([
      { position: 1, given: 'ie 63.88-047V', vat_id: 'IE6388047V', status: 'valid', company_name: 'EXAMPLE' },
      { position: 2, given: 'IE6388047V', status: 'valid', checked_at: NOW.toISOString() },
      { position: 3, status: 'invalid', reason: 'invalid_format' },
      { position: 4, status: 'invalid', reason: 'scheme_number' },
      { position: 5, status: 'unavailable', reason: 'unknown_country', country: null },
    ])
    const rest = await read(key, id, `/results?limit=100&cursor=${String(next_cursor)}`)
    expect(rest).toMatchObject({ has_more: false, next_cursor: null })
    expect(rest['results']).toHaveLength(9)
    expect((await read(key, id, '/results?status=invalid'))['results']).toHaveLength(2)
  })

  it('is a report with who asked, when, and the number of the consultation', async () => {
    await registered()
    const body = { vat_ids: ['IE6388047V', '=1+1'], requester_vat_id: 'IE6388047V' }
    const { key, id, made } = await begin(body)
    await run(id)
    const report = await exports.default.fetch(`https://service.test/v1/vat/checks/${id}/report`, {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
    })
    expect(report.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    const [header, first, second] = (await report.text()).split('\r\n')
    expect(header).toMatch(/^position,given,vat_id,country,status,/)
    expect(first).toContain('1,IE6388047V,IE6388047V,IE,valid,')
    expect(first).toContain(',WAPI1,')
    expect(first).toContain(`,${id},${String(made.body['key_id'])},IE6388047V,${NOW.toISOString()}`)
    expect(second).toContain("'=1+1")
  })

  it('asks an authority that is away again, and says in the end that it gave no answer', async () => {
    await away()
    const { key, id } = await begin({ vat_ids: ['IE6388047V'] })
    let due = 0
    for (const [index, delay] of [0, 60, 600, 3_600, 21_600].entries()) {
      due += delay
      forgetAll()
      await run(id, due - 1)
      await run(id, due)
      const [result] = (await read(key, id, '/results'))['results'] as object[]
      expect(result).toMatchObject({ attempts: index + 1, reason: 'MS_UNAVAILABLE' })
      expect(result).toMatchObject({ status: index === 4 ? 'unavailable' : 'pending' })
    }
    expect(await read(key, id)).toMatchObject({ state: 'finished', counts: { unavailable: 1, pending: 0 } })
  })

  it('takes the answer of an authority that comes back', async () => {
    await away()
    const { key, id } = await begin({ vat_ids: ['IE6388047V'] })
    await run(id)
    await registered()
    forgetAll()
    await run(id, 60)
    expect(await read(key, id)).toMatchObject({ state: 'finished', counts: { valid: 1 } })
  })

  it('waits a minute where the account has asked enough', async () => {
    await registered()
    const { key, id } = await begin({ vat_ids: IRISH.slice(0, 12) })
    const limited = { limit: async () => ({ success: false }) }
    await runVatCheck({ ...asking, QUESTION_LIMIT_ENTERPRISE: limited }, shard, id, NOW)
    expect(await read(key, id)).toMatchObject({ counts: { pending: 12 } })
    await run(id, 59)
    expect(await read(key, id)).toMatchObject({ counts: { pending: 12 } })
    await run(id, 60)
    expect(await read(key, id)).toMatchObject({ state: 'finished', counts: { valid: 12 } })
    const results = (await read(key, id, '/results'))['results'] as { attempts: number }[]
    expect(results.every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it('writes no row of an id that waits because the account has asked enough', async () => {
    const { id } = await begin({ vat_ids: IRISH })
    const limited = { limit: async () => ({ success: false }) }
    await runVatCheck({ ...asking, QUESTION_LIMIT_ENTERPRISE: limited }, shard, id, NOW)
    const { results } = await books
      .prepare('SELECT DISTINCT next_attempt_at FROM vat_check_ids WHERE check_id = ?')
      .bind(id)
      .all()
    expect(results).toEqual([{ next_attempt_at: NOW.toISOString() }])
  })

  it('counts no attempt for ids that nobody was asked about while the authority is away', async () => {
    await away()
    const { key, id } = await begin({ vat_ids: IRISH })
    await run(id)
    const attempts = ((await read(key, id, '/results'))['results'] as { attempts: number }[]).map(
      (result) => result.attempts,
    )
    expect(attempts).toEqual(IRISH.map((_, index) => (index < 5 ? 1 : 0)))
    await registered()
    forgetAll()
    await run(id, 60)
    expect(await read(key, id)).toMatchObject({ state: 'finished', counts: { valid: 40 } })
  })

  it('ends its questions after a day', async () => {
    const { key, id } = await begin({ vat_ids: ['IE6388047V'] })
    const limited = { limit: async () => ({ success: false }) }
    await runVatCheck({ ...asking, QUESTION_LIMIT_ENTERPRISE: limited }, shard, id, at(86_401))
    const [result] = (await read(key, id, '/results'))['results'] as object[]
    expect(result).toMatchObject({ status: 'unavailable', reason: 'too_many_questions' })
  })

  it('goes on after a crash, and two at once ask about no id twice', async () => {
    await registered()
    const { key, id } = await begin({ vat_ids: IRISH.slice(0, 5) })
    const dying = { ...shard, books: dies(books) }
    await expect(runVatCheck(asking, dying, id, NOW)).rejects.toThrow('died')
    expect(await read(key, id)).toMatchObject({ state: 'running', counts: { pending: 5 } })
    await run(id, 119)
    expect(await read(key, id)).toMatchObject({ counts: { pending: 5 } })
    const { queue, heard } = listening()
    await sweepVatChecks({ ...env, VALIDATIONS: queue }, shard, at(200))
    expect(heard).toContainEqual({ kind: 'vat_check', id, shard: 1 })
    const before = await askedTimes()
    await Promise.all([1, 2, 3].map(() => runVatCheck(asking, shard, id, at(200))))
    expect((await askedTimes()) - before).toBe(0)
    expect(await read(key, id)).toMatchObject({ state: 'finished', counts: { valid: 5 } })
  })

  it('begins once for a key of a repeat', async () => {
    const account = await newAccount()
    const sent = {
      key: account.key,
      body: { vat_ids: ['IE6388047V'] },
      headers: { 'Idempotency-Key': 'one' },
    }
    const [one, again] = [
      await call('POST', '/v1/vat/checks', sent),
      await call('POST', '/v1/vat/checks', sent),
    ]
    expect(again.body['id']).toBe(one.body['id'])
    expect(await rowsOf(account.account_id)).toBe(1)
  })

  it('names the field that is wrong', async () => {
    const { key } = await newAccount()
    for (const [body, path] of [
      [{ vat_ids: [] }, 'vat_ids'],
      [{ vat_ids: Array.from({ length: 1_001 }, () => 'IE6388047V') }, 'vat_ids'],
      [{ vat_ids: ['IE6388047V', 'x'] }, 'vat_ids[1]'],
      [{ vat_ids: ['IE6388047V'], requester_vat_id: 'AU1' }, 'requester_vat_id'],
      [{ vat_ids: ['IE6388047V'], country: 'Ireland' }, 'country'],
    ] as const)
      expect((await call('POST', '/v1/vat/checks', { key, body })).body).toMatchObject({ errors: [{ path }] })
    for (const path of ['chk_01m7yb3zbqfvpakx03p0pfwfzm', 'chk_01m7yb3zbqfvpakx03p0pfwfzm/report'])
      expect((await call('GET', `/v1/vat/checks/${path}`, { key })).status).toBe(404)
  })

  it('is one of 20 that an account has under way', async () => {
    const { key } = await newAccount({ tier: 'enterprise' })
    const body = { vat_ids: ['IE6388047V'] }
    for (let count = 0; count < 20; count += 1)
      expect((await call('POST', '/v1/vat/checks', { key, body })).status).toBe(201)
    expect((await call('POST', '/v1/vat/checks', { key, body })).body).toMatchObject({
      reason: 'too_many_checks',
    })
  })

  it('is kept for 90 days, unless there is a legal hold', async () => {
    await registered()
    const [held, free] = [await begin({ vat_ids: ['IE6388047V'] }), await begin({ vat_ids: ['IE6388047V'] })]
    for (const { id } of [held, free]) await run(id)
    await books
      .prepare('UPDATE accounts SET held_at = ? WHERE id = ?')
      .bind('2026-01-01', held.account_id)
      .run()
    await sweepVatChecks(env, shard, at(89 * 86_400))
    expect([await rowsOf(held.account_id), await rowsOf(free.account_id)]).toEqual([1, 1])
    await sweepVatChecks(env, shard, at(91 * 86_400))
    expect([await rowsOf(held.account_id), await rowsOf(free.account_id)]).toEqual([1, 0])
  })

  it('goes with its account', async () => {
    const { account_id } = await begin({ vat_ids: IRISH })
    const tools = { control: env.DB, shardOf: (number: number) => shardOf(env, number), clock: () => NOW }
    const { erased } = await eraseAccount(tools, account_id)
    expect(erased).toMatchObject({ vat_checks: 1, vat_check_ids: 40 })
  })
})

const rowsOf = async (account_id: string) =>
  books.prepare('SELECT count(*) AS rows FROM vat_checks WHERE account_id = ?').bind(account_id).first('rows')

/** A database that takes the lease, and dies before an answer is kept. */
function dies(db: typeof books): typeof books {
  let batches = 0
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) => {
          batches += 1
          return batches === 1 ? target.batch(statements) : Promise.reject(new Error('died'))
        }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
