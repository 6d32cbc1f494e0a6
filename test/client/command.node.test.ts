import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../client/src/cli/command.ts'
import { decimal, minorUnits, moneyInWords } from '../../client/src/cli/money.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { minorDigits } from '../../src/engine/book/minor-digits.ts'
import { moneyInWords as moneyOfService } from '../../src/engine/book/money-in-words.ts'

/** Runs the command with answers by path, and returns what it printed and sent. */
async function run(
  args: readonly string[],
  answers: Readonly<Record<string, () => Response>> = {},
  env: Record<string, string> = { TAX_API_KEY: 'tcs_test_x' },
) {
  const out: string[] = []
  const error: string[] = []
  const sent: { url: string; key: string | null; body: unknown }[] = []
  const fetch = async (request: Request) => {
    const text = await request.text()
    sent.push({
      url: request.url,
      key: request.headers.get('Authorization'),
      body: text === '' ? null : JSON.parse(text),
    })
    const answer = answers[new URL(request.url).pathname]
    if (answer === undefined)
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    return answer()
  }
  const surroundings = { out: (text: string) => out.push(text), error: (text: string) => error.push(text) }
  const code = await runCommand(args, env, {
    out: (text) => void surroundings.out(text),
    error: (text) => void surroundings.error(text),
    fetch,
  })
  return { code, out: out.join('\n'), error: error.join('\n'), sent }
}

const refusal = (status: number, body: object) => () => Response.json(body, { status })

describe('reconcile', () => {
  const hashed = async (text: string) => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
    return Buffer.from(digest).toString('hex')
  }
  const sum = (tax_amount: number) => ({ currency: 'EUR', net_amount: 0, taxable_amount: 0, tax_amount })

  /** A service with one filed return of two lines. */
  async function service(more: object = {}, rows = ['{"a":1}', '{"b":2}']) {
    const rows_hash = await hashed(['', '{"a":1}', '{"b":2}'].join('\n'))
    const head = { id: 'ret_1', type: 'oss_union', period: '2026-Q1', version: 1, previous_hash: '' }
    const days = { from_date: '2026-01-01', to_date: '2026-03-31' }
    const head_of_hash = {
      previous_hash: '',
      id: 'ret_1',
      type: 'oss_union',
      jurisdiction_id: '',
      period: '2026-Q1',
      from_date: '2026-01-01',
      to_date: '2026-03-31',
      version: 1,
    }
    const hash_input = JSON.stringify([
      ...Object.values(head_of_hash),
      '[]',
      '{}',
      '[]',
      '{}',
      'v',
      2,
      rows_hash,
      'now',
      'key_1',
    ])
    const filed = {
      ...head,
      ...days,
      jurisdiction_id: null,
      status: 'filed',
      hash: await hashed(hash_input),
      hash_input,
      faults: [],
      books: [sum(300)],
      declared: [sum(200)],
      pending: [sum(100)],
      ...more,
    }
    const page = { returns: [filed], missing: [], has_more: false }
    return {
      '/v1/returns/reconciliation': () => Response.json(page),
      '/v1/returns/ret_1/hashed-rows': () => Response.json({ rows, next_cursor: null }),
    }
  }

  it('computes sums and hashes again, and agrees', async () => {
    const { code, out, sent } = await run(['reconcile', '--type', 'oss_union'], await service())
    expect(out.split('\n')).toEqual([
      'oss_union 2026-Q1 version 1, filed: agrees; tax €3.00 = declared €2.00 + pending €1.00',
      '1 returns, 0 faults',
    ])
    expect([code, sent[0]?.url]).toEqual([0, expect.stringContaining('type=oss_union')])
  })

  it.each<[string, object, string[] | undefined, string]>([
    ['a sale in no return', { books: [sum(350)] }, undefined, 'tax_amount: €0.50 are in no return'],
    ['another hash', { hash: 'abc' }, undefined, 'The hash is not that of its text'],
    ['another period', { period: '2026-Q2' }, undefined, 'period is not the hashed one'],
    ['another line', {}, ['{"a":1}', '{"b":3}'], 'The hash of its lines is not the hashed one'],
    ['a line less', {}, ['{"a":1}'], 'It has 1 lines, of 2 filed'],
    ['what the service found', { faults: ['a fault'] }, undefined, '  a fault'],
    ['a lost return', { previous_hash: 'abc' }, undefined, 'The return before ret_1 is gone'],
  ])('finds %s, with exit code 1', async (_, more, rows, fault) => {
    const { code, out } = await run(['reconcile'], await service(more, rows))
    expect([code, out]).toEqual([1, expect.stringContaining(fault)])
  })

  it('takes no words', async () => {
    const { code, error } = await run(['reconcile', 'all'])
    expect([code, error]).toEqual([2, expect.stringContaining('options only')])
  })
})

