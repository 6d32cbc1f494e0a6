import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endAccess } from '../../../src/service/erasures/account-store.ts'
import { countInstallsSealedOtherwise } from '../../../src/interfaces/saleor/reseal-store.ts'
import { resealInstalls } from '../../../src/interfaces/saleor/reseal.ts'
import { openOf } from '../../../src/interfaces/saleor/secrets.ts'
import type { InstallRow } from '../../../src/interfaces/saleor/store.ts'
import { keyIdOf } from '../../../src/notices/delivery/secrets.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { cartOf } from './payloads.ts'
import {
  API,
  ask,
  connected,
  type Installed,
  linked,
  newPair,
  register,
  type RsaPair,
  serveShop,
  shop,
  signatureOf,
  tell,
} from './shop.ts'

await loadTestData()
const PAIR = await newPair()
const CART = cartOf([{ amount: 10 }])

beforeEach(() => {
  shop.pairs = [PAIR]
  shop.asked = []
  serveShop()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const stored = (id: string) =>
  env.DB.prepare('SELECT * FROM saleor_installs WHERE id = ?').bind(id).first<InstallRow>()

describe('a link', () => {
  it('leads to a manifest with the webhooks of the shop, and nothing of the account', async () => {
    const install = await linked()
    const { status, body } = await ask(install.manifest_url, null)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      permissions: ['HANDLE_TAXES', 'MANAGE_ORDERS'],
      requiredSaleorVersion: '>=3.21 <4',
      tokenTargetUrl: `https://service.test${install.manifest_url.replace('/manifest', '/register')}`,
      webhooks: [
        { syncEvents: ['CHECKOUT_CALCULATE_TAXES'], targetUrl: expect.stringContaining(install.id) },
        { syncEvents: ['ORDER_CALCULATE_TAXES'] },
        { asyncEvents: ['ORDER_CONFIRMED', 'ORDER_CANCELLED', 'ORDER_REFUNDED', 'ORDER_FULLY_REFUNDED'] },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(install.account_id)
  })

  it('registers its shop once, with a token that the shop confirms', async () => {
    const install = await linked()
    const refused = { status: 403, body: { reason: 'registration_refused' } }
    expect(await register(install, { api: 'https://other.saleor-test.com/graphql/' })).toMatchObject(refused)
    expect(await register(install, { token: 'of-somebody-else' })).toMatchObject(refused)
    const other = install.manifest_url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect(await register({ manifest_url: other })).toMatchObject(refused)
    expect(await register(install)).toEqual({ status: 200, body: { success: true } })
    expect(await register(install)).toMatchObject(refused)
    const { body } = await call('GET', '/v1/saleor/installs', { key: install.key })
    expect(body['installs']).toMatchObject([{ id: install.id, registered_at: expect.any(String) }])
  })

  it('ends after a day', async () => {
    const install = await linked()
    vi.useFakeTimers({ now: Date.now() + 86_401_000, toFake: ['Date'] })
    expect((await register(install)).status).toBe(403)
  })

  it('is made for public shops alone, and 20 in an account', async () => {
    const { key } = await newAccount()
    const make = (saleor_api_url: string) =>
      call('POST', '/v1/saleor/installs', { key, body: { saleor_api_url } })
    for (const url of ['http://shop.saleor-test.com/graphql/', 'https://10.0.0.1/graphql/', `${API}?a=1`])
      expect((await make(url)).body).toMatchObject({ errors: [{ path: 'saleor_api_url' }] })
    for (let made = 0; made < 20; made += 1) expect((await make(API)).status).toBe(201)
    expect((await make(API)).body).toMatchObject({ reason: 'too_many_installs' })
  })

  it('needs a key with what the shop gets', async () => {
    const { key } = await newAccount({ scopes: ['keys:write', 'tax:read'] })
    const made = await call('POST', '/v1/saleor/installs', { key, body: { saleor_api_url: API } })
    expect(made.body).toMatchObject({ reason: 'scope_not_grantable: transactions:read' })
  })
})

describe('a request of the shop', () => {
  it('is answered only with its signature', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    const raw = JSON.stringify(CART)
    const refused = { status: 401, body: { reason: 'invalid_signature' } }
    expect((await tell(install, 'taxes', CART)).status).toBe(200)
    expect(await tell(install, 'taxes', CART, { sent: raw.replace('10', '11') })).toMatchObject(refused)
    expect(await tell(install, 'taxes', CART, { pair: await newPair() })).toMatchObject(refused)
    expect(await tell(install, 'taxes', CART, { api: 'https://x.saleor-test.com/' })).toMatchObject(refused)
    expect(await tell({ id: 'sal_01kae000000000000000000001' }, 'taxes', CART)).toMatchObject(refused)
    expect(await tell(await linked(), 'taxes', CART)).toMatchObject(refused)
    for (const header of [
      { alg: 'none', kid: '1', b64: false, crit: ['b64'] },
      { alg: 'HS256', kid: '1', b64: false, crit: ['b64'] },
      { alg: 'RS256', kid: '1' },
      { alg: 'RS256', kid: '1', b64: false, crit: ['b64', 'exp'] },
    ]) {
      const headers = {
        'Saleor-Api-Url': API,
        'Saleor-Signature': await signatureOf(PAIR, raw, header),
      }
      expect(await ask(`/saleor/${install.id}/taxes`, raw, headers)).toMatchObject(refused)
    }
    expect(await ask(`/saleor/${install.id}/taxes`, raw)).toMatchObject(refused)
  })

  it('may be signed by a new key at once, and by an old one until the keys are read after an hour', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    const next = await newPair('2')
    shop.pairs = [next]
    const start = Date.now()
    vi.useFakeTimers({ now: start + 61_000, toFake: ['Date'] })
    expect((await tell(install, 'taxes', CART, { pair: next })).status).toBe(200)
    expect((await tell(install, 'taxes', CART, { pair: PAIR })).status).toBe(401)
    shop.pairs = [await newPair('3')]
    expect((await tell(install, 'taxes', CART, { pair: next })).status).toBe(200)
    vi.setSystemTime(start + 61_000 + 3_600_000)
    expect((await tell(install, 'taxes', CART, { pair: next })).status).toBe(200)
    await vi.waitFor(async () => expect((await stored(install.id))?.jwks).toContain('"kid":"3"'))
    expect((await tell(install, 'taxes', CART, { pair: next })).status).toBe(401)
  })

  it('is answered with the kept keys while the shop does not tell its keys', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    shop.pairs = []
    shop.asked = []
    vi.useFakeTimers({ now: Date.now() + 3_601_000, toFake: ['Date'] })
    for (let hour = 0; hour < 2; hour += 1) {
      expect((await tell(install, 'taxes', CART, { pair: PAIR })).status).toBe(200)
      await vi.waitFor(() => expect(shop.asked.length).toBe(hour + 1))
      vi.setSystemTime(Date.now() + 3_601_000)
    }
    const unknown = await tell(install, 'taxes', CART, { pair: await newPair('9') })
    expect(unknown).toMatchObject({ status: 400, body: { reason: 'shop_unreachable' } })
  })

  it('with unknown keys makes us ask the shop once a minute', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
    shop.asked = []
    const pair = await newPair('9')
    for (let sent = 0; sent < 5; sent += 1)
      expect((await tell(install, 'taxes', CART, { pair })).status).toBe(401)
    expect(shop.asked).toEqual(['/.well-known/jwks.json'])
  })

  it('is refused after the shop was disconnected', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    const path = `/v1/saleor/installs/${install.id}`
    const other = await newAccount()
    expect((await call('DELETE', path, { key: other.key })).status).toBe(404)
    expect((await call('DELETE', path, { key: install.key })).status).toBe(200)
    expect((await tell(install, 'taxes', CART)).status).toBe(401)
    const { body } = await call('GET', '/v1/api-keys', { key: install.key })
    expect(JSON.stringify(body['api_keys'])).not.toContain('Saleor')
  })
})

