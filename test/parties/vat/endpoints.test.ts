import { keepAccountsIn } from '../../support/shards.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkVatIdsAgain } from '../../../src/parties/customers/check-vat-ids-again.ts'
import { retryValidation, sweepValidations } from '../../../src/parties/customers/retry-vat-validation.ts'
import { readValidBefore, waitForChecks } from '../../../src/parties/customers/vat-validations-store.ts'
import { callWith } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { AUTHORITY_HOST } from '../../support/authority-server.ts'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

keepAccountsIn(0)

await loadTestData()

const { key } = await newAccount()
const NOW = new Date('2026-11-21T12:00:00Z')
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  forgetAll()
  await unavailable('MS_UNAVAILABLE')
  for (const { name } of (await env.KV.list({ prefix: 'vat:' })).keys) await env.KV.delete(name)
})
afterEach(() => vi.useRealTimers())

/** All tests share the one address that stands in the bindings. */
async function answer(body: object): Promise<void> {
  await fetch(`https://${AUTHORITY_HOST}/any/rest`, {
    method: 'PUT',
    body: JSON.stringify({ body: JSON.stringify(body) }),
  })
}
const unavailable = (error: string) => answer({ actionSucceed: false, errorWrappers: [{ error }] })
const registered = (valid: boolean, more: object = {}) =>
  answer({
    countryCode: 'IE',
    vatNumber: '6388047V',
    valid,
    requestIdentifier: '',
    name: 'EXAMPLE LIMITED',
    address: 'DUBLIN',
    ...more,
  })
const askedTimes = async () =>
  ((await (await fetch(`https://${AUTHORITY_HOST}/any?asked`)).json()) as object[]).length
const lastQuestion = async () =>
  ((await (await fetch(`https://${AUTHORITY_HOST}/any?asked`)).json()) as { body: string }[]).at(-1)?.body
const validate = (body: object) => call('POST', '/v1/vat/validate', { key, body })

