import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashOfKey, newApiKey } from '../../src/parties/accounts/api-key.ts'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const { key } = await newAccount()
const ask = (headers: Record<string, string>, path = '/v1/account') => call('GET', path, { headers })

describe('an Authorization header', () => {
  it.each([`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer  ${key}`])(
    'is taken as %j',
    async (Authorization) => {
      expect((await ask({ Authorization })).status).toBe(200)
    },
  )

  it.each<[string, string]>([
    ['empty', ''],
    ['the key alone', key],
    ['of another scheme', `Basic ${btoa(`${key}:`)}`],
    ['with the key as the name of a user', `Basic ${btoa(`:${key}`)}`],
    ['with a tab', `Bearer\t${key}`],
    ['without a space', `Bearer${key}`],
    ['with a comma behind', `Bearer ${key},`],
    ['with two keys, as a second header would make', `Bearer ${key}, Bearer ${key}`],
    ['in quotes', `Bearer "${key}"`],
    ['percent-encoded', `Bearer ${key.replace('_', '%5F')}`],
    ['in capitals', `Bearer ${key.toUpperCase()}`],
    ['of 10,000 characters', `Bearer ${'a'.repeat(10_000)}`],
    ['not of ASCII', 'Bearer tcs_live_ä'],
    ['with many spaces before the key', `Bearer ${' '.repeat(5_000)}${key}`],
  ])('is refused %s', async (_, Authorization) => {
    expect((await ask({ Authorization })).status).toBe(401)
  })

  it('with the hash of a key is refused: who reads the database cannot call', async () => {
    const hash = await hashOfKey(key)
    for (const text of [hash, `tcs_live_${hash.slice(0, 38)}`])
      expect((await ask({ Authorization: `Bearer ${text}` })).status).toBe(401)
  })
})

describe('a key anywhere else', () => {
  it.each([
    ['the query', {}, `?api_key=${key}`],
    ['the query as access_token', {}, `?access_token=${key}`],
    ['a cookie', { Cookie: `Authorization=Bearer ${key}; api_key=${key}` }, ''],
    ['X-API-Key', { 'X-API-Key': key }, ''],
    ['Proxy-Authorization', { 'Proxy-Authorization': `Bearer ${key}` }, ''],
    ['X-Forwarded-Authorization', { 'X-Forwarded-Authorization': `Bearer ${key}` }, ''],
  ])('does not count: in %s', async (_, headers, query) => {
    expect((await ask({ ...headers }, `/v1/account${query}`)).status).toBe(401)
  })
})

describe.each(ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path.replace(/:\w+/g, 'x')))(
  'HEAD %s',
  (path) => {
    it('needs a key as GET does', async () => {
      // Each from an address of its own: one address may fail only so often.
      const headers = { 'CF-Connecting-IP': path }
      const response = await exports.default.fetch(`https://service.test${path}`, { method: 'HEAD', headers })
      expect(response.status).toBe(401)
    })
  },
)

describe('guessing keys', () => {
  /** As an attacker does who knows the form: the checksum is right, only the key is none. */
  const guess = (address: string) =>
    call('GET', '/v1/account', { key: newApiKey(false), headers: { 'CF-Connecting-IP': address } })
  const flood = async (address: string) => {
    // Two minutes' worth, in case that the minute of the wall clock ends between.
    for (let index = 0; index < 121; index += 1) if ((await guess(address)).status === 429) return
    throw new Error('is not limited')
  }

  it('stops at the address, and does not reach the database for each', async () => {
    await flood('198.51.100.1')
    const prepare = vi.spyOn(env.DB, 'prepare')
    const answers = []
    for (let index = 0; index < 300; index += 1) answers.push(await guess('198.51.100.1'))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
    expect(answers[0]?.headers.get('Retry-After')).toMatch(/^\d+$/)
    // One a 5 seconds is looked up.
    expect(prepare.mock.calls.length).toBeLessThan(10)
  })

  it('leaves a key alone that is in use, also at that address, and everybody else', async () => {
    const { key: good } = await newAccount()
    const { key: elsewhere } = await newAccount()
    const headers = { 'CF-Connecting-IP': '198.51.100.2' }
    expect((await call('GET', '/v1/account', { key: good, headers })).status).toBe(200)
    await flood('198.51.100.2')
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 46_000)
    expect((await call('GET', '/v1/account', { key: good, headers })).status).toBe(200)
    expect((await call('GET', '/v1/account', { key: elsewhere })).status).toBe(200)
  })

  it('is not hidden by an address that the caller writes himself', async () => {
    const statuses = new Set<number>()
    for (let index = 0; index < 121; index += 1) {
      const told = `192.0.2.${index}`
      const headers = {
        'CF-Connecting-IP': '198.51.100.4',
        'X-Forwarded-For': told,
        'X-Real-IP': told,
        'True-Client-IP': told,
        Forwarded: told,
      }
      statuses.add((await call('GET', '/v1/account', { headers })).status)
    }
    expect(statuses).toEqual(new Set([401, 429]))
  })

  it('over, lets a new key in after some seconds', async () => {
    const { key: good } = await newAccount()
    await flood('198.51.100.3')
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 5_001)
    expect(
      (await call('GET', '/v1/account', { key: good, headers: { 'CF-Connecting-IP': '198.51.100.3' } }))
        .status,
    ).toBe(200)
  })

  it('over, lets all new keys in once one of them was good', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, async () => (await newAccount()).key))
    await flood('198.51.100.5')
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 5_001)
    for (const key of keys)
      expect(
        (await call('GET', '/v1/account', { key, headers: { 'CF-Connecting-IP': '198.51.100.5' } })).status,
      ).toBe(200)
  })

  it('with keys that cannot be any keeps no new key out', async () => {
    const { key: good } = await newAccount()
    const headers = { 'CF-Connecting-IP': '198.51.100.6' }
    const statuses = new Set<number>()
    for (let index = 0; index < 121; index += 1)
      statuses.add((await call('GET', '/v1/account', { key: `tcs_live_${index}`, headers })).status)
    expect(statuses).toEqual(new Set([401, 429]))
    expect((await call('GET', '/v1/account', { key: good, headers })).status).toBe(200)
  })

  it('counts a whole IPv6 network as one client', async () => {
    const statuses = new Set<number>()
    for (let index = 0; index < 121; index += 1)
      statuses.add((await guess(`2001:db8:ffff::${index.toString(16)}`)).status)
    expect(statuses).toEqual(new Set([401, 429]))
    expect((await guess('2001:db8:fffe::1')).status).toBe(401)
  })
})