describe('requests that no shop has signed', () => {
  const flood = async (install: Installed, pair: RsaPair, address: string, raw = '{}') => {
    const headers = {
      'CF-Connecting-IP': address,
      'Saleor-Api-Url': API,
      'Saleor-Signature': await signatureOf(pair, raw),
    }
    const statuses = new Set<number>()
    // Two minutes' worth, in case that the minute of the wall clock ends between.
    for (let sent = 0; sent < 121; sent += 1)
      statuses.add((await ask(`/saleor/${install.id}/taxes`, raw, headers)).status)
    return statuses
  }

  it('are refused at their address before they cost a trip to the database', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    const stranger = await newPair()
    expect(await flood(install, stranger, '198.51.100.21')).toEqual(new Set([401, 429]))
    const prepare = vi.spyOn(env.DB, 'prepare')
    expect(await flood(install, stranger, '198.51.100.21')).toEqual(new Set([429]))
    expect(prepare.mock.calls.length).toBeLessThan(10)
    prepare.mockRestore()
  })

  it('do not shut out another shop at the same address', async () => {
    const [install, other] = [await connected(['FR'], { country: 'FR' }), await connected(['FR'])]
    const address = '198.51.100.23'
    expect(await flood(install, await newPair(), address)).toEqual(new Set([401, 429]))
    expect((await tell(other, 'taxes', CART, { address })).status).toBe(200)
  })

  it('do not shut out a shop that signed lately', async () => {
    const install = await connected(['FR'], { country: 'FR' })
    const address = '198.51.100.22'
    expect((await tell(install, 'taxes', CART, { address })).status).toBe(200)
    expect(await flood(install, await newPair(), address)).toEqual(new Set([401, 429]))
    expect((await tell(install, 'taxes', CART, { address })).status).toBe(200)
  })
})

