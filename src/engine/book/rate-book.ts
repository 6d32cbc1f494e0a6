import { multiplyAndDivideBig } from '../arithmetic/rounding.ts'
import type { Country } from './countries.ts'
import type {
  ConsignmentLimit,
  DeliveryFee,
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
import type { TaxLayer } from './layer.ts'
import { broaderType } from './product-types.ts'
import { regionKey } from './region-names.ts'

/** What is known of each place, by its id. */
type ByPlace<T> = Pick<ReadonlyMap<string, T>, 'get' | 'has'>

/** The facts of each jurisdiction, of the kinds that are most of all facts. */
export type FactsByPlace = {
  readonly rates: ByPlace<readonly Rate[]>
  readonly product_rules: ByPlace<readonly ProductRule[]>
  readonly thresholds: ByPlace<readonly Threshold[]>
}

/**
 * All facts of one data version, indexed for look-up. Immutable: all requests of an isolate share it.
 */
export type RateBook = {
  readonly version: string
  readonly recorded_at: string
  readonly facts: Facts
  readonly jurisdictions: ReadonlyMap<string, Jurisdiction>
  /** Ids by country and plain name: `CA-quebec`. */
  readonly named_regions: () => ReadonlyMap<string, string>
  /** For each jurisdiction: itself, then its parent, and so on up to the country. */
  readonly lineages: ByPlace<readonly string[]>
  readonly rates: FactsByPlace['rates']
  /** By jurisdiction, then by product type. */
  readonly product_rules: ByPlace<ReadonlyMap<string, readonly ProductRule[]>>
  readonly thresholds: FactsByPlace['thresholds']
  readonly postal_rules: ReadonlyMap<string, readonly PostalRule[]>
  readonly consignment_limits: ReadonlyMap<Region, readonly ConsignmentLimit[]>
  /** Regions with a limit that looks at each item, or that leaves some goods out. */
  readonly limited_by_item: ReadonlySet<Region>
  readonly delivery_fees: ReadonlyMap<string, readonly DeliveryFee[]>
  readonly exchange_rates: ReadonlyMap<string, IndicativeExchangeRate>
  /** The countries of data/countries, by their codes. */
  readonly countries: ReadonlyMap<string, Country>
}

/**
 * Indexes the facts, once per isolate and version. `by_place`: the same facts by jurisdiction, if they need
 * not be read before one is asked for.
 */
export function openRateBook(facts: Facts, by_place: FactsByPlace = groupByPlace(facts)): RateBook {
  const jurisdictions = new Map(facts.jurisdictions.map((jurisdiction) => [jurisdiction.id, jurisdiction]))
  return {
    version: facts.version,
    recorded_at: facts.recorded_at,
    facts,
    jurisdictions,
    named_regions: once(
      () =>
        new Map(
          facts.jurisdictions.map(({ id, parent_id, name }) => [`${parent_id}-${regionKey(name)}`, id]),
        ),
    ),
    lineages: madeOnce(jurisdictions, ({ id }) => ascend(jurisdictions, id)),
    rates: by_place.rates,
    product_rules: madeOnce(by_place.product_rules, (rules) =>
      Map.groupBy(rules, ({ product_type }) => product_type),
    ),
    thresholds: by_place.thresholds,
    postal_rules: Map.groupBy(facts.postal_rules, (rule) => rule.country),
    consignment_limits: Map.groupBy(facts.consignment_limits, (limit) => limit.region),
    limited_by_item: new Set(facts.consignment_limits.filter(isOfItem).map(({ region }) => region)),
    delivery_fees: Map.groupBy(facts.delivery_fees, (fee) => fee.jurisdiction_id),
    exchange_rates: new Map(facts.exchange_rates.map((rate) => [rate.currency, rate])),
    countries: new Map(facts.countries.map((country) => [country.id, country])),
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

/** The last day of the latest rate of one tax and category; null: it has no end, or there is no rate. */
export function lastDayOfRate(
  book: RateBook,
  jurisdiction_id: string,
  tax_type: TaxType,
  category: RateCategory,
): string | null {
  const ends = (book.rates.get(jurisdiction_id) ?? [])
    .filter((rate) => rate.tax_type === tax_type && rate.category === category)
    .map(({ effective_to }) => effective_to)
  return ends.includes(null)
    ? null
    : (ends
        .flatMap((end) => end ?? [])
        .toSorted()
        .at(-1) ?? null)
}

/** Whether each item of a sale is on its own side of a limit. */
export function isOfItem({ per }: ConsignmentLimit): boolean {
  return per === 'item'
}

/** The limit up to which a region taxes goods from abroad at the sale, on a day; null: it has none. */
export function findConsignmentLimit(book: RateBook, region: Region, day: string): ConsignmentLimit | null {
  return book.consignment_limits.get(region)?.find((candidate) => inForce(candidate, day)) ?? null
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

/** The records that decide how one tax treats a product on a day. */
export type RecordsInForce = {
  /** The rule for the product; null: there is none, so the standard rate applies. */
  rule: ProductRule | null
  /** The general rate of the tax; null: a tax that only products with a rule bear, or no rate. */
  standard: Rate | null
  /** The rate of the category of the rule; null: none is on record, or the rule frees the product. */
  rate: Rate | null
}

/** The rule and the rates of one tax for a product. */
export function recordsInForce(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  business: boolean,
  day: string,
): RecordsInForce {
  const rule = ruleOf(book, layer, product_type, business, day)
  const { jurisdiction_id, tax_type } = layer
  const standard =
    layer.on_top === true ? null : (findRate(book, jurisdiction_id, tax_type, 'standard', day) ?? null)
  if (rule?.treatment === 'exempt' || rule?.treatment === 'zero_rated') return { rule, standard, rate: null }
  const category = rule?.category ?? 'standard'
  const rate = category === 'standard' ? standard : (rateOfCategory(book, layer, category, day) ?? null)
  return { rule, standard, rate }
}

/** The rule for the product, else the rule for a broader type that it belongs to, the closest first. */
function ruleOf(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  business: boolean,
  day: string,
): ProductRule | null {
  const rule = findRule(book, layer, product_type, business, day)
  if (rule !== null) return rule
  const broader = broaderType(product_type)
  if (broader === null) return null
  const found = ruleOf(book, layer, broader.id, business, day)
  const frees = found?.treatment === 'exempt' || found?.treatment === 'zero_rated'
  if ((frees && !broader.frees) || (found?.treatment === 'reduced' && !broader.lowers)) return null
  return found
}

/**
 * The closest rule: that of the jurisdiction, else of its parents. A rule for the kind of customer wins over
 * a rule for all customers.
 */
function findRule(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  business: boolean,
  day: string,
): ProductRule | null {
  const special = business ? 'b2b' : 'b2c'
  for (const id of lineage(book, layer.rules_from)) {
    let general: ProductRule | null = null
    for (const rule of productRules(book, id, product_type)) {
      if (rule.tax_type !== layer.tax_type || !inForce(rule, day)) continue
      if (rule.effective_from === null && day < layer.checked_from) continue
      if (rule.customer_type === special) return rule
      if (rule.customer_type === 'all') general = rule
    }
    if (general !== null) return general
  }
  return null
}

/**
 * A territory that has only a standard rate takes the other rates from its country (Jungholz). A territory
 * with reduced rates has no others: its reduced rate replaces a rate of the country that it lacks (CGI, art.
 * 296 and 297: Réunion, Guadeloupe, Martinique, Corsica).
 */
function rateOfCategory(
  book: RateBook,
  layer: TaxLayer,
  category: RateCategory,
  day: string,
): Rate | undefined {
  for (const id of lineage(book, layer.jurisdiction_id)) {
    const rate = findRate(book, id, layer.tax_type, category, day)
    if (rate === undefined) continue
    return id === layer.jurisdiction_id
      ? rate
      : (findRate(book, layer.jurisdiction_id, layer.tax_type, 'reduced', day) ?? rate)
  }
  return undefined
}

function ascend(jurisdictions: ReadonlyMap<string, Jurisdiction>, jurisdiction_id: string): string[] {
  const ids: string[] = []
  for (let id: string | null = jurisdiction_id; id !== null; id = jurisdictions.get(id)?.parent_id ?? null)
    ids.push(id)
  return ids
}

function groupByPlace({ rates, product_rules, thresholds }: Facts): FactsByPlace {
  return {
    rates: Map.groupBy(rates, ({ jurisdiction_id }) => jurisdiction_id),
    product_rules: Map.groupBy(product_rules, ({ jurisdiction_id }) => jurisdiction_id),
    thresholds: Map.groupBy(thresholds, ({ jurisdiction_id }) => jurisdiction_id),
  }
}

/** What is made when it is first asked for. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null
  return () => (made ??= make())
}

/** What is made of the facts of each place, when it is first asked for. */
export function madeOnce<T, Made>(of: ByPlace<T>, make: (own: T) => Made): ByPlace<Made> {
  const made = new Map<string, Made>()
  return {
    has: (id) => of.has(id),
    get(id) {
      const known = made.get(id)
      if (known !== undefined) return known
      const own = of.get(id)
      if (own === undefined) return undefined
      const first = make(own)
      made.set(id, first)
      return first
    },
  }
}

/** Converts minor units between currencies at the data's indicative rates; null if a rate is unknown. */
export function convertIndicatively(book: RateBook, amount: number, from: string, to: string): number | null {
  const source = book.exchange_rates.get(from)
  const target = book.exchange_rates.get(to)
  if (source === undefined || target === undefined) return null
  const numerator = BigInt(target.per_euro_millionths) * 10n ** BigInt(target.exponent)
  const denominator = BigInt(source.per_euro_millionths) * 10n ** BigInt(source.exponent)
  return multiplyAndDivideBig(BigInt(amount), numerator, denominator)
}
