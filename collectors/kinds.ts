import { dayAfter } from '../src/platform/kit/calendar.ts'
import type { Facts, ProductRule, Rate, Threshold, Verification } from '../src/engine/book/facts.ts'
import { inForce, type RateBook } from '../src/engine/book/rate-book.ts'
import { rateSays, ruleSays, thresholdSays } from '../src/tax-data/reviews/says.ts'
import { factId } from '../src/tax-data/records/fact-kinds.ts'
import type { Finding } from './collector.ts'

/** The kinds of facts that sources speak of. */
export type CollectedKind = Finding['kind']

type FindingOf<K extends CollectedKind> = Extract<Finding, { kind: K }>
type FactOf<K extends CollectedKind> = Facts[K][number]

/** A fact of a kind that is collected. */
export type Fact = { [K in CollectedKind]: { kind: K; fact: FactOf<K> } }[CollectedKind]

/** The provenance of a fact that was collected. */
export type Origin = Pick<
  Rate,
  'source' | 'source_url' | 'last_verified_at' | 'confidence' | 'notes' | keyof Verification
>

/** What each kind of fact needs to be compared with a finding. */
type KindRules<K extends CollectedKind> = {
  /** The subject of a finding. It does not depend on the value. */
  subjectOf: (finding: FindingOf<K>) => string
  find: (book: RateBook, finding: FindingOf<K>, day: string) => FactOf<K> | undefined
  /** The fields of a fact that the finding says. Two that say the same have them equal. */
  saidBy: (finding: FindingOf<K>) => Partial<FactOf<K>>
  /** Fields of the earlier fact that its successor does not take over. */
  forgotten: Partial<FactOf<K>>
  create: (finding: FindingOf<K>, from: string, origin: Origin) => FactOf<K>
  /** The value in words, for a person. */
  show: (said: FindingOf<K> | FactOf<K>) => string
}

const RULES: { readonly [K in CollectedKind]: KindRules<K> } = {
  rates: {
    subjectOf: ({ jurisdiction_id, tax_type, category }) => `${jurisdiction_id} ${tax_type} ${category}`,
    find: (book, { jurisdiction_id, tax_type, category }, day) =>
      book.rates
        .get(jurisdiction_id)
        ?.find((rate) => rate.tax_type === tax_type && rate.category === category && inForce(rate, day)),
    saidBy: ({ rate_millionths }) => ({ rate_millionths }),
    forgotten: {},
    create: ({ jurisdiction_id, tax_type, category, rate_millionths }, from, origin): Rate => ({
      ...origin,
      id: factId('rate', jurisdiction_id, tax_type, category, from),
      jurisdiction_id,
      tax_type,
      category,
      name: `${tax_type} ${category.replaceAll('_', ' ')}`,
      rate_millionths,
      compound: false,
      effective_from: from,
      effective_to: null,
    }),
    show: rateSays,
  },
  thresholds: {
    subjectOf: ({ jurisdiction_id, threshold_type, scope }) =>
      `${jurisdiction_id} ${threshold_type} ${scope}`,
    find: (book, { jurisdiction_id, threshold_type, scope }, day) =>
      book.thresholds
        .get(jurisdiction_id)
        ?.find(
          (each) => each.threshold_type === threshold_type && each.scope === scope && inForce(each, day),
        ),
    saidBy: ({ amount, currency, transaction_count, combinator }) => ({
      amount,
      currency,
      transaction_count,
      combinator,
    }),
    forgotten: {},
    create: (finding, from, origin): Threshold => ({
      ...origin,
      id: factId('threshold', finding.jurisdiction_id, finding.threshold_type, finding.scope, from),
      jurisdiction_id: finding.jurisdiction_id,
      threshold_type: finding.threshold_type,
      scope: finding.scope,
      amount: finding.amount,
      currency: finding.currency,
      transaction_count: finding.transaction_count,
      combinator: finding.combinator,
      amount_test: 'exceeds',
      count_test: 'reaches',
      measurement_period: null,
      included_sales: null,
      marketplace_sales_counted: null,
      effective_from: from,
      effective_to: null,
    }),
    show: thresholdSays,
  },
  product_rules: {
    subjectOf: ({ jurisdiction_id, tax_type, product_type }) =>
      `${jurisdiction_id} ${tax_type} ${product_type}`,
    find: (book, { jurisdiction_id, tax_type, product_type }, day) =>
      book.product_rules
        .get(jurisdiction_id)
        ?.get(product_type)
        ?.find((rule) => rule.tax_type === tax_type && inForce(rule, day)),
    saidBy: ({ treatment, category }) => ({ treatment, category }),
    forgotten: { rate_millionths: null },
    create: (
      { jurisdiction_id, tax_type, product_type, treatment, category },
      from,
      origin,
    ): ProductRule => ({
      ...origin,
      id: factId('rule', jurisdiction_id, tax_type, product_type, 'all', from),
      jurisdiction_id,
      tax_type,
      product_type,
      treatment,
      category,
      rate_millionths: null,
      taxable_fraction_millionths: null,
      price_threshold: null,
      price_rule: null,
      customer_type: 'all',
      effective_from: from,
      effective_to: null,
    }),
    show: ruleSays,
  },
}

