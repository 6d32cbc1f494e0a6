import { expect } from 'vitest'
import type { Scope } from '../../../src/platform/database/values/scopes.ts'
import { TAXJAR_ROUTES, type TaxJarRoute, VERIFY } from '../../../src/interfaces/taxjar/routes.ts'
import { newAccount } from '../../support/account.ts'
import { type Answer, type Call, call, send } from '../../support/service.ts'

type Said = Answer

/** Asks the service in the form of TaxJar. */
export async function ask(method: string, path: string, asked: Call = {}): Promise<Said> {
  const said = await send(method, path, asked)
  holdContract(method, path, said)
  return said
}

/** The route of a request, with or without the alias. */
function routeOf(method: string, path: string): TaxJarRoute {
  const [plain = ''] = path.replace(/^\/taxjar/, '').split('?')
  const found = TAXJAR_ROUTES.filter(
    (route) =>
      route.method === method.toLowerCase() &&
      new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(plain),
  )
  const [first] = found
  if (first === undefined) throw new Error(`${method} ${path} is no route`)
  return found.find((route) => route.path === plain) ?? first
}

/** A success is as documented and has one key at its top. An error has exactly three. */
function holdContract(method: string, path: string, { status, headers, body, text }: Said): void {
  expect(headers.get('X-Request-Id')).toMatch(/^req_/)
  expect(headers.get('Cache-Control')).toBe('no-store')
  if (status >= 400) {
    expect(body).toEqual({ status, error: expect.any(String), detail: expect.any(String) })
    return
  }
  const route = routeOf(method, path)
  expect(status).toBe(route.status)
  const read = route.answer.safeParse(body)
  if (!read.success) throw new Error(`${method} ${path}: ${read.error.message}\n${text}`)
  if (route !== VERIFY) expect(Object.keys(body)).toHaveLength(1)
}

/** An account that answers in the form of TaxJar, with a key. */
export async function newShop({
  profile = {},
  taxjar = {},
  registrations = [],
  scopes,
}: {
  profile?: object
  taxjar?: object
  registrations?: readonly string[]
  scopes?: readonly Scope[]
} = {}) {
  const account = await newAccount()
  const { key: owner, account_id } = account
  const body = { country: 'US', region: 'CA', postal_code: '94105', ...profile }
  const put = await call('PUT', '/v1/account', {
    key: owner,
    body: { ...body, taxjar_api: { enabled: true, ...taxjar } },
  })
  if (put.status !== 200) throw new Error(put.text)
  for (const jurisdiction_id of registrations) {
    const made = await call('POST', '/v1/registrations', {
      key: owner,
      body: { jurisdiction_id, valid_from: '2010-01-01' },
    })
    if (made.status !== 201) throw new Error(made.text)
  }
  if (scopes === undefined) return { key: owner, owner, account_id }
  const narrow = await call('POST', '/v1/api-keys', { key: owner, body: { scopes } })
  return { key: String(narrow.body['key']), owner, account_id }
}
