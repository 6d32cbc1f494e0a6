import type { Facts } from '../tax/book/facts.ts'

/** The kinds of facts that are kept, each under its own name in `Facts`. */
export const KINDS = [
  'jurisdictions',
  'rates',
  'product_rules',
  'thresholds',
  'postal_rules',
  'consignment_limits',
  'exchange_rates',
] as const
export type Kind = (typeof KINDS)[number]

/**
 * A fact as a row: what identifies it, and what it says. When it was last verified is no part of what it
 * says.
 */
export type StoredFact = { kind: Kind; id: string; content: string; last_verified_at: string | null }

/** All facts as rows. */
export function toStored(facts: Facts): StoredFact[] {
  return KINDS.flatMap((kind) =>
    facts[kind].map((fact) => {
      const { last_verified_at, ...content } = { last_verified_at: null, ...fact }
      return { kind, id: idOf(fact), content: JSON.stringify(content), last_verified_at }
    }),
  )
}

/** Rows as facts again, in the order in which they were recorded. */
export function fromStored(rows: readonly StoredFact[], version: string, recorded_at: string): Facts {
  const facts: Facts = {
    version,
    recorded_at,
    jurisdictions: [],
    rates: [],
    product_rules: [],
    thresholds: [],
    postal_rules: [],
    consignment_limits: [],
    exchange_rates: [],
  }
  for (const row of rows) facts[row.kind].push(parseContent(row))
  return facts
}

/** Content was written by `toStored` from a fact of its kind, so that is what comes out. */
function parseContent({ kind, content, last_verified_at }: StoredFact) {
  const parsed = JSON.parse(content)
  if (kind === 'postal_rules' || kind === 'exchange_rates') return parsed
  return { ...parsed, last_verified_at }
}

function idOf(fact: Facts[Kind][number]): string {
  if ('id' in fact) return fact.id
  if ('prefix' in fact) return `${fact.country}:${fact.prefix}:${fact.city ?? ''}`
  if ('region' in fact) return `${fact.region}:${fact.effective_from}`
  return fact.currency
}
