import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { app } from '../../../../src/service/app.ts'
import { eraseDocuments } from '../../../../src/parties/exemptions/erase-documents.ts'
import { unchecked } from '../../../../src/platform/database/databases.ts'
import { shardsOf } from '../../../../src/platform/database/shards.ts'
import { withoutDatabase } from '../../../faults/faulty.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { ask, bytesOf, certificatesOf, formOf, handIn, newLink, PDF, TYPED } from './link.ts'

await loadTestData()

const DAY_MS = 86_400_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const sale = (customer_id: string) => ({
  seller: { country: 'US' },
  customer_id,
  customer: { address: { country: 'US', region: 'TX', postal_code: '78701' } },
  currency: 'USD',
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
})

describe('the page of a link', () => {
  it('shows the name of the seller and a form, and nothing of the customer', async () => {
    const { key, url, id, account_id } = await newLink()
    await call('PUT', '/v1/account', { key, body: { name: 'Acme <b>& Co' } })
    await call('POST', `/v1/customers/${id}/exemptions`, {
      key,
      body: { ...TYPED, valid_to: null, exemption_type: 'resale', certificate_number: 'OLD-1' },
    })
    const { status, headers, text } = await ask('GET', url)
    expect(status).toBe(200)
    expect(text).toContain('Acme &lt;b&gt;&amp; Co')
    expect(text).toContain('<option value="US-TX">Texas</option>')
    for (const hidden of ['Hidden', 'buyer@', 'OLD-1', id, account_id, '<script', 'creq_'])
      expect(text).not.toContain(hidden)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })

  it('changes nothing when it is opened, however often', async () => {
    const { key, url, request } = await newLink()
    const before = (await call('GET', request, { key })).body['certificate_request']
    for (let n = 0; n < 3; n += 1) await ask('GET', url)
    expect((await call('GET', request, { key })).body['certificate_request']).toEqual(before)
  })

  it('takes one certificate with its file, which stays pending and is told by whom it came', async () => {
    const { key, url, id, request, request_id } = await newLink()
    const sent = await handIn(url)
    expect(sent.status, sent.text).toBe(200)
    expect(sent.text).toContain('The certificate was sent')
    const [certificate, ...others] = await certificatesOf(key, id)
    expect(others).toEqual([])
    expect(certificate).toMatchObject({
      certificate_number: 'TX-1001',
      jurisdiction_id: 'US-TX',
      exemption_type: 'resale',
      reason_code: 'G',
      valid_from: '2026-01-01',
      valid_to: null,
      status: 'pending',
      document_type: 'application/pdf',
      document_bytes: PDF.length,
    })
    const exemption_id = String(certificate?.['id'])
    expect((await call('GET', request, { key })).body).toMatchObject({
      certificate_request: { state: 'used', exemption_id, used_at: expect.any(String) },
    })
    const events = (await call('GET', `/v1/audit-events?resource_id=${exemption_id}`, { key })).body
    expect(events['audit_events']).toMatchObject([
      { action: 'exemption.created', key_id: request_id, key_name: null },
    ])
    const file = await app.fetch(
      new Request(`https://service.test/v1/exemptions/${exemption_id}/document`, {
        headers: { Authorization: `Bearer ${key}` },
      }),
      env,
      createExecutionContext(),
    )
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(PDF)
    const listed = (await call('GET', '/v1/exemptions?state=pending', { key })).body
    expect(listed['exemptions']).toMatchObject([{ id: exemption_id }])
    const overview = (await call('GET', '/v1/overview', { key })).body
    expect(overview['certificates']).toMatchObject({ pending: 1 })
  })

  it('exempts no sale until a person approves', async () => {
    const { key, url, id } = await newLink()
    await call('POST', '/v1/registrations', {
      key,
      body: { jurisdiction_id: 'US-TX', valid_from: '2020-01-01' },
    })
    const taxOf = async () =>
      (await call('POST', '/v1/calculate', { key, body: sale(id) })).body['tax_amount']
    const taxed = await taxOf()
    expect(taxed).toBeGreaterThan(0)
    await handIn(url)
    expect(await taxOf()).toBe(taxed)
    const check = `/v1/customers/${id}/exemptions/check?jurisdiction_id=US-TX`
    expect((await call('GET', check, { key })).body).toMatchObject({ is_exempt: false })
    const [certificate] = await certificatesOf(key, id)
    const path = `/v1/customers/${id}/exemptions/${String(certificate?.['id'])}`
    await call('PUT', path, { key, body: { status: 'verified' } })
    expect(await taxOf()).toBe(0)
  })

  it('answers the same content again as before, and any other as a link that is gone', async () => {
    const { key, url, id } = await newLink()
    await handIn(url)
    const again = await handIn(url)
    expect(again.status).toBe(200)
    expect(again.text).toContain('The certificate was sent')
    for (const other of [
      formOf({ ...TYPED, certificate_number: 'TX-1002' }),
      formOf(TYPED, bytesOf('%PDF-1.4\nAnother\n')),
      formOf({ ...TYPED, certificate_number: '' }),
    ])
      expect((await handIn(url, other)).status).toBe(410)
    expect((await ask('GET', url)).status).toBe(410)
    expect(await certificatesOf(key, id)).toHaveLength(1)
  })

  it('takes one of several certificates that are sent at once, and keeps no other file', async () => {
    const { key, account_id, url, id } = await newLink()
    const forms = ['1', '2', '1', '2'].map((number) => formOf({ ...TYPED, certificate_number: number }))
    const answers = await Promise.all(forms.map((form) => handIn(url, form)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 200, 410, 410,
    ])
    expect(await certificatesOf(key, id)).toHaveLength(1)
    const usage = (await call('GET', '/v1/account/usage', { key })).body['usage']
    for (const { books } of shardsOf(env)) {
      await eraseDocuments(env, books, new Date(Date.now() + DAY_MS))
      const { results } = await books
        .prepare('SELECT count(*) AS n FROM document_parts WHERE account_id = ? HAVING n > 0')
        .bind(account_id)
        .all()
      expect([[], [{ n: 1 }]]).toContainEqual(results)
    }
    expect(usage).toMatchObject({ exemptions: { stored: 1 } })
    const later = (await call('GET', '/v1/account/usage', { key })).body['usage']
    expect(later).toMatchObject({ document_bytes: { stored: PDF.length } })
  })

  it('ends in the millisecond of its end', async () => {
    const { key, url, request } = await newLink()
    const { certificate_request } = (await call('GET', request, { key })).body
    const end = Date.parse((certificate_request as { expires_at: string }).expires_at)
    vi.useFakeTimers({ toFake: ['Date'], now: end - 1 })
    expect((await ask('GET', url)).status).toBe(200)
    vi.setSystemTime(end)
    expect((await ask('GET', url)).status).toBe(410)
    expect((await handIn(url)).status).toBe(410)
    expect((await call('GET', request, { key })).body).toMatchObject({
      certificate_request: { state: 'ended' },
    })
  })

  it.each([
    ['revoked', (link: Link) => call('DELETE', link.request, link), 410],
    ['replaced', (link: Link) => call('POST', link.request, link), 404],
    ['of an erased customer', (link: Link) => call('DELETE', `/v1/customers/${link.id}`, link), 404],
  ])('takes nothing when it is %s', async (_, end, status) => {
    const link = await newLink()
    await end(link)
    const page = await ask('GET', link.url)
    const posted = await handIn(link.url)
    expect([page.status, posted.status]).toEqual([status, status])
    expect(page.text).toContain('This link cannot be used')
    expect(posted.text).toBe(page.text)
  })

  it('takes nothing for a suspended account, and shows not even its name', async () => {
    const { account_id, url } = await newLink()
    await env.DB.prepare('UPDATE accounts SET suspended_at = ?2 WHERE id = ?1')
      .bind(account_id, new Date().toISOString())
      .run()
    expect((await ask('GET', url)).status).toBe(404)
    expect((await handIn(url)).status).toBe(404)
  })

  it('says when to come back during maintenance, and while the books move', async () => {
    const { key, account_id, url, id } = await newLink()
    const resting = await ask('GET', url, { bindings: { ...env, MAINTENANCE: 'on' } })
    expect([resting.status, resting.headers.get('Retry-After')]).toEqual([503, '60'])
    expect(resting.headers.get('Referrer-Policy')).toBe('no-referrer')
    const setHome = async (home: string) => {
      for (const { books } of shardsOf(env))
        await unchecked(books)
          .prepare('UPDATE accounts SET home = ?2 WHERE id = ?1')
          .bind(account_id, home)
          .run()
    }
    await setHome('away')
    const moving = await handIn(url)
    expect([moving.status, moving.headers.get('Retry-After')]).toEqual([429, '5'])
    expect(moving.text).toContain('This page cannot be shown now')
    await setHome('open')
    expect((await handIn(url)).status).toBe(200)
    expect(await certificatesOf(key, id)).toHaveLength(1)
  })
})

