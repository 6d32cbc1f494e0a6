import type { Facts } from '../../engine/book/facts.ts'

/** How a kind of fact is stored: its id, and its subject if facts of the kind have periods. */
type KindRules<Fact> = {
  idOf: (fact: Fact) => string
  /** The subject is the same for all of its periods; null: facts of this kind have no periods. */
  subjectOf: ((fact: Fact) => string) | null
  /** Whether the time of verification is stored. */
  verified: boolean
}

export type Kind = Exclude<keyof Facts, 'version' | 'recorded_at' | 'countries'>

/** The kinds of facts that are stored, each with its name in `Facts`. A new kind is one more row here. */
export const FACT_KINDS: { readonly [K in Kind]: KindRules<Facts[K][number]> } = {
  jurisdictions: { idOf: ({ id }) => id, subjectOf: null, verified: true },
  rates: {
    idOf: ({ id }) => id,
    subjectOf: (rate) => [rate.jurisdiction_id, rate.tax_type, rate.category].join(' '),
    verified: true,
  },
  product_rules: {
    idOf: ({ id }) => id,
    subjectOf: (rule) =>
      [rule.jurisdiction_id, rule.tax_type, rule.product_type, rule.customer_type].join(' '),
    verified: true,
  },
  thresholds: {
    idOf: ({ id }) => id,
    subjectOf: (threshold) =>
      [threshold.jurisdiction_id, threshold.threshold_type, threshold.scope].join(' '),
    verified: true,
  },
  postal_rules: {
    idOf: ({ country, prefix, city }) => `${country}:${prefix}:${city ?? ''}`,
    subjectOf: null,
    verified: false,
  },
  consignment_limits: {
    idOf: ({ region, effective_from }) => `${region}:${effective_from}`,
    subjectOf: ({ region }) => region,
    verified: true,
  },
  delivery_fees: {
    idOf: ({ jurisdiction_id, effective_from }) => `${jurisdiction_id}:${effective_from}`,
    subjectOf: ({ jurisdiction_id }) => jurisdiction_id,
    verified: true,
  },
  exchange_rates: { idOf: ({ currency }) => currency, subjectOf: null, verified: false },
}

export const KINDS: readonly Kind[] = Object.keys(FACT_KINDS).filter(isKind)

function isKind(text: string): text is Kind {
  return Object.hasOwn(FACT_KINDS, text)
}

/** The id of a fact: the fields that identify it. The first day of a period comes last. */
export function factId(kind: string, ...parts: string[]): string {
  return [kind, ...parts].join(':').toLowerCase()
}
