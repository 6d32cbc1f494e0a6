import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../client/src/cli/command.ts'
import { fraudHeaders } from '../../client/src/cli/mtd/fraud-headers.ts'
import { type HmrcServer, serveHmrc } from '../support/hmrc-server.ts'

const SERVICE = 'https://tax.test'
const folder = mkdtempSync(join(tmpdir(), 'mtd-'))

/** What the service wrote for HMRC, as the tests of returns have it. */
const GOLDEN = readFileSync(
  join(import.meta.dirname, '../returns/reports/golden/hmrc-vat-return.json'),
  'utf8',
)

let hmrc: HmrcServer

beforeEach(async () => {
  hmrc = await serveHmrc()
})

afterEach(() => {
  hmrc.close()
  rmSync(folder, { recursive: true, force: true })
})

const SECRETS = ['token-of-hmrc', 'the-secret', 'tcs_test_x']

type Options = {
  env?: Record<string, string>
  submission?: object
  filed?: object
  /** What the service answers to the receipt. */
  kept?: () => Response
  /** Plays the user and the browser: is called with the address to sign in at. */
  browse?: (address: URL) => void
  live?: string
}

/** Runs the command against a service with one British return, and HMRC's server in place of HMRC. */
async function run(args: readonly string[], { env, submission, filed, kept, browse, live }: Options = {}) {
  const said: string[] = []
  const puts: { note: string }[] = []
  const files: URL[] = []
  const answer = {
    id: 'ret_1',
    type: 'uk_vat100',
    status: 'filed',
    from_date: '2026-07-01',
    to_date: '2026-09-30',
    submission: { state: 'filed', number: null, note: null, ...submission },
    ...filed,
  }
  const ofService = async (request: Request, url: URL) => {
    if (request.method === 'PUT') {
      puts.push((await request.json()) as { note: string })
      return kept?.() ?? Response.json(answer)
    }
    if (!url.pathname.endsWith('/file')) return Response.json(answer)
    files.push(url)
    const text = GOLDEN.replace('18A1', url.searchParams.get('period_key') ?? '')
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  const fetched = async (request: Request) => {
    const url = new URL(request.url)
    if (url.origin === SERVICE) return ofService(request, url)
    if (url.origin !== (live ?? 'https://api.service.hmrc.gov.uk')) throw new Error(`No ${url.origin} here`)
    return fetch(new Request(hmrc.origin + url.pathname + url.search, request))
  }
  const tell = (text: string) => {
    said.push(text)
    const [address] = /https:\S+oauth\/authorize\S+/.exec(text) ?? []
    if (address !== undefined) browse?.(new URL(address))
  }
  const credentials = env ?? { HMRC_ACCESS_TOKEN: hmrc.token }
  const code = await runCommand(
    args,
    {
      TAX_API_KEY: 'tcs_test_x',
      TAX_API_URL: SERVICE,
      HMRC_VRN: 'GB 980 7806 84',
      XDG_CONFIG_HOME: folder,
      ...credentials,
    },
    { out: tell, error: tell, fetch: fetched },
  )
  const text = said.join('\n')
  for (const secret of SECRETS) expect(text).not.toContain(secret)
  expect(hmrc.faults).toEqual([])
  return { code, text, puts, files }
}

describe('mtd obligations', () => {
  it('lists those that are open', async () => {
    const { code, text } = await run(['mtd', 'obligations'])
    expect([code, text]).toEqual([0, '2026-07-01 to 2026-09-30  #001  open, due 2026-11-07'])
  })

  it('lists those of given days, oldest first, also as JSON', async () => {
    const days = ['--from', '2026-01-01', '--to', '2026-12-31']
    const { text } = await run(['mtd', 'obligations', ...days])
    expect(text.split('\n')).toEqual([
      '2026-04-01 to 2026-06-30  18A1  received 2026-08-06',
      '2026-07-01 to 2026-09-30  #001  open, due 2026-11-07',
    ])
    expect(JSON.parse((await run(['mtd', 'obligations', ...days, '--json'])).text)).toHaveLength(2)
  })

  it('says so if there are none, and what HMRC refuses', async () => {
    hmrc.obligations = []
    expect((await run(['mtd', 'obligations'])).text).toBe('HMRC expects no return')
    const { code, text } = await run(['mtd', 'obligations', '--vrn', '123456789'])
    expect([code, text]).toEqual([1, 'HMRC answered 400, VRN_INVALID, The provided VRN is invalid'])
  })

  it('asks the place for tests with --sandbox', async () => {
    const live = 'https://test-api.service.hmrc.gov.uk'
    expect((await run(['mtd', 'obligations', '--sandbox'], { live })).code).toBe(0)
  })
})

describe('mtd submit', () => {
  it('shows the return and the declaration, and sends nothing, without --declare', async () => {
    const { code, text, puts } = await run(['mtd', 'submit', 'ret_1'])
    expect(code).toBe(0)
    expect(text).toContain('"vatDueSales": 200.3')
    expect(text).toContain('you are making a legal declaration')
    expect([hmrc.returns, puts]).toEqual([[], []])
  })

  it('sends what the service wrote, with the key of the obligation, and keeps the receipt', async () => {
    const { code, text, puts, files } = await run(['mtd', 'submit', 'ret_1', '--declare'], {
      submission: { state: 'reviewed', note: 'Checked by Ann' },
    })
    expect(code).toBe(0)
    expect(files[0]?.searchParams.get('period_key')).toBe('#001')
    expect(files[0]?.searchParams.get('amends_apart')).toBeNull()
    expect(hmrc.returns.map((each) => JSON.parse(each))).toEqual([JSON.parse(GOLDEN.replace('18A1', '#001'))])
    const receipt =
      'HMRC has the return: form bundle 256660290587, received 2026-11-03T08:20:27.895Z, receipt ' +
      '2dd537bc-4244-4ebf-bac9-96321be13cdc, charge aCxFaNx0FZsCvyWF, payment direct debit'
    expect(text).toBe(receipt)
    expect(puts).toEqual([
      { state: 'filed', number: '256660290587', day: '2026-11-03', note: `Checked by Ann\n${receipt}` },
    ])
  })

  it('leaves late entries apart only if that is said', async () => {
    const { files } = await run(['mtd', 'submit', 'ret_1', '--amends-apart'])
    expect(files[0]?.searchParams.get('amends_apart')).toBe('true')
  })

  it.each<[string, Options]>([
    ['is a return oss_union', { filed: { type: 'oss_union' } }],
    ['is an old version', { filed: { status: 'reopened' } }],
    ['is open: record first', { submission: { state: 'open' } }],
    ['is at HMRC already: 123', { submission: { number: '123' } }],
    ['is at HMRC already: paid', { submission: { state: 'paid' } }],
  ])('refuses a return that %s before HMRC is asked', async (reason, options) => {
    const { code, text, puts } = await run(['mtd', 'submit', 'ret_1', '--declare'], options)
    expect([code, text]).toEqual([2, expect.stringContaining(reason)])
    expect([hmrc.returns, puts]).toEqual([[], []])
  })

  it('names the open obligations if none has the days of the return', async () => {
    const { code, text } = await run(['mtd', 'submit', 'ret_1', '--declare'], {
      filed: { to_date: '2026-08-31' },
    })
    expect(code).toBe(1)
    expect(text).toBe(
      'HMRC expects no return for 2026-07-01 to 2026-08-31. Open are:\n' +
        '2026-07-01 to 2026-09-30  #001  open, due 2026-11-07',
    )
  })

  it('keeps nothing if HMRC refuses, as a return that it has', async () => {
    hmrc.returns.push('{}')
    const { code, text, puts } = await run(['mtd', 'submit', 'ret_1', '--declare'])
    expect([code, puts]).toEqual([1, []])
    expect(text).toBe(
      'HMRC answered 403, DUPLICATE_SUBMISSION, The VAT return was already submitted for the given period',
    )
  })

  it('says that it is unknown whether HMRC has it, if HMRC fails', async () => {
    hmrc.refuse = { status: 503, code: 'SERVER_ERROR', message: 'Service unavailable' }
    const { code, text, puts } = await run(['mtd', 'submit', 'ret_1', '--declare'])
    expect([code, puts]).toEqual([1, []])
    expect(text).toContain('It is unknown whether HMRC has the return')
  })

  it('prints the receipt if the service does not keep it', async () => {
    const kept = () =>
      Response.json(
        { message: 'Another person has to file it', reason: 'second_person_required' },
        { status: 409 },
      )
    const { code, text } = await run(['mtd', 'submit', 'ret_1', '--declare'], { kept })
    expect(code).toBe(1)
    expect(text).toContain('form bundle 256660290587')
    expect(text).toContain('is not kept with ret_1: Another person has to file it. Keep it by hand')
  })
})

describe('the sign-in at HMRC', () => {
  const env = { HMRC_CLIENT_ID: 'my-app', HMRC_CLIENT_SECRET: 'the-secret' }

  it('exchanges the code of the browser for a token, which is not printed', async () => {
    let asked = new URLSearchParams()
    const browse = ({ origin, searchParams }: URL) => {
      expect(origin).toBe('https://www.tax.service.gov.uk')
      asked = searchParams
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.hostname = '127.0.0.1'
      const state = searchParams.get('state') ?? ''
      // Another page of the browser has no state, and is not heard.
      void fetch(`${back}?code=wrong&state=other`).then(() => fetch(`${back}?code=the-code&state=${state}`))
    }
    const { code, text } = await run(['mtd', 'obligations'], { env, browse })
    expect([code, text]).toEqual([0, expect.stringContaining('#001  open')])
    expect(asked.get('scope')).toBe('read:vat write:vat')
    expect(hmrc.exchanged.map((form) => Object.fromEntries(form))).toEqual([
      {
        grant_type: 'authorization_code',
        client_id: 'my-app',
        client_secret: 'the-secret',
        redirect_uri: asked.get('redirect_uri'),
        code: 'the-code',
      },
    ])
  })

  it('ends if the user gives no access', async () => {
    const browse = ({ searchParams }: URL) =>
      void fetch(`http://127.0.0.1:54787/?error=access_denied&state=${searchParams.get('state')}`)
    const { code, text } = await run(['mtd', 'obligations'], { env, browse })
    expect([code, text]).toEqual([1, expect.stringContaining('HMRC gave no access: access_denied')])
  })
})

describe('the arguments of mtd', () => {
  it.each([
    [['mtd'], {}, 'give mtd obligations, or mtd submit'],
    [['mtd', 'submit'], {}, 'give mtd obligations, or mtd submit'],
    [['mtd', 'obligations', 'x'], {}, 'give mtd obligations, or mtd submit'],
    [['mtd', 'obligations', '--from', '2026-01-01'], {}, '--from and --to'],
    [['mtd', 'obligations', '--vrn', 'DE123'], {}, '--vrn is missing'],
    [['mtd', 'obligations'], { HMRC_CLIENT_ID: 'x' }, 'set HMRC_CLIENT_ID and HMRC_CLIENT_SECRET'],
  ])('%j is refused', async (args, env, reason) => {
    const { code, text } = await run(args, { env })
    expect([code, text]).toEqual([2, expect.stringContaining(reason)])
  })
})

describe('the headers against fraud', () => {
  const device = {
    id: 'beec798b-b366-47fa-b1f8-92cede14a1ce',
    ips: ['10.1.2.3', 'fc00::1'],
    mac_addresses: ['ea:43:1a:5d:21:45'],
    user: "O'Hara (Ann)",
    os: 'Linux',
    os_version: '6.1',
    manufacturer: 'Dell Inc.',
    model: '',
    minutes_ahead: -75,
  }

  it('have the forms of the specification', () => {
    expect(fraudHeaders(device, 'Smith & Co', new Date('2026-09-21T10:30:05.123Z'))).toMatchObject({
      'Gov-Client-Local-IPs': '10.1.2.3,fc00%3A%3A1',
      'Gov-Client-Local-IPs-Timestamp': '2026-09-21T10:30:05.123Z',
      'Gov-Client-MAC-Addresses': 'ea%3A43%3A1a%3A5d%3A21%3A45',
      'Gov-Client-Timezone': 'UTC-01:15',
      'Gov-Client-User-Agent': 'os-family=Linux&os-version=6.1&device-manufacturer=Dell%20Inc.&device-model=',
      'Gov-Client-User-IDs': 'os=O%27Hara%20%28Ann%29',
      'Gov-Vendor-Product-Name': 'Smith%20%26%20Co',
    })
  })

  it('leave out what a device does not have', () => {
    const headers = fraudHeaders(
      { ...device, ips: [], mac_addresses: [], minutes_ahead: 330 },
      'x',
      new Date(),
    )
    expect(Object.values(headers)).not.toContain('')
    expect(headers).not.toHaveProperty('Gov-Client-Local-IPs-Timestamp')
    expect(headers['Gov-Client-Timezone']).toBe('UTC+05:30')
  })

  it('name the same device each time', async () => {
    await run(['mtd', 'obligations'])
    const file = join(folder, 'tax-compliance/device-id')
    const id = readFileSync(file, 'utf8')
    await run(['mtd', 'obligations'])
    expect(readFileSync(file, 'utf8')).toBe(id)
  })
})
