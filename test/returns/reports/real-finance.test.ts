import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import real_finance from '../../engine/oracles/real_finance.json'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'

/** Requests in their order; `{name}` in a later one is the id that the request of this name made. */
type Case = {
  id: string
  why: string
  requests: { method: string; path: string; body?: Record<string, unknown>; as?: string }[]
  expect: {
    /** The answer to look at, from the end: -1, the last, if left out. */
    of?: number
    status?: number
    /** A field of the answer; its text without it. `''` is the whole answer. */
    get?: string
    equals?: unknown
    has?: string
    has_not?: string
    matches?: string
  }[]
}

/** The day on which the cases were written: a sale without a day of its own would bear other taxes later. */
const DAY = '2026-11-26'

await loadTestData()

/** Public reports on returns, files and invoices, each with its source in the file. */
it.each((real_finance as Case[]).map((each) => [each.id, each.why, each] as const))(
  '%s: %s',
  async (_id, _why, asked) => {
    expect(await unmetOf(asked)).toEqual([])
  },
)

type Answered = { status: number; text: string; body: unknown }

async function unmetOf({ requests, expect: wanted }: Case): Promise<object[]> {
  const { key } = await newAccount({ tier: 'enterprise' })
  const ids = new Map<string, string>()
  const answers: Answered[] = []
  for (const { method, path, body, as } of requests) {
    const answer = await ask(
      key,
      method,
      filled(path, ids),
      body && JSON.parse(filled(JSON.stringify(body), ids)),
    )
    answers.push(answer)
    const { id } = (answer.body ?? {}) as { id?: unknown }
    const name = as ?? body?.['external_id']
    if (typeof id === 'string' && typeof name === 'string') ids.set(name, id)
  }
  return wanted.flatMap((each) => {
    const answer = answers.at(each.of ?? -1)
    return answer !== undefined && isMet(each, answer) ? [] : [{ wanted: each, got: answer?.text }]
  })
}

function filled(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{([A-Za-z][\w-]*)\}/g, (whole, name: string) => ids.get(name) ?? whole)
}

async function ask(
  key: string,
  method: string,
  path: string,
  body?: Record<string, unknown>,
): Promise<Answered> {
  const dated = path.endsWith('/calculate') ? { transaction_date: DAY, ...body } : body
  const response = await exports.default.fetch(`https://service.test${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'CF-Connecting-IP': '192.0.2.1',
      ...(dated !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(dated !== undefined && { body: JSON.stringify(dated) }),
  })
  const text = await response.text()
  const is_json = response.headers.get('Content-Type')?.includes('json') === true
  return { status: response.status, text, body: is_json ? JSON.parse(text) : null }
}

function isMet(wanted: Case['expect'][number], { status, text, body }: Answered): boolean {
  if (wanted.status !== undefined && status !== wanted.status) return false
  const value = wanted.get === undefined || wanted.get === '' ? text : fieldAt(body, wanted.get)
  const seen = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  if ('equals' in wanted && value !== wanted.equals) return false
  if (wanted.has !== undefined && !seen.includes(wanted.has)) return false
  if (wanted.has_not !== undefined && seen.includes(wanted.has_not)) return false
  return wanted.matches === undefined || new RegExp(wanted.matches).test(seen)
}

/** `a.0.b`, `a.length`, and `a.[name=value].b` for the element of a list. */
function fieldAt(body: unknown, path: string): unknown {
  let found = body
  for (const step of path.split('.')) {
    const [, name = '', value] = /^\[(\w+)=(.*)\]$/.exec(step) ?? []
    if (found === null || found === undefined) return undefined
    found =
      name === ''
        ? (found as Record<string, unknown>)[step]
        : (found as Record<string, unknown>[]).find((each) => String(each[name]) === value)
  }
  return found
}
