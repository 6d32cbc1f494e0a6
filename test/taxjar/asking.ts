import { exports } from 'cloudflare:workers'
import type { Scope } from '../../src/http/scopes.ts'
import type { Tier } from '../../src/accounts/tiers.ts'
import { newAccount } from '../support/account.ts'
import { call, newAddress } from '../support/service.ts'

export type Said = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

type Asked = {
  key?: string
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
}

/** Asks the service in the form of TaxJar. */
export async function ask(
  method: string,
  path: string,
  { key, body, raw, headers = {} }: Asked = {},
): Promise<Said> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await exports.default.fetch(`https://service.test${path}`, {
    method,
    headers: {
      'CF-Connecting-IP': newAddress(),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
}

/** An account that answers in the form of TaxJar, with a key. */
export async function newShop({
  profile = {},
  taxjar = {},
  registrations = [],
  scopes,
  tier,
}: {
  profile?: object
  taxjar?: object
  registrations?: readonly string[]
  scopes?: readonly Scope[]
  tier?: Tier
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
  void tier
  if (scopes === undefined) return { key: owner, owner, account_id }
  const narrow = await call('POST', '/v1/api-keys', { key: owner, body: { scopes } })
  return { key: String(narrow.body['key']), owner, account_id }
}
