import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../../client/src/verify-webhook.ts'
import { pruneMessages } from '../../../src/notices/messages/daily.ts'
import type { NewEvent } from '../../../src/notices/events/event-types.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { letters } from '../subscribing.ts'
import {
  ADDRESSES,
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
  type Teller,
  tick,
  withMail,
} from './telling.ts'

await loadTestData()

/** A Tuesday. A return of Texas for April is due on the 20th. */
const DAY = '2026-05-12'
const AT = `${DAY}T08:00:00.000Z`
const EARLIER = `${DAY}T03:00:00.000Z`

/** A teller whose message goes to one person by mail. */
async function byMail(name?: string) {
  const { mails, MAIL } = mailbox()
  const bindings = withMail(MAIL)
  const teller = await newTeller(name)
  const person = await addPerson(teller.account_id, `${crypto.randomUUID()}@example.com`)
  expect((await put(bindings, teller, { recipients: [person] })).status).toBe(200)
  await dueAt(teller, AT)
  return { mails, bindings, teller, person }
}

/** Mail that takes nothing, and says why. */
function refusing(code: string) {
  return mailbox(() => {
    throw Object.assign(new Error('no'), { code })
  })
}

async function registered(teller: Teller): Promise<void> {
  const body = { jurisdiction_id: 'US-TX', valid_from: '2026-01-01', filing_frequency: 'monthly' }
  const { status, text } = await call('POST', '/v1/registrations', { key: teller.key, body })
  expect(status, text).toBe(201)
}

function texas(teller: Teller, type: 'return.due' | 'return.overdue', month = '2026-04'): NewEvent {
  const due = month === '2026-04' ? '2026-05-20' : '2026-04-20'
  const data = {
    document: 'return' as const,
    registration_id: 'reg_1',
    jurisdiction_id: 'US-TX',
    scheme: null,
    type: 'us_state',
    period: month,
    from_date: `${month}-01`,
    to_date: `${month}-30`,
    due_date: due,
    last_date: due,
  }
  return { type, account_id: teller.account_id, data }
}

function threshold(
  teller: Teller,
  type: 'threshold.approaching' | 'threshold.exceeded',
  ratio: number,
): NewEvent {
  const data = {
    jurisdiction_id: 'US-CA',
    jurisdiction_name: 'California',
    threshold_type: 'economic',
    threshold_amount: 50_000_000,
    threshold_transactions: null,
    amount: 1,
    transaction_count: 1,
    currency: 'USD',
    ratio,
    measured_from: '2026-01-01',
    measured_to: DAY,
  }
  return { type, account_id: teller.account_id, data }
}

function rate(jurisdiction_id: string, jurisdiction_name: string): NewEvent {
  const rates = { old_rate: 0.22, new_rate: 0.24, effective_from: '2026-07-01' }
  const data = { jurisdiction_id, jurisdiction_name, tax_type: 'VAT' as const, category: 'standard' as const }
  return { type: 'rate.updated', data: { ...data, ...rates } }
}

function ending({ account_id }: Teller, jurisdiction_id = 'US-CA'): NewEvent {
  const data = { exemption_id: 'exm_1', customer_id: 'cust_1', jurisdiction_id, valid_to: '2026-06-01' }
  return { type: 'exemption.expiring', account_id, data }
}

