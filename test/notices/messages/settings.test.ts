import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countMessagesSealedOtherwise } from '../../../src/notices/messages/reseal-store.ts'
import { resealMessages } from '../../../src/notices/messages/reseal.ts'
import { oneLine } from '../../../src/notices/messages/lines.ts'
import { announceExpiring } from '../../../src/parties/exemptions/expire.ts'
import { endAccess } from '../../../src/service/erasures/account-store.ts'
import { keyIdOf } from '../../../src/notices/delivery/secrets.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { callWith } from '../../faults/faulty.ts'
import { letters } from '../subscribing.ts'
import {
  addPerson,
  disabled,
  dueAt,
  got,
  mailbox,
  newChat,
  newTeller,
  onlyOne,
  put,
  record,
  tick,
  withMail,
} from './telling.ts'

await loadTestData()

const AT = '2026-05-12T08:00:00.000Z'
const EARLIER = '2026-05-12T03:00:00.000Z'

describe('the settings of messages', () => {
  it('are the defaults until they are set, and omitted fields stay', async () => {
    const { MAIL } = mailbox()
    const bindings = withMail(MAIL)
    const teller = await newTeller()
    const before = await call('GET', '/v1/account/messages', { key: teller.key })
    expect(before.body).toMatchObject({
      hour: 8,
      time_zone: 'UTC',
      mail_available: false,
      recipients: [],
      chat: null,
      next_at: null,
      last: [],
    })
    const host = await newChat()
    const url = `https://${host}/x`
    await call('PUT', '/v1/account/messages', { key: teller.key, body: { chat: { format: 'slack', url } } })
    const person = await addPerson(teller.account_id, 'ann@example.com')
    await put(bindings, teller, { recipients: [person], kinds: { rate_changed: false } })
    const { body } = await put(bindings, teller, { hour: 17 })
    expect(body).toMatchObject({
      hour: 17,
      kinds: { rate_changed: false, return_due: true },
      mail_available: true,
      recipients: [{ person_id: person, email: 'ann@example.com', name: 'Ann', stopped_at: null }],
      chat: { format: 'slack', host },
      chat_secret: null,
    })
    expect((await put(bindings, teller, { kinds: { rate_changed: true } })).body).toMatchObject({
      kinds: { rate_changed: true },
    })
    const none = await put(bindings, teller, { chat: null, recipients: [] })
    expect(none.body).toMatchObject({ chat: null, recipients: [], next_at: null })
  })

  it('refuse people of another account, mail that is not set up, and wrong values, by field', async () => {
    const bindings = withMail(mailbox().MAIL)
    const [teller, other] = [await newTeller(), await newTeller()]
    const own = await addPerson(teller.account_id, 'ann@example.com')
    const foreign = await addPerson(other.account_id, 'bob@example.com')
    const refusals: [object, string][] = [
      [{ recipients: [own, foreign] }, 'recipients[1]'],
      [{ recipients: [own, own] }, 'recipients'],
      [{ recipients: Array.from({ length: 21 }, (_, index) => `person_${index}`) }, 'recipients'],
      [{ hour: 24 }, 'hour'],
      [{ hour: 8.5 }, 'hour'],
      [{ kinds: { unknown: true } }, 'kinds'],
      [{ chat: { format: 'html', url: 'https://hooks.example.com/' } }, 'chat.format'],
    ]
    for (const [body, path] of refusals) {
      const { status, body: answer, text } = await put(bindings, teller, body)
      expect(status, text).toBe(400)
      expect((answer['errors'] as { path: string }[])[0]?.path, text).toContain(path)
    }
    const unset = await put(env, teller, { recipients: [own] })
    expect(unset.body['errors']).toEqual([
      { path: 'recipients', message: 'the operator of the service has not set up mail' },
    ])
    expect((await got(bindings, teller))['next_at']).toBeNull()
  })

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://metadata.internal/',
    'https://user:password@hooks.example.com/',
    'https://hooks.example.com:8080/',
    'file:///etc/passwd',
  ])('refuse %s as a chat', async (url) => {
    const teller = await newTeller()
    const production = { ...env, ENVIRONMENT: 'production' }
    const { status, body } = await put(production, teller, { chat: { format: 'slack', url } })
    expect(status).toBe(400)
    expect((body['errors'] as { path: string }[])[0]?.path).toBe('chat.url')
  })

  it('post nothing to a host that has become private', async () => {
    const teller = await newTeller()
    const host = await newChat()
    await put(env, teller, { chat: { format: 'slack', url: `https://${host}/` } })
    await fetch(`https://cloudflare-dns.com/dns-query?name=${host}`, {
      method: 'PUT',
      body: JSON.stringify(['10.0.0.1']),
    })
    await dueAt(teller, AT)
    await record(teller, disabled(teller), EARLIER)
    await tick(env, teller, AT)
    expect(await letters(host)).toEqual([])
    const { last } = (await got(env, teller)) as { last: object[] }
    expect(onlyOne(last)).toMatchObject({ state: 'pending', error: 'connection_failed' })
  })

  it('are changed by two at once without losing either', async () => {
    const teller = await newTeller()
    await Promise.all([put(env, teller, { hour: 5 }), put(env, teller, { kinds: { return_due: false } })])
    expect(await got(env, teller)).toMatchObject({ hour: 5, kinds: { return_due: false } })
  })

  it('go with the erased account', async () => {
    const bindings = withMail(mailbox().MAIL)
    const teller = await newTeller()
    const person = await addPerson(teller.account_id, 'ann@example.com')
    await put(bindings, teller, { recipients: [person] })
    await dueAt(teller, AT)
    await record(teller, disabled(teller), EARLIER)
    await tick(bindings, teller, AT)
    await env.DB.batch(endAccess(env.DB, teller.account_id, AT))
    for (const table of ['messages', 'message_recipients', 'message_settings'])
      expect(
        await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
          .bind(teller.account_id)
          .first('n'),
        table,
      ).toBe(0)
  })

  it('are sealed again under the next key, and then open with it alone', async () => {
    const { mails, MAIL } = mailbox()
    const teller = await newTeller()
    const host = await newChat()
    const person = await addPerson(teller.account_id, 'ann@example.com')
    await put(withMail(MAIL), teller, {
      recipients: [person],
      chat: { format: 'signed', url: `https://${host}/` },
    })
    const next = 'the next key of messages'
    const key_id = await keyIdOf(next)
    expect(await countMessagesSealedOtherwise(env.DB, key_id)).toBeGreaterThan(2)
    await resealMessages({ ...env, ENCRYPTION_KEY_NEXT: next }, new Date())
    expect(await countMessagesSealedOtherwise(env.DB, key_id)).toBe(0)
    await dueAt(teller, AT)
    await record(teller, disabled(teller), EARLIER)
    await tick(withMail(MAIL, { ENCRYPTION_KEY: next }), teller, AT)
    expect(onlyOne(mails).text).toContain('/messages/stop/')
    expect(await letters(host)).toHaveLength(1)
  })

  it('send a test to each recipient, five times a day', async () => {
    const { mails, MAIL } = mailbox()
    const bindings = withMail(MAIL)
    const teller = await newTeller()
    const test = () =>
      callWith(bindings, teller.key, { method: 'POST', path: '/v1/account/messages/test', body: undefined })
    expect((await test()).body['reason']).toBe('nobody_to_tell')
    const person = await addPerson(teller.account_id, 'ann@example.com')
    const host = await newChat([{ status: 410 }])
    await put(bindings, teller, {
      recipients: [person],
      chat: { format: 'slack', url: `https://${host}/` },
    })
    expect((await test()).body['results']).toEqual([
      { channel: 'chat', person_id: null, sent: false, error: 'http_410' },
      { channel: 'mail', person_id: person, sent: true, error: null },
    ])
    for (let tests = 2; tests <= 5; tests += 1) expect((await test()).status).toBe(200)
    const sixth = await test()
    expect([sixth.status, sixth.body['reason']]).toEqual([429, 'too_many_test_messages'])
    expect(mails).toHaveLength(5)
  })
})