describe('POST /v1/vat/validate', () => {
  it('tells what the authority says, and remembers a yes for a day and a no for an hour', async () => {
    await registered(true)
    const first = (await validate({ vat_id: 'ie 63.88-047V' })).body
    expect(first).toMatchObject({
      vat_id: 'IE6388047V',
      country_code: 'IE',
      vat_number: '6388047V',
      status: 'valid',
      valid: true,
      format_valid: true,
      company_name: 'EXAMPLE LIMITED',
      company_address: 'DUBLIN',
      source: 'European Commission, VIES',
      reason: null,
      cached: false,
      checked_at: NOW.toISOString(),
    })
    await registered(false)
    vi.setSystemTime(at(86_399))
    expect((await validate({ vat_id: 'IE6388047V' })).body).toMatchObject({
      status: 'valid',
      cached: true,
      checked_at: NOW.toISOString(),
    })
    vi.setSystemTime(at(86_400))
    expect((await validate({ vat_id: 'IE6388047V' })).body).toMatchObject({
      status: 'invalid',
      valid: false,
      cached: false,
    })
    await registered(true)
    vi.setSystemTime(at(86_400 + 3_599))
    expect((await validate({ vat_id: '6388047V', country: 'IE' })).body).toMatchObject({
      status: 'invalid',
      cached: true,
    })
    vi.setSystemTime(at(86_400 + 3_600))
    expect((await validate({ vat_id: 'IE6388047V' })).body).toMatchObject({ status: 'valid', cached: false })
  })

  it('never remembers an outage, and never calls it invalid', async () => {
    expect((await validate({ vat_id: 'IE6388047V' })).body).toMatchObject({
      status: 'unavailable',
      valid: null,
      reason: 'MS_UNAVAILABLE',
      format_valid: true,
    })
    await registered(true)
    vi.setSystemTime(at(30))
    expect((await validate({ vat_id: 'IE6388047V' })).body).toMatchObject({ status: 'valid', cached: false })
  })

  it('does not ask a member state that is down for 30 s, and asks the others', async () => {
    const before = await askedTimes()
    await validate({ vat_id: 'IE6388047V' })
    vi.setSystemTime(at(29))
    expect((await validate({ vat_id: 'IE3668997OH' })).body).toMatchObject({ reason: 'MS_UNAVAILABLE' })
    expect((await askedTimes()) - before).toBe(1)
    await validate({ vat_id: 'DE136695976' })
    expect((await askedTimes()) - before).toBe(2)
  })

  it('asks once when the same question comes many times at the same moment', async () => {
    await registered(true)
    const before = await askedTimes()
    const answers = await Promise.all(Array.from({ length: 20 }, () => validate({ vat_id: 'IE6388047V' })))
    expect(new Set(answers.map(({ body }) => body['status']))).toEqual(new Set(['valid']))
    expect((await askedTimes()) - before).toBe(1)
  })

  it('asks at most 10 questions a minute for a free account, and stays free to others', async () => {
    await registered(true)
    const free = await newAccount({ tier: 'free' })
    const ask = (id: string, asker: string) =>
      call('POST', '/v1/vat/validate', { key: asker, body: { vat_id: id } })
    await env.QUESTION_LIMIT_FREE.limit({ key: free.account_id })
    for (let count = 0; count < 20; count += 1) await env.QUESTION_LIMIT_FREE.limit({ key: free.account_id })
    const before = await askedTimes()
    expect((await ask('IE6388047V', free.key)).body).toMatchObject({
      status: 'unavailable',
      valid: null,
      reason: 'too_many_questions',
    })
    expect((await askedTimes()) - before).toBe(0)
    expect((await ask('IE6388047V', key)).body).toMatchObject({ status: 'valid' })
    expect((await ask('IE6388047V', free.key)).body).toMatchObject({ status: 'valid', cached: true })
  })

  it('asks anew for each requester, who has a right to a number of its own', async () => {
    await registered(true)
    await validate({ vat_id: 'IE6388047V' })
    await registered(true, { requestIdentifier: 'WAPI1' })
    expect((await validate({ vat_id: 'IE6388047V', requester_vat_id: 'DE136695976' })).body).toMatchObject({
      consultation_number: 'WAPI1',
      cached: false,
    })
  })

  it('names a requester only to the authority that knows it', async () => {
    await registered(true)
    await validate({ vat_id: 'IE6388047V', requester_vat_id: 'GB980780684' })
    expect(await lastQuestion()).not.toContain('requester')
    await validate({ vat_id: 'IE6388047V', requester_vat_id: 'XI980780684' })
    expect(await lastQuestion()).toContain('"requesterMemberStateCode":"XI"')
  })

  it('asks nobody about what cannot be a number', async () => {
    const before = await askedTimes()
    expect((await validate({ vat_id: 'IE12' })).body).toMatchObject({
      status: 'invalid',
      format_valid: false,
      reason: 'invalid_format',
    })
    expect((await validate({ vat_id: 'EU372022452' })).body).toMatchObject({
      status: 'invalid',
      reason: 'scheme_number',
    })
    expect(await askedTimes()).toBe(before)
  })

  it('has no authority to ask for Switzerland, and no credentials for Great Britain', async () => {
    expect((await validate({ vat_id: 'CHE-100.155.212 MWST' })).body).toMatchObject({
      status: 'unavailable',
      reason: 'no_online_validation',
    })
    expect((await validate({ vat_id: 'GB980780684' })).body).toMatchObject({
      status: 'unavailable',
      reason: 'not_configured',
    })
  })

  it.each([
    [{}, 'vat_id'],
    [{ vat_id: 6_388_047 }, 'vat_id'],
    [{ vat_id: '' }, 'vat_id'],
    [{ vat_id: 'x'.repeat(41) }, 'vat_id'],
    [{ vat_id: '6388047V' }, 'country'],
    [{ vat_id: '6388047V', country: 'Ireland' }, 'country'],
    [{ vat_id: '123456789', country: 'US' }, 'country'],
    [{ vat_id: 'IE6388047V', requester: 'DE136695976' }, 'requester'],
    [{ vat_id: 'IE6388047V', requester_vat_id: '136695976' }, 'requester_vat_id'],
    [{ vat_id: 'IE6388047V', requester_vat_id: 'DE136695970' }, 'requester_vat_id'],
    [{ vat_id: 'IE6388047V', requester_vat_id: 'CHE-100.155.212 MWST' }, 'requester_vat_id'],
  ])('refuses %j, naming %s', async (body, path) => {
    const refused = await validate(body)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })
})

