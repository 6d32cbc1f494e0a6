import { isDeepStrictEqual } from 'node:util'

/** A case of a panel: a request, and what its answer has to hold. */
export type PanelCase = {
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
  tax_if_registered: number | null | undefined
  shipping_taxed: boolean
  notes: string
}

/** The request of a case. One without a day of its own asks on this day, and would answer otherwise later. */
export function onDay({ method, path, body }: PanelCase['request'], day: string): PanelCase['request'] {
  if (method === 'GET') return { method, path: path.includes('date=') ? path : `${path}&date=${day}` }
  const name = path.endsWith('/calculate') ? 'transaction_date' : 'date'
  return { method, path, body: { [name]: day, ...body } }
}

type Line = {
  tax_amount?: number
  taxability_reason: string | null
  tax_if_registered?: number | null
  notes: string[]
  tax_breakdown: { jurisdiction_id: string }[]
}
type Body = {
  tax_amount?: number
  line_items?: Line[]
  jurisdiction_id?: string
  shipping_cost?: { taxable: boolean } | null
  reverse_charge?: boolean
  decision?: {
    collect: boolean
    must_register: boolean
    reason: string
  }
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
    tax_if_registered: line?.tax_if_registered,
    shipping_taxed: body.shipping_cost?.taxable ?? false,
    notes: [...(body.notes ?? []), ...(body.line_items ?? []).flatMap(({ notes }) => notes)].join('\n'),
  }
}

/** The expectations of a case that an answer does not meet, in the words that law2.json explains. */
export function unmetBy(
  given: Record<string, unknown>,
  expect: PanelCase['expect'],
): [name: string, value: unknown][] {
  return Object.entries(expect).filter(([name, value]) => !holds(name, value, given))
}

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
    case 'lines':
      return isDeepStrictEqual(
        body.line_items?.map(({ tax_amount }) => tax_amount),
        value,
      )
    case 'not_reason':
      return seen.reason !== value
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