describe('the daily message', () => {
  it('tells by mail each kind of matter that was recorded since the last one', async () => {
    const { mails, bindings, teller } = await byMail('Acme GmbH')
    await registered(teller)
    await record(teller, texas(teller, 'return.due'), EARLIER)
    await record(teller, texas(teller, 'return.overdue', '2026-03'), EARLIER)
    await record(teller, threshold(teller, 'threshold.approaching', 0.869), EARLIER)
    await record(teller, threshold(teller, 'threshold.exceeded', 1.04), EARLIER)
    await record(teller, disabled(teller), EARLIER)
    for (const place of ['US-CA', 'US-CA', 'US-NY']) await record(teller, ending(teller, place), EARLIER)
    await record(teller, rate('US-TX', 'Texas'), EARLIER)
    await env.DB.prepare(
      `INSERT INTO saleor_installs (id, account_id, saleor_api_url, key_id, api_key, token_expires_at, created_at)
       VALUES ('sal_1', ?1, 'https://shop.example/graphql/', 'key_1', 'sealed', ?2, ?2)`,
    )
      .bind(teller.account_id, EARLIER)
      .run()
    await env.DB.prepare(
      `INSERT INTO saleor_refused_orders (install_id, order_id, account_id, number, reason, since, tried_at)
       VALUES ('sal_1', 'order_1', ?1, '4711', 'invalid_region', ?2, ?2)`,
    )
      .bind(teller.account_id, EARLIER)
      .run()
    await tick(bindings, teller, AT)
    const { subject, text, from } = onlyOne(mails)
    expect(from).toBe('tax@example.com')
    expect(subject).toBe('9 matters of Acme GmbH on 2026-05-12')
    const lines = text.split('\r\n')
    expect(lines.slice(0, -5)).toEqual([
      subject,
      '',
      'Overdue',
      '- Return for Texas, 2026-03: overdue, the last day was 2026-04-20',
      '',
      'Due soon',
      '- Return for Texas, 2026-04: due on 2026-05-20, in 8 days',
      '',
      'Thresholds passed',
      '- California: your sales have passed the threshold: 104 % of it',
      '',
      'Thresholds near',
      '- California: your sales are at 86 % of the threshold',
      '',
      'Webhooks that stopped',
      '- The webhook to hooks.example.com is disabled after 5 failures',
      '',
      'Orders of shops that are missing',
      '- 1 order of the shop shop.example could not be recorded',
      '',
      'Certificates that end',
      '- 1 certificate for New York ends on 2026-06-01',
      '- 2 certificates for California end, the first on 2026-06-01',
      '',
      'Rates that changed',
      '- Texas: the standard VAT is 24 % instead of 22 % from 2026-07-01',
      '',
      'See all: https://books.example.com/console/',
    ])
    expect(text).not.toContain('secret-token')
  })

  it('says that a return is due tomorrow, also after a day without a message, and not once it is filed', async () => {
    const { mails, bindings, teller } = await byMail()
    await registered(teller)
    await record(teller, texas(teller, 'return.due'), '2026-05-13T03:00:00.000Z')
    const tomorrow = '- Return for Texas, 2026-04: due on 2026-05-20, tomorrow'
    await dueAt(teller, '2026-05-18T08:00:00.000Z', '2026-05-17')
    await tick(bindings, teller, '2026-05-18T08:00:00.000Z')
    expect(mails).toEqual([])
    await tick(bindings, teller, '2026-05-19T08:00:00.000Z')
    expect(onlyOne(mails).text).toContain(tomorrow)
    await tick(bindings, teller, '2026-05-20T08:00:00.000Z')
    expect(mails).toHaveLength(1)
    // The service was down on the 19th.
    await dueAt(teller, '2026-05-20T08:00:00.000Z', '2026-05-18')
    await tick(bindings, teller, '2026-05-20T08:00:00.000Z')
    expect(mails[1]?.text).toContain('due on 2026-05-20, today')
    const body = { type: 'us_state', jurisdiction_id: 'US-TX', period: '2026-04' }
    const { text } = await call('POST', '/v1/returns', { key: teller.key, body })
    await dueAt(teller, '2026-05-19T08:00:00.000Z', '2026-05-18')
    await tick(bindings, teller, '2026-05-19T08:00:00.000Z')
    expect(mails, text).toHaveLength(2)
  })

  it('tells a changed rate only where the seller is registered or sells', async () => {
    const { mails, bindings, teller } = await byMail()
    await record(teller, rate('EE', 'Estonia'), EARLIER)
    await tick(bindings, teller, AT)
    expect(mails).toEqual([])
    await dueAt(teller, AT)
    await teller.shard.books
      .prepare(
        `INSERT INTO tax_totals (account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme,
           currency, product_type, tax_rate, reason, transactions)
         VALUES (?, 'month', '2026-04', '2026-04', 'EE', 'EE', '', 'EUR', 'saas', 220000, '', 3)`,
      )
      .bind(teller.account_id)
      .run()
    await tick(bindings, teller, AT)
    expect(onlyOne(mails).text).toContain('Estonia: the standard VAT is 24 % instead of 22 % from 2026-07-01')
  })

  it('leaves out what is switched off, and cuts what is too much', async () => {
    const { mails, bindings, teller } = await byMail()
    await put(bindings, teller, { kinds: { certificate_ending: false } })
    await dueAt(teller, AT)
    await record(teller, ending(teller), EARLIER)
    await tick(bindings, teller, AT)
    expect(mails).toEqual([])
    await dueAt(teller, AT)
    for (let count = 0; count < 32; count += 1) await record(teller, disabled(teller), EARLIER)
    await tick(bindings, teller, AT)
    const { text, subject } = onlyOne(mails)
    expect(subject).toMatch(/^32 matters of /)
    expect(text.match(/^- The webhook/gm)).toHaveLength(20)
    expect(text).toContain('And 12 more')
  })

  it('is one a local day and tells each matter once', async () => {
    const { mails, bindings, teller } = await byMail()
    await record(teller, disabled(teller), EARLIER)
    await tick(bindings, teller, AT)
    await tick(bindings, teller, `${DAY}T08:05:00.000Z`)
    // Another hour of the same day is no second message of that day.
    await put(bindings, teller, { hour: 23 })
    await env.DB.prepare('UPDATE message_settings SET next_at = ? WHERE account_id = ?')
      .bind(`${DAY}T23:00:00.000Z`, teller.account_id)
      .run()
    await record(teller, disabled(teller), `${DAY}T12:00:00.000Z`)
    await tick(bindings, teller, `${DAY}T23:00:00.000Z`)
    expect(mails).toHaveLength(1)
    expect((await got(bindings, teller))['next_at']).toBe('2026-05-13T23:00:00.000Z')
    await tick(bindings, teller, '2026-05-13T23:00:00.000Z')
    expect(mails.map(({ subject }) => subject.slice(0, 9))).toEqual(['1 matter ', '1 matter '])
  })

  it('goes to a chat, signed as webhooks are, with a secret that is shown once', async () => {
    const teller = await newTeller()
    const bindings = { ...env, ...ADDRESSES }
    const host = await newChat()
    const chat = { format: 'signed', url: `https://${host}/hook/secret-part` }
    const { body, status } = await put(bindings, teller, { chat })
    expect(status).toBe(200)
    expect(body['chat']).toEqual({ format: 'signed', host })
    const secret = String(body['chat_secret'])
    const read = await got(bindings, teller)
    expect(JSON.stringify(read)).not.toContain('secret-part')
    expect(read).not.toHaveProperty('chat_secret')
    await dueAt(teller, AT)
    await record(teller, disabled(teller), EARLIER)
    await tick(bindings, teller, AT)
    const letter = onlyOne(await letters(host))
    const request = new Request('https://any.example', { method: 'POST', ...letter })
    expect(await verifyWebhook(request, secret, new Date(AT))).toMatchObject({ type: 'message.daily' })
    const sent = JSON.parse(letter.body)
    expect(sent).toEqual({
      id: letter.headers['webhook-id'],
      event: 'message.daily',
      timestamp: AT,
      data: {
        account_id: teller.account_id,
        day: DAY,
        lines: [
          {
            kind: 'webhook_disabled',
            text: 'The webhook to hooks.example.com is disabled after 5 failures',
            jurisdiction_id: null,
            period: null,
            day: null,
          },
        ],
        more: 0,
        console_url: 'https://books.example.com/console/',
      },
    })
    const { last } = (await got(bindings, teller)) as { last: object[] }
    expect(onlyOne(last)).toMatchObject({
      id: sent.id,
      day: DAY,
      channel: 'chat',
      state: 'sent',
      attempts: 1,
    })
  })

  it('goes to Slack as a text in which no name calls people', async () => {
    const teller = await newTeller('<!channel> & <https://evil.example|Acme>')
    const host = await newChat()
    const { body } = await put(env, teller, { chat: { format: 'slack', url: `https://${host}/services/T0` } })
    expect(body['chat_secret']).toBeNull()
    await dueAt(teller, AT)
    await record(teller, disabled(teller), EARLIER)
    await tick(env, teller, AT)
    const { text, ...rest } = JSON.parse(onlyOne(await letters(host)).body)
    expect(rest).toEqual({})
    expect(text).toContain('1 matter of &lt;!channel&gt; &amp; &lt;https://evil.example|Acme&gt; on')
    expect(text).not.toContain('<')
  })

  it('is not sent to a person who was removed, or to a suspended account', async () => {
    const { mails, bindings, teller, person } = await byMail()
    const suspend = (at: string | null) =>
      env.DB.prepare('UPDATE accounts SET suspended_at = ? WHERE id = ?').bind(at, teller.account_id).run()
    await record(teller, disabled(teller), EARLIER)
    await suspend(EARLIER)
    await tick(bindings, teller, AT)
    expect(mails).toEqual([])
    await suspend(null)
    // The message is made while the person is there, and is waiting when it goes.
    await tick(withMail(refusing('E_RATE_LIMIT_EXCEEDED').MAIL), teller, AT)
    await env.DB.prepare('UPDATE people SET removed_at = ? WHERE id = ?').bind(AT, person).run()
    await tick(bindings, teller, `${DAY}T08:10:00.000Z`)
    expect(mails).toEqual([])
    const read = await got(bindings, teller)
    expect(read['recipients']).toEqual([])
    expect(read['last']).toEqual([expect.objectContaining({ state: 'stopped', person_id: person })])
  })

  it('is tried again within the day while it is refused, and then given up and shown', async () => {
    const { bindings, teller } = await byMail()
    const { mails, MAIL } = refusing('E_SENDER_NOT_VERIFIED')
    await record(teller, disabled(teller), EARLIER)
    for (const minutes of [0, 1, 5, 40, 160, 600, 700])
      await tick(withMail(MAIL), teller, new Date(Date.parse(AT) + minutes * 60_000).toISOString())
    expect(mails).toEqual([])
    const { last } = (await got(bindings, teller)) as { last: object[] }
    expect(onlyOne(last)).toMatchObject({ state: 'failed', attempts: 5, error: 'E_SENDER_NOT_VERIFIED' })
  })

  it('is kept for 90 days', async () => {
    const { bindings, teller } = await byMail()
    await record(teller, disabled(teller), EARLIER)
    await tick(bindings, teller, AT)
    await pruneMessages(env.DB, new Date(Date.parse(AT) + 89 * 86_400_000))
    expect((await got(bindings, teller))['last']).toHaveLength(1)
    await pruneMessages(env.DB, new Date(Date.parse(AT) + 91 * 86_400_000))
    expect((await got(bindings, teller))['last']).toHaveLength(0)
  })
})
