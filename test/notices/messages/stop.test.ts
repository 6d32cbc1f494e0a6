import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { app } from '../../../src/service/app.ts'
import { newAddress } from '../../support/service.ts'
import {
  addPerson,
  disabled,
  dueAt,
  got,
  mailbox,
  newTeller,
  onlyOne,
  put,
  record,
  tick,
  withMail,
} from './telling.ts'

const AT = '2026-05-12T08:00:00.000Z'
const EARLIER = '2026-05-12T03:00:00.000Z'

/** An account, and the path of the link in the mail that a person of it got. */
async function mailed() {
  const { mails, MAIL } = mailbox()
  const bindings = withMail(MAIL)
  const teller = await newTeller()
  const person = await addPerson(teller.account_id, 'ann@example.com')
  await put(bindings, teller, { recipients: [person] })
  await dueAt(teller, AT)
  await record(teller, disabled(teller), EARLIER)
  await tick(bindings, teller, AT)
  const { headers, text } = onlyOne(mails)
  const [, url = ''] = /^<(.*)>$/.exec(headers['List-Unsubscribe'] ?? '') ?? []
  expect(text).toContain(`Stop these messages: ${url}\r\n`)
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(url).toMatch(/^https:\/\/tax\.example\.com\/messages\/stop\/[\w-]{32}$/)
  return { mails, bindings, teller, person, path: new URL(url).pathname }
}

async function open(
  method: string,
  path: string,
  { body, headers: more }: { body?: string; headers?: Record<string, string> } = {},
) {
  const headers = { 'CF-Connecting-IP': newAddress(), Accept: 'text/html', ...more }
  const request = new Request(`https://service.test${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const response = await app.fetch(request, env, createExecutionContext())
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function stoppedAt({ bindings, teller }: Awaited<ReturnType<typeof mailed>>) {
  const { recipients } = (await got(bindings, teller)) as { recipients: { stopped_at: string | null }[] }
  return onlyOne(recipients).stopped_at
}

describe('the link that stops messages', () => {
  it('stops by a press of its button, not by being followed, and says nothing of the person', async () => {
    const told = await mailed()
    const asked = await open('GET', told.path)
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('<form method="post"')
    expect(asked.text).not.toMatch(/ann@example|Ann/)
    expect(asked.headers.get('Cache-Control')).toBe('no-store')
    expect(asked.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(asked.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect((await open('HEAD', told.path)).status).toBe(200)
    expect(await stoppedAt(told)).toBeNull()
    expect((await open('POST', told.path)).text).toContain('The messages are stopped')
    expect(await stoppedAt(told)).not.toBeNull()
    await dueAt(told.teller, '2026-05-13T08:00:00.000Z', '2026-05-12')
    await record(told.teller, disabled(told.teller), '2026-05-13T03:00:00.000Z')
    await tick(told.bindings, told.teller, '2026-05-13T08:00:00.000Z')
    expect(told.mails).toHaveLength(1)
  })

  it('stops by the one click of a mail program, once however often, and history says so', async () => {
    const told = await mailed()
    const click = {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }
    expect((await open('POST', told.path, click)).status).toBe(200)
    const first = await stoppedAt(told)
    expect((await open('POST', told.path, click)).status).toBe(200)
    expect(await stoppedAt(told)).toBe(first)
    const { results } = await env.DB.prepare(
      "SELECT resource_id, key_id FROM audit_events WHERE account_id = ? AND action = 'messages.stopped'",
    )
      .bind(told.teller.account_id)
      .all()
    expect(results).toEqual([{ resource_id: told.person, key_id: 'system' }])
  })

  it('stays stopped until the account leaves the person out and adds it again', async () => {
    const told = await mailed()
    await open('POST', told.path)
    await put(told.bindings, told.teller, { recipients: [told.person], hour: 9 })
    expect(await stoppedAt(told)).not.toBeNull()
    await put(told.bindings, told.teller, { recipients: [] })
    expect((await open('GET', told.path)).status).toBe(404)
    await put(told.bindings, told.teller, { recipients: [told.person] })
    expect(await stoppedAt(told)).toBeNull()
    expect((await open('POST', told.path)).status).toBe(404)
    expect(await stoppedAt(told)).toBeNull()
  })

  it('is of one person of one account: another token stops nothing', async () => {
    const [one, other] = [await mailed(), await mailed()]
    await open('POST', other.path)
    expect(await stoppedAt(one)).toBeNull()
    const token = one.path.split('/').at(-1) ?? ''
    const wrong = ['x'.repeat(32), token.slice(1), `${token}x`, token.toLowerCase(), '%00', "'", '..%2f', '*']
    for (const text of wrong.filter((each) => each !== token))
      for (const method of ['GET', 'POST']) {
        const { status, text: page } = await open(method, `/messages/stop/${text}`)
        expect(status, text).toBe(404)
        expect(page).not.toContain(one.teller.account_id)
      }
    for (const method of ['PUT', 'DELETE']) expect((await open(method, one.path)).status).toBe(404)
    expect(await stoppedAt(one)).toBeNull()
    const { results } = await env.DB.prepare('SELECT stop_hash, stop_token FROM message_recipients').all()
    expect(JSON.stringify(results)).not.toContain(token)
  })

  it('may be tried 60 times a minute by one address', async () => {
    const headers = { 'CF-Connecting-IP': newAddress() }
    const statuses: number[] = []
    for (let tries = 0; tries < 70; tries += 1)
      statuses.push((await open('GET', `/messages/stop/${'y'.repeat(32)}`, { headers })).status)
    expect(statuses).toContain(429)
  })
})
