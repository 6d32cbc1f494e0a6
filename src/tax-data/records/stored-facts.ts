import type { DeliveryFee, Facts, Jurisdiction, Verification } from '../../engine/book/facts.ts'
import { FACT_KINDS, type Kind, KINDS } from './fact-kinds.ts'

/**
 * A fact as a row: its id and its content. The content does not include the last verification, which is the
 * time and, as JSON, who was read; null: no collector has read the fact.
 */
export type StoredFact = {
  kind: Kind
  id: string
  content: string
  last_verified_at: string | null
  verification: string | null
}

/** A jurisdiction as it is stored: with its fees, because a release before knows no rows of fees. */
type StoredJurisdiction = Jurisdiction & { delivery_fees?: DeliveryFee[] }

/** All facts as rows. */
export function toStored(facts: Facts): StoredFact[] {
  const fees = Map.groupBy(facts.delivery_fees, ({ jurisdiction_id }) => jurisdiction_id)
  const jurisdictions = facts.jurisdictions.map((each): StoredJurisdiction => {
    const delivery_fees = fees.get(each.id)
    return delivery_fees === undefined ? each : { ...each, delivery_fees }
  })
  return KINDS.filter((kind) => kind !== 'delivery_fees').flatMap((kind) =>
    rowsOfKind(kind, kind === 'jurisdictions' ? jurisdictions : facts[kind]),
  )
}

function rowsOfKind<K extends Kind>(kind: K, facts: readonly Facts[K][number][]): StoredFact[] {
  const { idOf, verified } = FACT_KINDS[kind]
  return facts.map((fact) => {
    const row = { kind, id: idOf(fact) }
    // The `as_of` of an exchange rate is part of the fact.
    if (!verified)
      return { ...row, content: JSON.stringify(fact), last_verified_at: null, verification: null }
    const { last_verified_at, verified_by, as_of, doubted_since, source_kind, ...content }: Verified = {
      last_verified_at: null,
      ...fact,
    }
    const verification = JSON.stringify({ verified_by, as_of, doubted_since, source_kind })
    return {
      ...row,
      content: JSON.stringify(content),
      last_verified_at,
      verification: verification === '{}' ? null : verification,
    }
  })
}

type Verified = Verification & { last_verified_at: string | null }

/** Rows as facts again, in the order in which they were recorded. The release has the countries. */
export function fromStored(
  rows: readonly StoredFact[],
  { version, recorded_at, countries }: Pick<Facts, 'version' | 'recorded_at' | 'countries'>,
): Facts {
  const facts: Facts = {
    version,
    recorded_at,
    jurisdictions: [],
    rates: [],
    product_rules: [],
    thresholds: [],
    postal_rules: [],
    consignment_limits: [],
    delivery_fees: [],
    exchange_rates: [],
    countries,
  }
  for (const row of rows) {
    const { delivery_fees = [], ...fact } = parseContent(row)
    facts[row.kind].push(fact)
    facts.delivery_fees.push(...delivery_fees)
  }
  return facts
}

/** The period of a stored fact with its subject; null if facts of its kind have no periods. */
export function periodOf(row: StoredFact): StoredPeriod | null {
  const { subjectOf } = FACT_KINDS[row.kind]
  if (subjectOf === null) return null
  const content = JSON.parse(row.content)
  const { effective_from, effective_to } = content
  return { row, subject: `${row.kind} ${subjectOf(content)}`, effective_from, effective_to }
}

type StoredPeriod = {
  row: StoredFact
  subject: string
  effective_from: string | null
  effective_to: string | null
}

/** `toStored` wrote the content from a fact of its kind, so the result is one. */
function parseContent({ kind, content, last_verified_at, verification }: StoredFact) {
  const parsed = JSON.parse(content)
  if (!FACT_KINDS[kind].verified) return parsed
  return { ...parsed, last_verified_at, ...(verification === null ? {} : JSON.parse(verification)) }
}
