import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import gaps from '../../../data/us-local/gaps.csv?raw'
import jurisdictions from '../../../data/us-local/jurisdictions.csv?raw'
import own_taxes from '../../../data/us-local/own-taxes.csv?raw'
import states from '../../../data/us-local/states.json?raw'
import zip_counties from '../../../data/us-local/zip-counties.csv?raw'
import { applyLocalData } from '../../../scripts/shipped-data/apply-local-data.ts'
import { localDataOf } from '../../../scripts/shipped-data/local-data.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import law2 from '../../engine/oracles/law2.json'

type Case = {
  id: string
  request: { method: string; path: string; body?: Record<string, unknown> }
  expect: Record<string, unknown>
  why: string
}

/** What the panel expects of the first line, the decision and the notes of an answer. */
type Seen = {
  tax_amount: number
  jurisdiction_id: string | undefined
  reason: string | null | undefined
  reverse_charge: boolean
  collect: boolean | undefined
  must_register: boolean | undefined
  decision: string | undefined
  shipping_taxed: boolean
  notes: string
}

/**
 * Cases that lack a fact which the law asks for. The panel wrote them before the request had a field for it;
 * with the field they hold, and without it the answer tells the doubt.
 */
const WITH_FACT: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  // UStG, s. 12(2) no. 7a: theatre, concerts and museums are reduced, congresses are not.
  ['EU-18', { line_items: [{ product_type: 'conference', amount: 10_000 }] }],
  // Directive 2006/112/EC, art. 30, 32(2), 201: who imports decides, and the request says it only in words.
  ['EU-71', { importer: 'seller' }],
])

/** The day on which the panel asked. A case without a day of its own would answer otherwise later. */
const DAY = '2026-11-23'

await loadTestData()
const now = new Date('2026-11-20T00:00:00Z')
const files = { states, jurisdictions, zip_counties, own_taxes, gaps }
await applyLocalData(env, localDataOf(files, now.toISOString()), now)
const { key } = await newAccount({ tier: 'enterprise' })

/** Cases of a second panel of specialists, each with its source in the file. */
it.each((law2.cases as unknown as Case[]).map((each) => [each.id, each.why, each] as const))(
  '%s: %s',
  async (id, _, { request, expect: wanted }) => {
    const { method, path, body: asked } = onDay(request)
    const body = asked && { ...asked, ...WITH_FACT.get(id) }
    const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
    expect(answer.status, answer.text).toBe(200)
    const unmet = Object.entries(wanted).filter(([name, value]) => !holds(name, value, answer.body))
    expect(unmet, answer.text).toEqual([])
  },
)

function onDay({ method, path, body }: Case['request']): Case['request'] {
  if (method === 'GET') return { method, path: path.includes('date=') ? path : `${path}&date=${DAY}` }
  const day = path.endsWith('/calculate') ? 'transaction_date' : 'date'
  return { method, path, body: { [day]: DAY, ...body } }
}

type Line = {
  taxability_reason: string | null
  notes: string[]
  tax_breakdown: { jurisdiction_id: string }[]
}
type Body = {
  tax_amount?: number
  line_items?: Line[]
  jurisdiction_id?: string
  shipping_cost?: { taxable: boolean } | null
  reverse_charge?: boolean
  decision?: { collect: boolean; must_register: boolean; reason: string }
  collect?: boolean
  must_register?: boolean
  notes?: string[]
  rates?: { rate: number }[]
  combined_rate?: number | null
  thresholds?: { amount: number | null }[]
}

function seenIn(given: Record<string, unknown>): Seen {
  const body = given as Body
  const [line] = body.line_items ?? []
  const decision = body.decision ?? (body as { collect?: boolean; must_register?: boolean; reason?: string })
  return {
    tax_amount: body.tax_amount ?? 0,
    jurisdiction_id: line?.tax_breakdown[0]?.jurisdiction_id ?? body.jurisdiction_id,
    reason: line?.taxability_reason,
    reverse_charge: body.reverse_charge ?? false,
    collect: decision.collect,
    must_register: decision.must_register,
    decision: decision.reason,
    shipping_taxed: body.shipping_cost?.taxable ?? false,
    notes: [...(body.notes ?? []), ...(body.line_items ?? []).flatMap(({ notes }) => notes)].join('\n'),
  }
}

/** Whether an answer meets one expectation, in the words that the file explains in `format`. */
function holds(name: string, value: unknown, given: Record<string, unknown>): boolean {
  const body = given as Body
  const seen = seenIn(given)
  switch (name) {
    case 'tax_amount_min':
      return seen.tax_amount >= Number(value)
    case 'tax_amount_in':
      return (value as number[]).includes(seen.tax_amount)
    case 'tax_amount_between': {
      const [least = 0, most = 0] = value as number[]
      return least <= seen.tax_amount && seen.tax_amount <= most
    }
    case 'status_or_tax':
      return seen.tax_amount === value
    case 'reason_in':
      return (value as string[]).includes(seen.reason ?? '')
    case 'not_decision':
      return seen.decision !== value
    case 'note':
      return typeof value !== 'string' || new RegExp(value, 'i').test(seen.notes)
    case 'rate_has':
      return [body.combined_rate, ...(body.rates ?? []).map(({ rate }) => rate)].includes(Number(value))
    case 'has_amount':
      return (body.thresholds ?? []).some(({ amount }) => amount === value)
    default:
      return seen[name as keyof Seen] === value
  }
}
