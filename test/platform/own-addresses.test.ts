import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/service/app.ts'
import { unsetAddressesOf } from '../../scripts/unset-addresses.ts'
import { linkTo, publicLink, unsetAddresses } from '../../src/platform/own-addresses.ts'
import { alarmsOf } from '../../src/tax-data/status/alarms.ts'
import { readAlarms } from '../../src/tax-data/status/watch.ts'
import { newAccount } from '../support/account.ts'
import { call, newAddress } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const PUBLIC_URL = 'https://tax.example.com'
const CONSOLE_URL = 'https://books.example.com/'

/** The link of an answer to a person, who asks at the host of people. */
async function linkIn(path: string, field: string, body: unknown, variables: object): Promise<string> {
  const { key } = await newAccount()
  const customer = await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })
  const request = new Request(
    `https://books.example.com${path.replace(':id', String(customer.body['id']))}`,
    {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'CF-Connecting-IP': newAddress(),
      },
      body: JSON.stringify(body),
    },
  )
  const response = await app.fetch(request, { ...env, ...variables }, createExecutionContext())
  const answer: Record<string, unknown> = await response.json()
  return String(answer[field])
}

describe.each([
  ['/v1/customers/:id/certificate-request', 'url', {}, '/certificate/'],
  ['/v1/obligations/calendar', 'url', {}, '/calendar/'],
  [
    '/v1/saleor/installs',
    'manifest_url',
    { saleor_api_url: 'https://shop.saleor.test/graphql/' },
    '/saleor/',
  ],
] as const)('the link in the answer of POST %s', (path, field, body, begins) => {
  it('has the public host, wherever it was asked for', async () => {
    const variables = { PUBLIC_URL, CONSOLE_URL, ALLOW_LOCAL_WEBHOOKS: 'true' }
    expect(await linkIn(path, field, body, variables)).toMatch(new RegExp(`^${PUBLIC_URL}${begins}`))
  })

  it('has the host of the request without PUBLIC_URL', async () => {
    const link = await linkIn(path, field, body, { ALLOW_LOCAL_WEBHOOKS: 'true' })
    expect(link).toMatch(new RegExp(`^https://books\\.example\\.com${begins}`))
  })
})

describe('an address', () => {
  it('makes a whole link, and no other text does', () => {
    expect(linkTo({ CONSOLE_URL }, 'CONSOLE_URL', '/console/')).toBe('https://books.example.com/console/')
    expect(publicLink({ PUBLIC_URL: '' }, '/a', 'https://b.example/c?d')).toBe('https://b.example/a')
    for (const wrong of ['', 'tax.example.com', 'javascript:alert(1)', 'ftp://tax.example.com'])
      expect(linkTo({ PUBLIC_URL: wrong }, 'PUBLIC_URL', '/')).toBeNull()
  })

  it('is needed where people sign in or get mails, and must be an address', () => {
    expect(unsetAddresses({})).toEqual([])
    expect(unsetAddresses({ PUBLIC_URL: 'tax.example.com' })).toEqual(['PUBLIC_URL'])
    for (const needs of [{ ACCESS_ISSUER: 'https://t.cloudflareaccess.com' }, { MAIL_FROM: 'a@b.c' }]) {
      expect(unsetAddresses(needs)).toEqual(['PUBLIC_URL', 'CONSOLE_URL'])
      expect(unsetAddresses({ ...needs, PUBLIC_URL })).toEqual(['CONSOLE_URL'])
      expect(unsetAddresses({ ...needs, PUBLIC_URL, CONSOLE_URL })).toEqual([])
    }
  })

  it('that is missing is an alarm of the health, at once', async () => {
    const at = async (bindings: object) =>
      (await readAlarms({ ...env, ...bindings }, new Date())).find(({ name }) => name === 'unset_addresses')
    expect(await at({})).toMatchObject({ status: 'pass', value: 0 })
    expect(await at({ MAIL_FROM: 'a@b.c', PUBLIC_URL })).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('PUBLIC_URL or CONSOLE_URL is not set'),
    })
    expect(alarmsOf({ unset_addresses: 2 })[0]?.message).toContain('PUBLIC_URL and CONSOLE_URL are not set')
  })

  it('that is missing is told by a deploy, with what follows', () => {
    expect(unsetAddressesOf({ vars: { ENVIRONMENT: 'production' }, send_email: [] })).toEqual([])
    const vars = { PUBLIC_URL, ENVIRONMENT: 'production' }
    expect(unsetAddressesOf({ vars, send_email: [{ name: 'MAIL' }] })).toEqual([
      expect.stringMatching(/^\[vars\] sets CONSOLE_URL to no address: .*docs\/people\.md#two-addresses$/),
    ])
  })
})