type Link = Awaited<ReturnType<typeof newLink>>

describe('a token', () => {
  it.each([
    'x',
    '%',
    '%2e%2e%2f',
    '..%2f..%2fv1%2fcustomers',
    `${'0'.repeat(26)}-${'a'.repeat(32)}`,
    `${'0'.repeat(26)}-${'a'.repeat(33)}`,
    "' OR 1=1 --",
    '%00',
    '%0d%0aSet-Cookie:%20a=1',
    'a'.repeat(3_000),
  ])('that was never made finds nothing: %s', async (token) => {
    for (const method of ['GET', 'POST']) {
      const page = await ask(method, `/certificate/${token}`, method === 'POST' ? { body: formOf() } : {})
      expect(page.status).toBe(404)
      expect(page.text).toContain('This link cannot be used')
      expect(page.headers.get('Set-Cookie')).toBeNull()
    }
  })

  it('opens the books of its own account alone', async () => {
    const [one, other] = [await newLink(), await newLink()]
    const [mine = '', theirs = ''] = [one.url, other.url].map((url) => url.slice('/certificate/'.length))
    const mixed = `/certificate/${mine.slice(0, 26)}${theirs.slice(26)}`
    expect((await ask('GET', mixed)).status).toBe(404)
    expect((await handIn(mixed)).status).toBe(404)
  })

  it('is no key, and nothing below or beside its page answers it', async () => {
    const { url, id } = await newLink()
    const token = url.slice('/certificate/'.length)
    for (const path of ['/v1/account', `/v1/customers/${id}`, `/v1/customers/${id}/exemptions`])
      expect((await ask('GET', path, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401)
    for (const path of [`${url}/`, `${url}/document`, '/certificate/', `/calendar/${token}.ics`])
      expect((await ask('GET', path)).status, path).toBe(404)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await ask(method, url)).headers.get('Allow'), method).toBe('GET, POST')
  })

  it('is in no line of the log, whatever the page answers', async () => {
    const lines: string[] = []
    for (const level of ['log', 'error', 'warn'] as const)
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)))
    const { url } = await newLink()
    await ask('GET', url)
    await handIn(url, formOf({ ...TYPED, certificate_number: '' }))
    await handIn(url)
    await ask('GET', `${url}?x=1`)
    await ask('GET', `${url}/x`)
    await ask('GET', url, { bindings: withoutDatabase() })
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.join('\n')).not.toContain(url.slice('/certificate/'.length + 27))
    expect(lines.join('\n')).toContain('"route":"/certificate/:token"')
    expect(lines.join('\n')).not.toContain('TX-1001')
  })

  it('is guessed at most 60 times a minute from one address', async () => {
    const headers = { 'CF-Connecting-IP': '203.0.113.77' }
    const bindings = { ...env, RATE_LIMITS: 'on' }
    const statuses = new Set<number>()
    for (let n = 0; n < 70; n += 1)
      statuses.add(
        (await ask('GET', `/certificate/${'0'.repeat(26)}-${'a'.repeat(32)}`, { headers, bindings })).status,
      )
    expect([...statuses]).toEqual([404, 429])
  })
})

