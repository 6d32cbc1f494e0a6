import type {
  ConsignmentLimit,
  Facts,
  IndicativeExchangeRate,
  Jurisdiction,
  PostalRule,
  ProductRule,
  Rate,
  RateCategory,
  TaxType,
  Threshold,
} from './facts.ts'
import type { Region } from './regions.ts'
import { plainName } from './region-names.ts'

/**
 * All facts of one data version, indexed for look-up. Immutable: all requests of an isolate share it.
 */
export type RateBook = {
  readonly version: string
  readonly recorded_at: string
  readonly facts: Facts
  readonly jurisdictions: ReadonlyMap<string, Jurisdiction>
  /** Ids by country and plain name: `CA-quebec`. */
  readonly named_regions: ReadonlyMap<string, string>
  /** For each jurisdiction: itself, then its parent, and so on up to the country. */
  readonly lineages: ReadonlyMap<string, readonly string[]>
  readonly rates: ReadonlyMap<string, readonly Rate[]>
  /** By jurisdiction, then by product type. */
  readonly product_rules: ReadonlyMap<string, ReadonlyMap<string, readonly ProductRule[]>>
  readonly thresholds: ReadonlyMap<string, readonly Threshold[]>
  readonly postal_rules: ReadonlyMap<string, readonly PostalRule[]>
  readonly consignment_limits: ReadonlyMap<Region, readonly ConsignmentLimit[]>
  readonly exchange_rates: ReadonlyMap<string, IndicativeExchangeRate>
}

/** Indexes the facts. Costs a few milliseconds, once per isolate and version. */
export function openRateBook(facts: Facts): RateBook {
  const jurisdictions = new Map(facts.jurisdictions.map((jurisdiction) => [jurisdiction.id, jurisdiction]))
  return {
    version: facts.version,
    recorded_at: facts.recorded_at,
    facts,
    jurisdictions,
    named_regions: new Map(
      facts.jurisdictions.map(({ id, parent_id, name }) => [`${parent_id}-${plainName(name)}`, id]),
    ),
    lineages: new Map(facts.jurisdictions.map(({ id }) => [id, ascend(jurisdictions, id)])),
    rates: Map.groupBy(facts.rates, (rate) => rate.jurisdiction_id),
    product_rules: groupRules(facts.product_rules),
    thresholds: Map.groupBy(facts.thresholds, (threshold) => threshold.jurisdiction_id),
    postal_rules: Map.groupBy(longestPrefixFirst(facts.postal_rules), (rule) => rule.country),
    consignment_limits: Map.groupBy(facts.consignment_limits, (limit) => limit.region),
    exchange_rates: new Map(facts.exchange_rates.map((rate) => [rate.currency, rate])),
  }
}

/** Whether a dated fact is in force on a day. Both ends are included. */
export function inForce(
  fact: { effective_from: string | null; effective_to: string | null },
  day: string,
): boolean {
  return (
    (fact.effective_from === null || fact.effective_from <= day) &&
    (fact.effective_to === null || day <= fact.effective_to)
  )
}

/** The rate of one tax and category that is in force on the day, or undefined. */
export function findRate(
  book: RateBook,
  jurisdiction_id: string,
  tax_type: TaxType,
  category: RateCategory,
  day: string,
): Rate | undefined {
  const rates = book.rates.get(jurisdiction_id)
  if (rates === undefined) return undefined
  for (const rate of rates) {
    if (rate.tax_type === tax_type && rate.category === category && inForce(rate, day)) return rate
  }
  return undefined
}

const NO_RULES: readonly ProductRule[] = []

/** The rules of one jurisdiction for one product type, of all taxes and dates. */
export function productRules(
  book: RateBook,
  jurisdiction_id: string,
  product_type: string,
): readonly ProductRule[] {
  return book.product_rules.get(jurisdiction_id)?.get(product_type) ?? NO_RULES
}

/** The jurisdiction itself, then its parent, and so on up to the country. */
export function lineage(book: RateBook, jurisdiction_id: string): readonly string[] {
  return book.lineages.get(jurisdiction_id) ?? [jurisdiction_id]
}

function ascend(jurisdictions: ReadonlyMap<string, Jurisdiction>, jurisdiction_id: string): string[] {
  const ids: string[] = []
  for (let id: string | null = jurisdiction_id; id !== null; id = jurisdictions.get(id)?.parent_id ?? null)
    ids.push(id)
  return ids
}

function groupRules(rules: readonly ProductRule[]): Map<string, Map<string, ProductRule[]>> {
  const byJurisdiction = Map.groupBy(rules, (rule) => rule.jurisdiction_id)
  return new Map([...byJurisdiction].map(([id, own]) => [id, Map.groupBy(own, (rule) => rule.product_type)]))
}

function longestPrefixFirst(rules: readonly PostalRule[]): PostalRule[] {
  return rules.toSorted(
    (a, b) => b.prefix.length - a.prefix.length || Number(b.city !== null) - Number(a.city !== null),
  )
}