describe('a shop with a key that is none', () => {
  it('is answered by its good key of the same name', async () => {
    const bad: RsaPair = { ...PAIR, jwk: { ...PAIR.jwk, n: 'A'.repeat(342), e: '!!' } }
    shop.pairs = [bad, PAIR]
    const install = await connected(['FR'], { country: 'FR' })
    expect((await tell(install, 'taxes', CART, { pair: PAIR })).status).toBe(200)
  })
})

describe('the secrets of a shop', () => {
  it('are sealed, and sealed again under the next key', async () => {
    const { id } = await connected([])
    const before = await stored(id)
    expect(before?.auth_token).toMatch(/^[^.]+\.[^.]+\.[0-9a-f]{8}$/)
    expect(JSON.stringify(before)).not.toMatch(/token-of-the-app|tcs_(live|test)_/)
    const next = { ...env, ENCRYPTION_KEY_NEXT: 'the next key' }
    const key_id = await keyIdOf('the next key')
    expect(await countInstallsSealedOtherwise(env.DB, key_id)).toBeGreaterThan(0)
    await resealInstalls(next, new Date())
    expect(await countInstallsSealedOtherwise(env.DB, key_id)).toBe(0)
    const after = await stored(id)
    const later = { ...env, ENCRYPTION_KEY: 'the next key' }
    expect(await openOf(later, id, 'auth_token', after?.auth_token ?? '')).toBe('token-of-the-app')
    expect(await openOf(later, id, 'api_key', after?.api_key ?? '')).toMatch(/^tcs_live_/)
    await expect(openOf(later, id, 'api_key', after?.auth_token ?? '')).rejects.toThrow()
  })

  it('are deleted with the account', async () => {
    const { id, account_id } = await connected([])
    await env.DB.batch(endAccess(env.DB, account_id, new Date().toISOString()))
    expect(await stored(id)).toBeNull()
  })
})