describe('the command', () => {
  it('prints its help', async () => {
    for (const args of [['--help'], ['calculate', '--help'], []]) {
      const { code, out, sent } = await run(args)
      expect([code, sent]).toEqual([0, []])
      expect(out).toContain('--registered LIST')
    }
  })

  it('prints its version, which is that of its package', async () => {
    const { code, out, sent } = await run(['--version'], {}, {})
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'client/package.json'), 'utf8'))
    expect([code, out, sent]).toEqual([0, version, []])
  })

  it.each<[string, string[], RegExp]>([
    ['another command', ['count', '--to', 'FR'], /count is not a command: use calculate/],
    ['no place', ['calculate', '19.99', 'saas'], /--to is missing/],
    [
      'a place by name',
      ['calculate', '--to', 'France', '19.99', 'saas'],
      /--to France: give a country such as/,
    ],
    ['no price', ['calculate', '--to', 'FR'], /give prices with their product types/],
    ['a price without a type', ['calculate', '--to', 'FR', '19.99'], /give prices with their product types/],
    [
      'registrations of nobody',
      ['calculate', '--to', 'FR', '--registered', 'FR', '5', 'saas'],
      /needs --from/,
    ],
    ['an unknown option', ['calculate', '--tu', 'FR', '5', 'saas'], /--tu/],
    ['a wrong currency', ['calculate', '--to', 'FR', '--currency', 'EURO', '5', 'saas'], /--currency EURO/],
    [
      'words for a price',
      ['calculate', '--to', 'FR', '--currency', 'EUR', 'five', 'saas'],
      /five is not a price/,
    ],
    ['a fraction of a cent', ['calculate', '--to', 'FR', '--currency', 'EUR', '1.999', 'saas'], /2 digits/],
    ['no address', ['calculate', '--to', 'FR', '--url', 'nowhere', '5', 'saas'], /--url nowhere/],
  ])('refuses %s with exit code 2, and sends nothing', async (_, args, message) => {
    const { code, error, out, sent } = await run(args)
    expect([code, out, sent]).toEqual([2, '', []])
    expect(error).toMatch(message)
  })

  it('needs a key in the environment', async () => {
    const { code, error } = await run(['calculate', '--to', 'FR', '5', 'saas'], {}, {})
    expect([code, error]).toEqual([2, expect.stringContaining('TAX_API_KEY is not set')])
  })

  it('asks which currency to use where it cannot know it', async () => {
    const not_found = refusal(404, { message: 'Unknown jurisdiction', reason: 'invalid_jurisdiction' })
    const { code, error } = await run(['calculate', '--to', 'JP', '5', 'saas'], {
      '/v1/metadata/jurisdictions/JP': not_found,
    })
    expect([code, error]).toEqual([2, expect.stringContaining('--currency is missing')])
  })

  it('says all that the service says is wrong, with exit code 1', async () => {
    const { code, error } = await run(
      ['calculate', '--to', 'FR', '--currency', 'EUR', '5', 'sas', '6', 'ebok'],
      {
        '/v1/calculate': refusal(400, {
          message: 'line_items[0].product_type: must be one of …',
          request_id: 'req_1',
          errors: [
            { path: 'line_items[0].product_type', message: 'did you mean saas?' },
            { path: 'line_items[1].product_type', message: 'did you mean ebooks?' },
          ],
        }),
      },
    )
    expect(code).toBe(1)
    expect(error.split('\n')).toHaveLength(3)
    expect(error).toMatch(/req_1.*saas.*ebooks/s)
  })

  it('says that the service does not answer, with exit code 1', async () => {
    const { code, error } = await run(['calculate', '--to', 'FR', '--currency', 'EUR', '5', 'saas'])
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^No answer from http:\/\/127.0.0.1:8787: connect ECONNREFUSED/),
    ])
  })

  it('sends the sale to the given address', async () => {
    const args = ['--url', 'https://tax.example.com', '--from', 'us-ny', '--registered', 'US-CA, US-NY']
    const { sent } = await run(
      [
        'calculate',
        '--to',
        'US-CA',
        '--postal-code',
        '94105',
        '--city',
        'San Francisco',
        ...args,
        '49',
        'saas',
      ],
      {
        '/v1/metadata/jurisdictions/US': () => Response.json({ currency: 'USD' }),
        '/v1/calculate': refusal(400, {}),
      },
    )
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual(Array(2).fill('https://tax.example.com'))
    expect(sent[1]).toMatchObject({
      key: 'Bearer tcs_test_x',
      body: {
        currency: 'USD',
        customer: {
          address: { country: 'US', region: 'CA', postal_code: '94105', city: 'San Francisco' },
        },
        seller: { country: 'US', region: 'NY', registrations: ['US-CA', 'US-NY'] },
        line_items: [{ amount: 4_900, product_type: 'saas' }],
      },
    })
  })
})

describe('prices', () => {
  it.each<[string, string, number]>([
    ['19.99', 'EUR', 1_999],
    ['19.9', 'EUR', 1_990],
    ['19', 'EUR', 1_900],
    ['0.07', 'USD', 7],
    ['1999', 'JPY', 1_999],
    ['1.234', 'KWD', 1_234],
    ['12345678901.34', 'EUR', 1_234_567_890_134],
  ])('%s %s are %i minor units, and back', (price, currency, amount) => {
    expect(minorUnits(price, currency)).toBe(amount)
    expect(minorUnits(decimal(amount, currency), currency)).toBe(amount)
  })

  it('have the sign of their amount', () => {
    expect([decimal(-7, 'EUR'), decimal(-1_999, 'JPY'), decimal(0, 'EUR')]).toEqual([
      '-0.07',
      '-1999',
      '0.00',
    ])
  })

  it.each(['EUR', 'USD', 'GBP', 'CAD', 'AUD', 'NZD', 'SEK', 'HUF', 'JPY', 'ISK', 'KWD'])(
    'of %s have the digits that the service uses',
    (currency) => {
      expect(decimal(0, currency).split('.')[1]?.length ?? 0).toBe(minorDigits(currency))
    },
  )

  it.each(['EUR', 'USD', 'CHF', 'AED', 'HUF', 'JPY', 'KWD'])(
    'of %s are written as the sentences of the service have them',
    (currency) => {
      for (const amount of [0, 7, 4_900, -123_456_789])
        expect(moneyInWords(amount, currency)).toBe(moneyOfService(amount, currency))
    },
  )
})