describe('a form', () => {
  it('that lacks something names each field, keeps what was typed, and asks for the file again', async () => {
    const { key, url, id } = await newLink()
    const typed = { ...TYPED, certificate_number: '"><script>alert(1)</script>', reason_code: '' }
    const { status, text } = await handIn(url, formOf(typed))
    expect(status).toBe(400)
    expect(text).toContain('id="reason_code-error"')
    expect(text).toContain('aria-describedby="reason_code-error"')
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script')
    expect(text).toContain('<option value="US-TX" selected="">Texas</option>')
    expect(text).toContain('value="2026-01-01"')
    expect(text).toContain('Choose the file again')
    expect(await certificatesOf(key, id)).toEqual([])
    expect((await handIn(url)).status).toBe(200)
  })

  it.each([
    ['certificate_number', { certificate_number: '' }],
    ['certificate_number', { certificate_number: ' ' }],
    ['certificate_number', { certificate_number: 'x'.repeat(101) }],
    ['certificate_number', { certificate_number: 'a\u0000b' }],
    ['jurisdiction_id', { jurisdiction_id: '' }],
    ['jurisdiction_id', { jurisdiction_id: 'US' }],
    ['jurisdiction_id', { jurisdiction_id: 'DE' }],
    ['jurisdiction_id', { jurisdiction_id: '__proto__' }],
    ['reason_code', { reason_code: 'Z' }],
    ['reason_code', { reason_code: 'constructor' }],
    ['valid_from', { valid_from: '' }],
    ['valid_from', { valid_from: '2026-02-30' }],
    ['valid_from', { valid_from: '01/02/2026' }],
    ['valid_to', { valid_to: '2025-12-31' }],
    ['valid_to', { valid_to: 'never' }],
  ])('names %s in %j', async (field, wrong) => {
    const { key, url, id } = await newLink()
    const { status, text } = await handIn(url, formOf({ ...TYPED, ...wrong }))
    expect(status).toBe(400)
    expect(text).toContain(`id="${field}-error"`)
    expect(await certificatesOf(key, id)).toEqual([])
  })

  it('decides neither status, kind nor address, whatever further fields say', async () => {
    const { key, url, id } = await newLink()
    const more = {
      status: 'verified',
      exemption_type: 'government',
      certificate_url: 'https://example.com/x',
      customer_id: 'cust_x',
      account_id: 'acct_x',
    }
    expect((await handIn(url, formOf({ ...TYPED, ...more }))).status).toBe(200)
    expect(await certificatesOf(key, id)).toMatchObject([
      { status: 'pending', exemption_type: 'resale', certificate_url: null },
    ])
  })

  it.each([
    ['no file', null],
    ['an empty file', ''],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['HTML before a PDF', '<html>%PDF-1.4'],
    ['a GIF', 'GIF89a'],
    ['an archive', 'PK\u0003\u0004'],
  ])('with %s is refused at its file', async (_, content) => {
    const { key, url, id } = await newLink()
    const file = content === null ? null : bytesOf(content)
    const { status, text } = await handIn(url, formOf(TYPED, file, 'certificate.pdf'))
    expect(status).toBe(400)
    expect(text).toContain('id="document-error"')
    expect(await certificatesOf(key, id)).toEqual([])
  })

  it('keeps a PDF that is a web page too, as a PDF that no browser runs', async () => {
    const { key, url, id } = await newLink()
    const file = bytesOf('%PDF-1.4\n<html><script>alert(1)</script>')
    expect((await handIn(url, formOf(TYPED, file, '../../x.html'))).status).toBe(200)
    const [certificate] = await certificatesOf(key, id)
    const request = new Request(
      `https://service.test/v1/exemptions/${String(certificate?.['id'])}/document`,
      {
        headers: { Authorization: `Bearer ${key}` },
      },
    )
    const { headers, body } = await app.fetch(request, env, createExecutionContext())
    await body?.cancel()
    expect(headers.get('Content-Type')).toBe('application/pdf')
    expect(headers.get('Content-Disposition')).toContain('attachment; filename="certificate-TX-1001.pdf"')
    expect(headers.get('Content-Security-Policy')).toContain('sandbox')
  })

  it('with a file of more than 5 MB says so, and keeps what was typed', async () => {
    const { url } = await newLink()
    for (const size of [5_000_001, 9_000_000]) {
      const file = new Uint8Array(size)
      file.set(PDF)
      const { status, text } = await handIn(url, formOf(TYPED, file))
      expect(status).toBe(400)
      expect(text).toContain('larger than 5 MB')
      expect(text).toContain('value="TX-1001"')
    }
    const largest = new Uint8Array(5_000_000)
    largest.set(PDF)
    expect((await handIn(url, formOf(TYPED, largest))).status).toBe(200)
  })

  it.each([
    ['JSON', JSON.stringify(TYPED), 'application/json'],
    ['a form without files', new URLSearchParams(TYPED).toString(), 'application/x-www-form-urlencoded'],
    ['no boundary', 'x', 'multipart/form-data'],
    ['nothing', '', 'multipart/form-data; boundary=x'],
    [
      'ten thousand parts',
      Array.from(
        { length: 10_000 },
        (_, n) => `--x\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`,
      ).join(''),
      'multipart/form-data; boundary=x',
    ],
  ])('sent as %s is refused without a fault of ours', async (_, body, type) => {
    const { key, url, id } = await newLink()
    const { status } = await ask('POST', url, { body, headers: { 'Content-Type': type } })
    expect(status).toBe(400)
    expect(await certificatesOf(key, id)).toEqual([])
  })

  it('is refused when the account may store no more files', async () => {
    const link = await newLink(await newAccount({ tier: 'free' }))
    const bindings = { ...env, QUOTA_FREE_DOCUMENT_BYTES: '10' }
    const { status, text } = await handIn(link.url, formOf(), bindings)
    expect(status).toBe(403)
    expect(text).toContain('can take no certificate now')
    expect((await handIn(link.url)).status).toBe(200)
  })
})