describe('GET /v1/vat/format-check', () => {
  it.each([
    [
      'vat_id=DE136695976',
      { vat_id: 'DE136695976', country_code: 'DE', format_valid: true, checksum_valid: true },
    ],
    ['vat_id=DE136695970', { format_valid: true, checksum_valid: false }],
    ['vat_id=DE12', { format_valid: false, checksum_valid: false, expected_format: '9 digits' }],
    ['vat_id=EL094259216', { vat_id: 'EL094259216', country_code: 'GR', format_valid: true }],
    ['vat_id=094259216&country=GR', { vat_id: 'EL094259216', country_code: 'GR', format_valid: true }],
    ['vat_id=XI980780684', { country_code: 'XI', format_valid: true, format_only: false }],
    ['vat_id=OM1100012345', { country_code: 'OM', format_valid: true, format_only: true }],
    [
      'vat_id=CHE-107.787.577',
      { country_code: 'CH', format_valid: true, format_only: false, shows_business: false },
    ],
    ['vat_id=CHE-107.787.577%20MWST', { country_code: 'CH', format_valid: true, shows_business: true }],
    [
      'vat_id=51%20824%20753%20556&country=AU',
      { country_code: 'AU', format_valid: true, checksum_valid: true },
    ],
  ])('tells of %s', async (query, expected) => {
    const { status, body } = await call('GET', `/v1/vat/format-check?${query}`, { key })
    expect(status).toBe(200)
    expect(body).toMatchObject(expected)
  })

  it('needs a number', async () => {
    expect((await call('GET', '/v1/vat/format-check', { key })).status).toBe(400)
  })
})

describe('GET /v1/vat/countries', () => {
  it('lists them with the form of their numbers and whether they can be asked about', async () => {
    const { body } = await call('GET', '/v1/vat/countries', { key })
    const countries = body['countries'] as { country_code: string }[]
    expect(body['total']).toBe(countries.length)
    expect(countries.find((each) => each.country_code === 'GR')).toMatchObject({
      vat_prefix: 'EL',
      name: 'Greece',
      online_validation: true,
    })
    expect(countries.find((each) => each.country_code === 'CH')).toMatchObject({ online_validation: false })
    expect(countries.find((each) => each.country_code === 'XI')).toMatchObject({
      name: 'Northern Ireland',
      online_validation: true,
    })
  })
})

