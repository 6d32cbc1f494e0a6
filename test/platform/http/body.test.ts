import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import worker from '../../support/worker.ts'

await loadTestData()
const { key } = await newAccount()

const SALE =
  '{"currency":"EUR","customer":{"address":{"country":"FR"}},"line_items":[{"amount":1999,"product_type":"saas","description":"né"}]}'
const bytes = (text: string) => new TextEncoder().encode(text)
const send = async (raw: BodyInit, headers: Record<string, string> = {}) =>
  call('POST', '/v1/calculate', { key, raw, headers })

/** Without a length, as a client sends that does not know it. */
const chunked = (...parts: Uint8Array[]) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

it('passes over a byte order mark', async () => {
  expect((await send(bytes(`\uFEFF${SALE}`))).status).toBe(200)
})

it.each<[string, BodyInit]>([
  ['bytes that are not UTF-8', Uint8Array.from([...bytes('{"currency":"'), 0xff, 0xfe, ...bytes('"}')])],
  [
    'a letter of four bytes that is cut',
    Uint8Array.from([...bytes('{"currency":"'), 0xf0, 0x9f, 0x98, ...bytes('"}')]),
  ],
  ['what stands for a lost letter', bytes(SALE.replace('né', 'n\uFFFD'))],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ['bytes that are not UTF-8, in chunks', chunked(bytes('{"a":"'), Uint8Array.from([0xc3]), bytes('"}'))],
])('refuses %s', async (_, raw) => {
  expect((await send(raw)).body).toMatchObject({ error_code: 'VALIDATION_ERROR', reason: 'invalid_json' })
})

it('reads a letter that is cut by the border of two chunks', async () => {
  const whole = bytes(SALE)
  const cut = whole.indexOf(0xc3) + 1
  const answer = await send(chunked(whole.slice(0, cut), whole.slice(cut)))
  expect(answer.status).toBe(200)
  expect(answer.body['line_items']).toMatchObject([{ description: 'né' }])
})

it.each(['', ' ', '\n'])('refuses the empty body %j', async (raw) => {
  expect((await send(raw)).body).toMatchObject({ error_code: 'VALIDATION_ERROR', reason: 'invalid_json' })
})

it('refuses a charset that it does not read', async () => {
  const answer = await send(SALE, { 'Content-Type': 'application/json; charset=utf-16' })
  expect(answer.body['reason']).toBe('invalid_content_type')
})

it('takes what stands for a lost letter as an escape', async () => {
  const answer = await send(SALE.replace('né', String.raw`n\ufffd`))
  expect(answer.body['line_items']).toMatchObject([{ description: 'n\uFFFD' }])
})

it('names the field of a lone surrogate', async () => {
  const answer = await send(SALE.replace('né', String.raw`\ud800`))
  expect(answer.body['errors']).toMatchObject([{ path: 'line_items[0].description' }])
})

it('needs no body where none is needed', async () => {
  const { key } = await newAccount()
  const made = await call('POST', '/v1/api-keys', { key, body: { scopes: ['tax:read'] } })
  expect((await call('POST', `/v1/api-keys/${String(made.body['id'])}/rotate`, { key })).status).toBe(201)
})

describe('a body that may be left out', () => {
  /** Without the Content-Type that `call` adds. */
  const rotate = async (body: BodyInit | null, type?: string) => {
    const { key: own, key_id } = await newAccount()
    const headers = { Authorization: `Bearer ${own}`, ...(type !== undefined && { 'Content-Type': type }) }
    const response = await exports.default.fetch(`https://service.test/v1/api-keys/${key_id}/rotate`, {
      method: 'POST',
      headers,
      body,
    })
    const { reason } = await response.json<{ reason?: string }>()
    return reason ?? response.status
  }
  const FORM = 'application/x-www-form-urlencoded'

  it.each<[string, BodyInit | null, string?]>([
    ['not there', null],
    ['not there, with the type of JSON', null, 'application/json'],
    ['empty, of length 0', new Uint8Array()],
    ['empty, with the type of JSON', '', 'application/json'],
    ['empty, with the type that curl -d gives it', '', FORM],
    ['empty, without a length', chunked()],
    ['given', '{"grace_hours":1}', 'application/json'],
  ])('is taken %s', async (_, body, type) => {
    expect(await rotate(body, type)).toBe(201)
  })

  it.each<[string, BodyInit, string | undefined, string]>([
    ['of another type', '{"grace_hours":0}', FORM, 'invalid_content_type'],
    ['without a type', new TextEncoder().encode('{"grace_hours":0}'), undefined, 'invalid_content_type'],
    ['that is no JSON', ' ', 'application/json', 'invalid_json'],
    ['that is too large, of another type', 'x'.repeat(1_048_577), FORM, 'body_too_large'],
  ])('is refused %s', async (_, body, type, reason) => {
    expect(await rotate(body, type)).toBe(reason)
  })

  it('may not be left out elsewhere', async () => {
    expect((await send('')).body['reason']).toBe('invalid_json')
  })
})

describe('a body that the service refuses', () => {
  /** So many megabytes without a stated length, and how many of them were read. */
  function megabytes(count: number) {
    const read = { count: 0 }
    const raw = new ReadableStream(
      {
        pull(controller) {
          if (read.count === count) return controller.close()
          read.count += 1
          controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
        },
      },
      { highWaterMark: 0 },
    )
    return { raw, read }
  }

  /** Sends megabytes to the service in an environment. */
  async function post(ENVIRONMENT: string, count: number, path: string, headers: Record<string, string>) {
    const { raw, read } = megabytes(count)
    const request = new Request(`https://service.test${path}`, {
      method: 'POST',
      headers: { 'CF-Connecting-IP': newAddress(), 'Content-Type': 'application/json', ...headers },
      body: raw,
    })
    const ctx = createExecutionContext()
    const response = await worker.fetch(request, { ...env, ENVIRONMENT }, ctx)
    const { reason } = await response.json<{ reason: string }>()
    return { reason, megabytes: read.count }
  }

  const cases: [string, string, Record<string, string>, string][] = [
    ['of a stranger', '/v1/customers', {}, 'invalid_api_key'],
    ['of a stranger who asks for tax', '/v1/calculate', {}, 'invalid_api_key'],
    ['for an unknown path', '/v1/nowhere', {}, 'route_not_found'],
    [
      'of another type',
      '/v1/customers',
      { Authorization: `Bearer ${key}`, 'Content-Type': 'a/b' },
      'invalid_content_type',
    ],
    ['that is too large', '/v1/customers', { Authorization: `Bearer ${key}` }, 'body_too_large'],
    ['of an agent without a key', '/mcp', {}, 'invalid_api_key'],
    ['of an agent', '/mcp', { Authorization: `Bearer ${key}` }, 'body_too_large'],
    ['of a shop without a signature', `/saleor/sal_${'0'.repeat(26)}/taxes`, {}, 'body_too_large'],
  ]

  it.each(cases)('is not read further in production: %s', async (_, path, headers, reason) => {
    const answer = await post('production', 20, path, headers)
    expect(answer.reason).toBe(reason)
    expect(answer.megabytes).toBeLessThanOrEqual(3)
  })

  it.each(cases)('is read to its end by the local server: %s', async (_, path, headers, reason) => {
    expect(await post('development', 20, path, headers)).toEqual({ reason, megabytes: 20 })
  })

  it('is not read without an end', async () => {
    expect((await post('development', 60, '/v1/customers', {})).megabytes).toBeLessThan(40)
  })
})