describe('a message', () => {
  it('has no header or line of a name, whatever it contains', async () => {
    const { mails, MAIL } = mailbox()
    const bindings = withMail(MAIL)
    const teller = await newTeller(`Acme\r\nBcc: evil@example.com\u2028${crypto.randomUUID()}`)
    const person = await addPerson(teller.account_id, 'ann@example.com')
    await put(bindings, teller, { recipients: [person] })
    await dueAt(teller, AT)
    await record(teller, disabled(teller), EARLIER)
    await tick(bindings, teller, AT)
    const { subject, headers, to } = onlyOne(mails)
    expect(subject).toMatch(/^1 matter of Acme Bcc: evil@example\.com /)
    expect(to).toBe('ann@example.com')
    expect(JSON.stringify([subject, headers])).not.toMatch(/\\r|\\n|\u2028/)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const line = oneLine(text, 60)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(Array.from(line).length).toBeLessThanOrEqual(60)
      }),
    )
  })

  it('has nothing of the buyers of the books', async () => {
    const { mails, MAIL } = mailbox()
    const bindings = withMail(MAIL)
    const teller = await newTeller()
    const { key } = teller
    const host = await newChat()
    const person = await addPerson(teller.account_id, 'ann@example.com')
    const buyer = {
      name: 'Zebulon Buyerson',
      email: 'zebulon@buyer.example',
      address: {
        country: 'US',
        region: 'TX',
        city: 'Buyerville',
        line1: '77 Secret Lane',
        postal_code: '78701',
      },
    }
    const customer = String((await call('POST', '/v1/customers', { key, body: buyer })).body['id'])
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const certificate = {
      jurisdiction_id: 'US-TX',
      exemption_type: 'resale',
      certificate_number: 'CERT-SECRET-1',
      valid_from: day(-30),
      valid_to: day(10),
    }
    const made = await call('POST', `/v1/customers/${customer}/exemptions`, { key, body: certificate })
    const path = `/v1/customers/${customer}/exemptions/${String(made.body['id'])}`
    const verified = await call('PUT', path, { key, body: { status: 'verified' } })
    expect(verified.status, verified.text).toBe(200)
    await announceExpiring(teller.shard.books, new Date())
    const chat = { format: 'signed', url: `https://${host}/` }
    await put(bindings, teller, { recipients: [person], chat })
    const at = new Date(Date.now() + 30 * 60_000).toISOString()
    await dueAt(teller, at)
    await tick(bindings, teller, at)
    const { text } = onlyOne(mails)
    expect(text).toContain(`- 1 certificate for Texas ends on ${day(10)}`)
    const { results } = await env.DB.prepare('SELECT * FROM messages WHERE account_id = ?')
      .bind(teller.account_id)
      .all()
    const everything = JSON.stringify([mails, await letters(host), results, await got(bindings, teller)])
    const secrets = ['Zebulon', 'zebulon', 'Buyerville', 'Secret Lane', '78701', 'CERT-SECRET', customer]
    for (const secret of secrets) expect(everything).not.toContain(secret)
  })
})