describe('POST /v1/vat/validate-customer/:customerId', () => {
  const customer = async (more: object = {}, owner = key) =>
    String(
      (
        await call('POST', '/v1/customers', {
          key: owner,
          body: { name: 'Example', vat_id: 'IE6388047V', ...more },
        })
      ).body['id'],
    )
  const read = async (id: string) => (await call('GET', `/v1/customers/${id}`, { key })).body
  const check = (id: string, headers: Record<string, string> = {}) =>
    call('POST', `/v1/vat/validate-customer/${id}`, { key, headers })
  const rows = async (id: string) =>
    (
      await env.DB.prepare('SELECT * FROM vat_validations WHERE customer_id = ? ORDER BY id')
        .bind(id)
        .all<Record<string, unknown>>()
    ).results
  const audited = async (id: string) =>
    (
      await env.DB.prepare('SELECT action, key_id FROM audit_events WHERE resource_id = ? ORDER BY id')
        .bind(id)
        .all()
    ).results.slice(1)

  it('writes the three fields, an audit event and the proof', async () => {
    await registered(true, { requestIdentifier: 'WAPI2' })
    await call('PUT', '/v1/account', { key, body: { country: 'DE', vat_id: 'DE136695976' } })
    const id = await customer()
    const { status, body } = await check(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      customer: {
        id,
        vat_id_validated: true,
        vat_id_validated_at: NOW.toISOString(),
        vat_id_company_name: 'EXAMPLE LIMITED',
        exemptions: [],
      },
      validation: { status: 'valid', consultation_number: 'WAPI2' },
    })
    const { queried_at: _now, ...stored } = await read(id)
    expect(stored).toEqual(body['customer'])
    expect(await rows(id)).toMatchObject([
      { status: 'valid', consultation_number: 'WAPI2', checked_at: NOW.toISOString() },
    ])
    expect(await audited(id)).toMatchObject([{ action: 'customer.vat_id_validated' }])
  })

  it.each([
    ['Great Britain', { country: 'GB', vat_id: 'GB980780684' }],
    ['Switzerland', { country: 'CH', vat_id: 'CHE-100.155.212 MWST' }],
    ['Australia', { country: 'AU', vat_id: '51824753556' }],
  ])('answers a seller in %s, whose own number VIES does not know', async (_, seller) => {
    await registered(true)
    const other = await newAccount()
    expect((await call('PUT', '/v1/account', { key: other.key, body: seller })).status).toBe(200)
    const id = await customer({}, other.key)
    const { body } = await call('POST', `/v1/vat/validate-customer/${id}`, { key: other.key })
    expect(body).toMatchObject({ customer: { vat_id_validated: true }, validation: { status: 'valid' } })
    expect(await lastQuestion()).not.toContain('requester')
  })

  it('writes a no as well', async () => {
    await registered(false)
    const id = await customer()
    await check(id)
    expect(await read(id)).toMatchObject({
      vat_id_validated: false,
      vat_id_validated_at: NOW.toISOString(),
      vat_id_company_name: null,
    })
  })

  it('replays its answer for the same key', async () => {
    await registered(true)
    const id = await customer()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await check(id, headers)
    await registered(false)
    const { queried_at: _one, ...replayed } = (await check(id, headers)).body
    const { queried_at: _two, ...answered } = first.body
    expect(replayed).toEqual(answered)
    expect(await rows(id)).toHaveLength(1)
  })

  it('asks again after 1 min, 10 min, 1 h and 6 h, to the second, and then gives up', async () => {
    const id = await customer()
    expect((await check(id)).body).toMatchObject({
      customer: { vat_id_validated: false, vat_id_validated_at: null },
      validation: { status: 'unavailable' },
    })
    let due = 0
    for (const [index, delay] of [60, 600, 3_600, 21_600].entries()) {
      due += delay
      const [row] = await rows(id)
      expect(row).toMatchObject({
        status: 'pending',
        attempts: index + 1,
        next_attempt_at: at(due).toISOString(),
        reason: 'MS_UNAVAILABLE',
      })
      const before = await askedTimes()
      await retryValidation(env, shardOf(env, 0), String(row?.['id']), at(due - 1))
      expect(await askedTimes()).toBe(before)
      await retryValidation(env, shardOf(env, 0), String(row?.['id']), at(due))
    }
    expect(await rows(id)).toMatchObject([{ status: 'given_up', attempts: 5, next_attempt_at: null }])
    expect(await read(id)).toMatchObject({ vat_id_validated_at: null })
  })

  it('updates the customer once the authority answers', async () => {
    const id = await customer()
    await check(id)
    await registered(true)
    const [row] = await rows(id)
    await Promise.all([1, 2, 3].map(() => retryValidation(env, shardOf(env, 0), String(row?.['id']), at(60))))
    expect(await read(id)).toMatchObject({
      vat_id_validated: true,
      vat_id_validated_at: at(60).toISOString(),
    })
    expect(await rows(id)).toMatchObject([{ status: 'valid' }])
    expect(await audited(id)).toMatchObject([
      { action: 'customer.vat_id_validation_postponed' },
      { action: 'customer.vat_id_validated', key_id: 'system' },
    ])
  })

  it('never takes the answer about an old id for a new one', async () => {
    const id = await customer()
    await check(id)
    await registered(true)
    await call('PUT', `/v1/customers/${id}`, { key, body: { vat_id: 'DE136695976' } })
    const [row] = await rows(id)
    await retryValidation(env, shardOf(env, 0), String(row?.['id']), at(60))
    expect(await read(id)).toMatchObject({
      vat_id: 'DE136695976',
      vat_id_validated: false,
      vat_id_validated_at: null,
    })
    expect(await rows(id)).toMatchObject([{ status: 'given_up', reason: 'changed_meanwhile' }])
  })

  it('is woken by the sweep when its message was lost', async () => {
    const id = await customer()
    await check(id)
    const [row] = await rows(id)
    const { queue, heard } = listening()
    const message = { kind: 'validation', id: row?.['id'], shard: 0 }
    await sweepValidations({ ...env, VALIDATIONS: queue }, shardOf(env, 0), at(119))
    expect(heard).not.toContainEqual(message)
    await sweepValidations({ ...env, VALIDATIONS: queue }, shardOf(env, 0), at(120))
    expect(heard).toContainEqual(message)
  })

  const changes = async (id: string) =>
    (
      await env.DB.prepare(
        "SELECT data FROM events WHERE type = 'vat_id.changed' AND data ->> 'customer_id' = ? ORDER BY id",
      )
        .bind(id)
        .all<{ data: string }>()
    ).results.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
  const forgetAnswers = async () => {
    for (const { name } of (await env.KV.list({ prefix: 'vat:' })).keys) await env.KV.delete(name)
  }

  it('tells the account that a later answer is another one, and does not tell the first answer', async () => {
    const id = await customer()
    await registered(true)
    await check(id)
    vi.setSystemTime(at(1))
    await check(id)
    expect(await changes(id)).toEqual([])
    await forgetAnswers()
    await registered(false)
    vi.setSystemTime(at(2))
    await check(id)
    const gone = {
      customer_id: id,
      country_code: 'IE',
      old_status: 'valid',
      new_status: 'invalid',
      checked_at: at(2).toISOString(),
    }
    expect(await changes(id)).toEqual([gone])
    await forgetAnswers()
    await registered(true)
    vi.setSystemTime(at(3))
    await check(id)
    expect(await changes(id)).toMatchObject([gone, { old_status: 'invalid', new_status: 'valid' }])
  })

  it('sends the change at once, whoever asked', async () => {
    const { queue, heard } = listening()
    const bindings = { ...env, WEBHOOK_EVENTS: queue }
    const id = await customer()
    await registered(true)
    await check(id)
    await forgetAnswers()
    await registered(false)
    vi.setSystemTime(at(1))
    await callWith(bindings, key, {
      method: 'POST',
      path: `/v1/vat/validate-customer/${id}`,
      body: undefined,
    })
    expect(heard).toEqual([{ kind: 'event', id: expect.stringMatching(/^evt_/), shard: 0 }])
    await forgetAnswers()
    await unavailable('MS_UNAVAILABLE')
    await check(id)
    const waiting = (await rows(id)).find(({ status }) => status === 'pending')
    await registered(true)
    await retryValidation(bindings, shardOf(env, 0), String(waiting?.['id']), at(120))
    expect(heard).toHaveLength(2)
  })

  it('does not compare the answer about another VAT id', async () => {
    const id = await customer()
    await registered(true)
    await check(id)
    await call('PUT', `/v1/customers/${id}`, { key, body: { vat_id: 'IE3668997OH' } })
    await registered(false)
    await check(id)
    expect(await read(id)).toMatchObject({ vat_id_validated: false })
    expect(await changes(id)).toEqual([])
  })

  it('is repeated 30 days after the id was valid, and then tells a change once', async () => {
    const id = await customer()
    await registered(true)
    await check(id)
    await forgetAnswers()
    const days = (count: number) => at(count * 86_400 + 1)
    await checkVatIdsAgain(env.DB, days(29))
    expect(await rows(id)).toMatchObject([{ status: 'valid' }])
    await checkVatIdsAgain(env.DB, days(30))
    await checkVatIdsAgain(env.DB, days(30))
    const waiting = (await rows(id)).filter(({ status }) => status === 'pending')
    expect(waiting).toMatchObject([{ attempts: 0, next_attempt_at: days(30).toISOString() }])
    // The customer stays valid until the authority answers.
    expect(await read(id)).toMatchObject({ vat_id_validated: true })
    await registered(false)
    const { queue, heard } = listening()
    await sweepValidations({ ...env, VALIDATIONS: queue }, shardOf(env, 0), days(31))
    expect(heard).toContainEqual({ kind: 'validation', id: waiting[0]?.['id'], shard: 0 })
    for (const _ of [1, 2]) await retryValidation(env, shardOf(env, 0), String(waiting[0]?.['id']), days(31))
    expect(await read(id)).toMatchObject({ vat_id_validated: false })
    expect(await changes(id)).toMatchObject([{ old_status: 'valid', new_status: 'invalid' }])
    await checkVatIdsAgain(env.DB, days(90))
    expect((await rows(id)).filter(({ status }) => status === 'pending')).toEqual([])
  })

  it('is not asked again each night of an authority that gives no answer, but after a week', async () => {
    await registered(true)
    const id = await customer()
    await check(id)
    const days = (count: number) => at(count * 86_400 + 1)
    const pending = async () => (await rows(id)).filter(({ status }) => status === 'pending').length
    await checkVatIdsAgain(env.DB, days(31))
    expect(await pending()).toBe(1)
    await env.DB.prepare(
      "UPDATE vat_validations SET status = 'given_up' WHERE customer_id = ? AND status = 'pending'",
    )
      .bind(id)
      .run()
    await checkVatIdsAgain(env.DB, days(32))
    expect(await pending()).toBe(0)
    await checkVatIdsAgain(env.DB, days(39))
    expect(await pending()).toBe(1)
  })

  it('waits for no check of a customer that was erased in the meantime, and for those of the others', async () => {
    await registered(true)
    const [erased, stays] = [await customer(), await customer()]
    for (const id of [erased, stays]) await check(id)
    const found = await readValidBefore(
      env.DB,
      { before: at(40 * 86_400).toISOString(), unanswered_since: NOW.toISOString() },
      100,
    )
    await call('DELETE', `/v1/customers/${erased}`, { key })
    await env.DB.batch(waitForChecks(env.DB, found, at(40 * 86_400)))
    expect(await rows(erased)).toEqual([])
    expect((await rows(stays)).map(({ status }) => status)).toContain('pending')
  })

  it('leaves nothing behind when the customer is erased', async () => {
    await registered(true)
    const id = await customer()
    await check(id)
    await call('DELETE', `/v1/customers/${id}`, { key })
    expect(await rows(id)).toEqual([])
  })

  it('needs a customer of the account with a VAT id, and the scope', async () => {
    const other = await newAccount()
    const id = await customer({}, other.key)
    expect((await check(id)).status).toBe(404)
    const without = await customer({ vat_id: null })
    expect((await check(without)).body).toMatchObject({ errors: [{ path: 'vat_id' }] })
    const reader = await newAccount({ scopes: ['tax:read', 'customers:write'] })
    expect((await call('POST', `/v1/vat/validate-customer/${id}`, { key: reader.key })).body).toMatchObject({
      reason: 'missing_scope: vat:write',
    })
  })
})
