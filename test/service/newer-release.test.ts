import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../src/platform/bindings.ts'
import { newerRelease } from '../../src/tax-data/status/newer-release.ts'
import { newestIn, readReleases } from '../../src/tax-data/status/read-releases.ts'
import { call } from '../support/service.ts'
import { newAccount } from '../support/account.ts'
import { app } from '../../src/service/app.ts'
import { createExecutionContext } from 'cloudflare:test'

const NOW = new Date('2026-11-29T03:17:00Z')
const URL_OF_FEED = 'https://releases.example.com/releases.atom'
const named: Bindings = { ...env, RELEASES_URL: URL_OF_FEED }

const atom = (...titles: string[]) =>
  `<feed><title>Release notes</title>${titles.map((title) => `<entry><title type="html">${title}</title></entry>`).join('')}</feed>`

function answering(text: string, status = 200) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(text, { status }))
}

beforeEach(() => env.KV.delete('operations:newest-release'))
afterEach(() => void vi.restoreAllMocks())

describe('a newer release', () => {
  it('is looked for only in the feed that the operator names', async () => {
    const fetched = answering(atom('v9.0.0'))
    await readReleases(env, NOW)
    expect(fetched).not.toHaveBeenCalled()
    await readReleases(named, NOW)
    expect(fetched.mock.calls.map(([url]) => url)).toEqual([URL_OF_FEED])
    expect(await newerRelease(env, '1.0.0')).toBeNull()
    expect(await newerRelease(named, '1.0.0+abc')).toEqual({ version: '9.0.0', since: NOW.toISOString() })
  })

  it('is none if the same or an older one is there, and known since it was first read', async () => {
    answering(atom('v1.2.0', 'v1.10.0', 'v1.9.9', 'v2.0.0-rc.1'))
    await readReleases(named, NOW)
    await readReleases(named, new Date(NOW.getTime() + 86_400_000))
    expect(await newerRelease(named, '1.9.9')).toEqual({ version: '1.10.0', since: NOW.toISOString() })
    for (const running of ['1.10.0', '1.10.1', '2.0.0']) expect(await newerRelease(named, running)).toBeNull()
  })

  it.each([
    ['an error', () => answering('no', 500)],
    ['a redirect', () => answering('', 302)],
    ['a feed without end', () => answering('a'.repeat(1_000_001))],
  ])('is not read from %s', async (_, answer) => {
    answer()
    await expect(readReleases(named, NOW)).rejects.toThrow('RELEASES_URL answers')
    expect(await newerRelease(named, '1.0.0')).toBeNull()
  })

  it.each(['http://releases.example.com/', 'https://10.0.0.1/', 'https://intra.corp/'])(
    'is not looked for at %s',
    async (url) => {
      const fetched = answering(atom('v9.0.0'))
      await expect(readReleases({ ...env, RELEASES_URL: url }, NOW)).rejects.toThrow('RELEASES_URL must')
      expect(fetched).not.toHaveBeenCalled()
    },
  )

  it('needs attention of those who may do everything in an account, and of nobody else', async () => {
    answering(atom('v9.0.0'))
    await readReleases(named, NOW)
    const reasons = async (key: string) => {
      const request = new Request('https://service.test/v1/account', {
        headers: { Authorization: `Bearer ${key}` },
      })
      const response = await app.fetch(request, named, createExecutionContext())
      const body: { attention: { reason: string; message: string }[] } = await response.json()
      return body.attention.filter(({ reason }) => reason === 'newer_release').map(({ message }) => message)
    }
    const { key } = await newAccount()
    expect(await reasons(key)).toEqual(['Release 9.0.0 is out, and this service runs 0.0.0'])
    const { body } = await call('POST', '/v1/api-keys', {
      key,
      body: { name: 'Checkout', scopes: ['registrations:read'] },
    })
    expect(await reasons(String(body['key']))).toEqual([])
  })
})

describe('the newest version of a feed', () => {
  it('is that of the titles, in both forms', () => {
    expect(newestIn(atom('v1.2.0', 'Release 1.3.0'))).toBe('1.3.0')
    expect(
      newestIn('{"items":[{"title":"1.2.0"},{"title" : "v1.2.1 (Monday)","content_html":"9.9.9"}]}'),
    ).toBe('1.2.1')
    expect(newestIn('<html>9.9.9</html>')).toBeNull()
  })

  it('is a version or nothing, whatever the feed is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(newestIn(atom(text)) ?? '0.0.0').toMatch(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/)
      }),
    )
  })
})