/** The subject of a finding, such as `DE VAT standard`. It does not depend on the value. */
export function subjectOf<K extends CollectedKind>(finding: FindingOf<K>): string {
  return rulesOf(finding).subjectOf(finding)
}

/** The value of a finding as a text. Equal values have equal texts. */
export function valueOf<K extends CollectedKind>(finding: FindingOf<K>): string {
  return Object.values(rulesOf(finding).saidBy(finding)).join(' ')
}

/** What a finding or a fact says, in words. */
export function shownValue<K extends CollectedKind>(kind: K, said: FindingOf<K> | FactOf<K>): string {
  return RULES[kind].show(said)
}

/** The fact in force on a day that a finding is about; null if there is none. */
export function findInForce<K extends CollectedKind>(
  book: RateBook,
  finding: FindingOf<K>,
  day: string,
): FactOf<K> | null {
  return rulesOf(finding).find(book, finding, day) ?? null
}

/** The next fact about the subject of a finding that begins after a day; null if there is none. */
export function announcedAfter<K extends CollectedKind>(
  book: RateBook,
  finding: FindingOf<K>,
  day: string,
): FactOf<K> | null {
  const end = rulesOf(finding).find(book, finding, day)?.effective_to ?? null
  return end === null ? null : findInForce(book, finding, dayAfter(end))
}

/** Whether a finding says what the fact says. */
export function saysTheSame<K extends CollectedKind>(before: FactOf<K>, finding: FindingOf<K>): boolean {
  const known = new Map<string, unknown>(Object.entries(before))
  return Object.entries(rulesOf(finding).saidBy(finding)).every(([name, value]) => known.get(name) === value)
}

/** The fact that follows another one. It keeps what the source does not say, also a later end. */
export function successorOf<K extends CollectedKind>(
  before: FactOf<K>,
  finding: FindingOf<K>,
  from: string,
  origin: Origin,
): FactOf<K> {
  const { forgotten, saidBy } = rulesOf(finding)
  const id = before.id.replace(/[^:]*$/, from)
  const { doubted_since: _, as_of: __, ...kept }: FactOf<K> = before
  return { ...kept, ...origin, ...forgotten, ...saidBy(finding), id, effective_from: from } as FactOf<K>
}

/** The first fact about a subject. */
export function factOf<K extends CollectedKind>(
  finding: FindingOf<K>,
  from: string,
  origin: Origin,
): FactOf<K> {
  return rulesOf(finding).create(finding, from, origin)
}

function rulesOf<K extends CollectedKind>({ kind }: FindingOf<K>): KindRules<K> {
  return RULES[kind as K]
}
