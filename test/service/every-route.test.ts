import { describe, expect, it, test } from 'vitest'
import { newApiKey } from '../../src/parties/accounts/api-key.ts'
import { SCOPES } from '../../src/platform/database/values/scopes.ts'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'

const { key } = await newAccount()
const pathOf = (path: string) => path.replace(/:\w+/g, 'none_00000000000000000000000000')
const each = ROUTES.map((route) => ({
  ...route,
  name: `${route.method.toUpperCase()} ${route.path}`,
  verb: route.method.toUpperCase(),
  url: pathOf(route.path),
}))
const withBody = each.filter((route) => route.body !== null)

describe.each(each)('$name', ({ verb, url, scope, body }) => {
  const sent = body === null ? {} : { body: {} }

  it('answers 401 without a key, with a mistyped key and with an unknown key, and tells nobody which it was', async () => {
    const missing = await call(verb, url, sent)
    const mistyped = await call(verb, url, {
      ...sent,
      key: `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
    })
    const unknown = await call(verb, url, { ...sent, key: newApiKey(false) })
    for (const answer of [missing, mistyped, unknown]) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
      expect({ ...answer.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' })
    }
  })

  it.skipIf(scope === null)(
    'answers 403 to a key that lacks its scope alone, whatever the body',
    async () => {
      const { key: narrow } = await newAccount({
        scopes: SCOPES.filter((each) => each !== '*' && each !== scope),
      })
      const answer = await call(verb, url, { key: narrow, ...(body !== null && { raw: '{' }) })
      expect(answer.status).toBe(403)
      expect(answer.body['error_code']).toBe('FORBIDDEN')
      expect(answer.body['reason']).toContain(scope)
    },
  )

  it('names a query parameter that it does not know', async () => {
    const answer = await call(verb, `${url}?no_such_field=1`, { key, ...sent })
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toContainEqual({ path: 'no_such_field', message: 'is not a known field' })
  })

  it('says which methods its path takes', async () => {
    const answer = await call('PATCH', url, { key })
    expect(answer.status).toBe(404)
    expect(answer.body['reason']).toBe('method_not_allowed')
    expect(answer.headers.get('Allow')?.split(', ')).toContain(verb)
  })
})

const EMPTY: [string, string, string][] = [['empty', '', 'invalid_json']]

describe.each(withBody)('the body of $name', ({ verb, url, body_optional }) => {
  it('is refused with the name of a field that it does not know', async () => {
    const answer = await call(verb, url, { key, body: { ammount: 1 } })
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toContainEqual({
      path: 'ammount',
      message: expect.stringMatching(/^is not a known field/),
    })
  })

  it.each<[string, string, string]>([
    ['malformed', '{"a":', 'invalid_json'],
    ...(body_optional ? [] : EMPTY),
    ['deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'nesting_too_deep'],
    ['deep in a list', `{"a":[${'['.repeat(31)}${']'.repeat(31)}]}`, 'nesting_too_deep'],
    ['deep and cut', '['.repeat(500_000), 'nesting_too_deep'],
    ['very deep', '['.repeat(500_000) + ']'.repeat(500_000), 'nesting_too_deep'],
    ['as deep as allowed', `{"a":[${'['.repeat(30)}"[{"${']'.repeat(30)}]}`, 'invalid_request'],
    ['too large', JSON.stringify({ a: 'x'.repeat(1_048_576) }), 'body_too_large'],
    ['null', 'null', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['a prototype', '{"__proto__":{"amount":1}}', 'invalid_request'],
  ])('is refused when it is %s', async (_, raw, reason) => {
    const answer = await call(verb, url, { key, raw })
    expect(answer.status).toBe(400)
    expect(answer.body['reason']).toBe(reason)
  })

  it('is refused when it is too large and comes in chunks of unknown length', async () => {
    const answer = await call(verb, url, { key, raw: chunksOf(1_048_577) })
    expect(answer.status).toBe(400)
    expect(answer.body['reason']).toBe('body_too_large')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'multipart/form-data',
  ])('is refused as %s', async (type) => {
    const answer = await call(verb, url, { key, raw: '{}', headers: { 'Content-Type': type } })
    expect(answer.status).toBe(400)
    expect(answer.body['reason']).toBe('invalid_content_type')
  })
})

test('a path that does not exist is answered like any other error', async () => {
  for (const path of [
    '/nothing',
    '/v1',
    '/v1/',
    '/v1/calculate/',
    '//v1/calculate',
    '/V1/calculate',
    '/v1/%00',
    '/v1/%E0%A4%A',
  ]) {
    const answer = await call('GET', path, { key })
    expect(answer.status, path).toBe(404)
    expect(answer.body['error_code'], path).toBe('NOT_FOUND')
  }
})

test.each(['/v1/registrations/', '/v1/transactions//refund', '/v1/customers//exemptions/'])(
  '%s lacks an id, and is no path of any method',
  async (path) => {
    for (const method of ['GET', 'POST', 'PATCH']) {
      const answer = await call(method, path, { key })
      expect(answer.body['reason'], method).toBe('route_not_found')
      expect(answer.headers.get('Allow'), method).toBeNull()
    }
  },
)

test.each(['/health', '/v1/status', '/', '/jurisdictions/DE'])(
  '%s says that it takes GET only',
  async (path) => {
    const answer = await call('POST', path, { body: {} })
    expect(answer.status).toBe(404)
    expect(answer.body['reason']).toBe('method_not_allowed')
    expect(answer.headers.get('Allow')).toBe('GET')
  },
)

test('an override of the method or of the path by a header is ignored', async () => {
  const answer = await call('GET', '/v1/nothing', {
    key,
    headers: { 'X-HTTP-Method-Override': 'POST', 'X-Original-URL': '/v1/account' },
  })
  expect(answer.status).toBe(404)
})

function chunksOf(bytes: number): ReadableStream {
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      const size = Math.min(left, 65_536)
      controller.enqueue(new Uint8Array(size).fill(32))
      left -= size
      if (left === 0) controller.close()
    },
  })
}
