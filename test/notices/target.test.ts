import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isPrivateAddress } from '../../src/notices/delivery/private-addresses.ts'
import { readTarget, refusalOfHost } from '../../src/notices/delivery/target.ts'

describe('the address of a webhook', () => {
  it.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:443/a?b=c',
    'https://hooks.example.com:8443/',
    'https://münchen.example/',
    'https://HOOKS.example.com/',
  ])('may be %s', (url) => {
    expect(readTarget(env, url)).toMatchObject({ ok: true })
  })

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://127%2e0%2e0%2e1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https:/127.0.0.1',
    'https:///127.0.0.1',
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1#@example.com/',
    'https://127.0.0.1\\@example.com/',
    'https://user:password@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://0/',
    'https://4294967295/',
    'https://1.1.1/',
    'https://8.8.8.8/',
    'https://localhost/',
    'https://localhost./',
    'https://ℓocalhost/',
    'https://locaⓛhost/',
    'https://a.localhost/',
    'https://hooks.example.com./',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://[2606:4700::1111]/',
    'https://metadata.google.internal/',
    'https://db/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://hidden.onion/',
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    'wss://hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:0/',
    'https://hooks.example.com:8080/',
    'https://hooks.example.com/#fragment',
    'hooks.example.com',
    '',
    'https://',
  ])('may not be %s', (url) => {
    expect(readTarget(env, url)).toMatchObject({ ok: false })
  })

  it('may be local in development where that is allowed, and never in production', () => {
    const local = 'http://127.0.0.1:9000/hook'
    expect(readTarget({ ...env, ALLOW_LOCAL_WEBHOOKS: 'true', ENVIRONMENT: 'development' }, local)).toEqual({
      ok: true,
      url: local,
    })
    expect(
      readTarget({ ...env, ALLOW_LOCAL_WEBHOOKS: 'true', ENVIRONMENT: 'production' }, local),
    ).toMatchObject({ ok: false })
    expect(
      readTarget({ ...env, ALLOW_LOCAL_WEBHOOKS: 'false', ENVIRONMENT: 'development' }, local),
    ).toMatchObject({ ok: false })
  })
})

describe('the resolver', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const none = 'must name a host with an address, and this name has none'
  it.each<[string, object | null, string | null]>([
    ['knows no such name', { Status: 3 }, none],
    ['knows the name, and no address', { Status: 0, Answer: [{ type: 5, data: 'alias.example.' }] }, none],
    ['fails', { Status: 2 }, null],
    ['does not answer', null, null],
    ['answers something else', { error: 'busy' }, null],
    [
      'knows a private address',
      { Status: 0, Answer: [{ type: 1, data: '10.0.0.1' }] },
      'must name a host with public addresses',
    ],
    ['knows a public address', { Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] }, null],
  ])('%s', async (_, answer, refusal) => {
    vi.stubGlobal('fetch', () =>
      answer === null ? Promise.reject(new Error('timeout')) : Promise.resolve(Response.json(answer)),
    )
    expect(await refusalOfHost(env, 'https://hooks.example.com/')).toBe(refusal)
  })
})

describe('a resolved address', () => {
  it.each([
    '93.184.215.14',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::8a',
  ])('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  })

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    'nonsense',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '1::2::3',
    '12345::',
  ])('%s is not', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })
})
