import type { ProductRule, Rate, Threshold } from '../src/tax/book/facts.ts'
import { inForce, type RateBook } from '../src/tax/book/rate-book.ts'
import { dayBefore } from '../src/tax-data/apply-facts.ts'
import { idOf } from '../src/tax-data/shipped-facts.ts'
import {
  type Finding,
  keyOf,
  ParseError,
  type RateFinding,
  type RuleFinding,
  type ThresholdFinding,
} from './collector.ts'

export type Fact =
  | { kind: 'rates'; fact: Rate }
  | { kind: 'thresholds'; fact: Threshold }
  | { kind: 'product_rules'; fact: ProductRule }

/** A finding beside what was in force before it; `before` is null for what is new. */
export type Change = { finding: Finding; before: Fact | null; after: Fact }

export type Comparison = { confirmed: Fact[]; changed: Change[]; added: Change[] }

type Source = { source: string; source_url: string }

/**
 * Holds findings against the facts in force: what is said again is confirmed, what is said otherwise is a new
 * period, from the day that the source gives or from the day of the reading. Pure. Facts that no finding
 * speaks of are left alone, and age. Throws ParseError for a change that was announced for one day and is now
 * announced for a later one: that is for a person.
 */
export function compare(
  book: RateBook,
  findings: readonly (Finding & { from: Source })[],
  day: string,
  now: Date,
): Comparison {
  const comparison: Comparison = { confirmed: [], changed: [], added: [] }
  for (const finding of findings) {
    const stated = finding.effective_from
    // A change that is announced is looked up on its own day: once it is stored, it is confirmed.
    const announced = stated !== null && stated > day
    const before = findInForce(book, finding, announced ? stated : day)
    const began = before?.fact.effective_from ?? ''
    // A table that was true in July says nothing against what holds since October.
    if (before !== null && !announced && finding.as_of !== undefined && began > finding.as_of) continue
    const from = stated !== null && (announced || stated > began) ? stated : day
    if (before === null) comparison.added.push({ finding, before, after: newFact(finding, from, now) })
    else if (!saysTheSame(before, finding))
      comparison.changed.push({ finding, before, after: successor(before, finding, from, now) })
    else if (announced && began > day && began !== stated)
      throw new ParseError(
        finding.from.source_url,
        `${keyOf(finding)} was announced from ${began}, and is now said to change on ${stated}`,
      )
    else comparison.confirmed.push(amended(before, { last_verified_at: now.toISOString() }))
  }
  return comparison
}

/**
 * The facts to be stored: those confirmed, those that are new, and the periods before these, which end on the
 * day before. Pure.
 */
export function factsAfter({ confirmed, changed, added }: Comparison, now: Date): Fact[] {
  const changes = [...changed, ...added]
  const verified = { last_verified_at: now.toISOString() }
  const befores = changes.flatMap(({ before }) => (before === null ? [] : [amended(before, verified)]))
  const facts = new Map(
    [...confirmed, ...befores, ...changes.map(({ after }) => after)].map((each) => [
      `${each.kind} ${each.fact.id}`,
      each,
    ]),
  )
  return [...Map.groupBy(facts.values(), thingOf).values()].flatMap((periods) => {
    const ordered = periods.toSorted((a, b) => (began(a) < began(b) ? -1 : 1))
    return ordered.map((period, index) => {
      const next = ordered[index + 1]
      return next === undefined || (period.fact.effective_to ?? '9999') < began(next)
        ? period
        : amended(period, { ...verified, effective_to: dayBefore(began(next)) })
    })
  })
}

function began({ fact }: Fact): string {
  return fact.effective_from ?? ''
}

/** Ids end in the day from which the fact holds; what stands before it says what it is about. */
function thingOf({ kind, fact }: Fact): string {
  return `${kind} ${fact.id.slice(0, fact.id.lastIndexOf(':'))}`
}

function findInForce(book: RateBook, finding: Finding, day: string): Fact | null {
  const { kind, jurisdiction_id } = finding
  if (kind === 'rates') {
    const fact = book.rates
      .get(jurisdiction_id)
      ?.find(
        (rate) =>
          rate.tax_type === finding.tax_type && rate.category === finding.category && inForce(rate, day),
      )
    return fact === undefined ? null : { kind, fact }
  }
  if (kind === 'thresholds') {
    const fact = book.thresholds
      .get(jurisdiction_id)
      ?.find(
        (each) =>
          each.threshold_type === finding.threshold_type &&
          each.scope === finding.scope &&
          inForce(each, day),
      )
    return fact === undefined ? null : { kind, fact }
  }
  const fact = book.product_rules
    .get(jurisdiction_id)
    ?.get(finding.product_type)
    ?.find((rule) => rule.tax_type === finding.tax_type && inForce(rule, day))
  return fact === undefined ? null : { kind, fact }
}

function saysTheSame(before: Fact, finding: Finding): boolean {
  if (before.kind === 'rates' && finding.kind === 'rates')
    return before.fact.rate_millionths === finding.rate_millionths
  if (before.kind === 'thresholds' && finding.kind === 'thresholds')
    return (
      before.fact.amount === finding.amount &&
      before.fact.currency === finding.currency &&
      before.fact.transaction_count === finding.transaction_count &&
      before.fact.combinator === finding.combinator
    )
  if (before.kind === 'product_rules' && finding.kind === 'product_rules')
    return before.fact.treatment === finding.treatment && before.fact.category === finding.category
  return false
}

/** The fact as it stands, seen again or ended. Its source stays the one that it was first taken from. */
function amended(before: Fact, change: { last_verified_at: string; effective_to?: string }): Fact {
  switch (before.kind) {
    case 'rates':
      return { kind: 'rates', fact: { ...before.fact, ...change } }
    case 'thresholds':
      return { kind: 'thresholds', fact: { ...before.fact, ...change } }
    case 'product_rules':
      return { kind: 'product_rules', fact: { ...before.fact, ...change } }
  }
}

/**
 * The period that follows: what the source does not speak of stays as it was, also what is known to come
 * after it.
 */
function successor(before: Fact, finding: Finding & { from: Source }, from: string, now: Date): Fact {
  const shared = { ...provenance(finding.from, now), effective_from: from }
  const id = before.fact.id.replace(/[^:]*$/, from)
  if (before.kind === 'rates' && finding.kind === 'rates')
    return {
      kind: 'rates',
      fact: { ...before.fact, ...shared, id, rate_millionths: finding.rate_millionths },
    }
  if (before.kind === 'thresholds' && finding.kind === 'thresholds') {
    const { amount, currency, transaction_count, combinator } = finding
    return {
      kind: 'thresholds',
      fact: { ...before.fact, ...shared, id, amount, currency, transaction_count, combinator },
    }
  }
  if (before.kind === 'product_rules' && finding.kind === 'product_rules') {
    const { treatment, category } = finding
    return {
      kind: 'product_rules',
      fact: { ...before.fact, ...shared, id, treatment, category, rate_millionths: null },
    }
  }
  throw new Error('a finding is compared with a fact of its own kind')
}

function newFact(finding: Finding & { from: Source }, from: string, now: Date): Fact {
  switch (finding.kind) {
    case 'rates':
      return { kind: 'rates', fact: newRate(finding, from, provenance(finding.from, now)) }
    case 'thresholds':
      return { kind: 'thresholds', fact: newThreshold(finding, from, provenance(finding.from, now)) }
    case 'product_rules':
      return { kind: 'product_rules', fact: newRule(finding, from, provenance(finding.from, now)) }
  }
}

type Origin = ReturnType<typeof provenance>

function newRate(
  { jurisdiction_id, tax_type, category, rate_millionths }: RateFinding,
  from: string,
  origin: Origin,
): Rate {
  return {
    ...origin,
    id: idOf('rate', jurisdiction_id, tax_type, category, from),
    jurisdiction_id,
    tax_type,
    category,
    name: `${tax_type} ${category.replaceAll('_', ' ')}`,
    rate_millionths,
    compound: false,
    effective_from: from,
    effective_to: null,
  }
}

function newThreshold(finding: ThresholdFinding, from: string, origin: Origin): Threshold {
  const { jurisdiction_id, threshold_type, scope, amount, currency, transaction_count, combinator } = finding
  return {
    ...origin,
    id: idOf('threshold', jurisdiction_id, threshold_type, scope, from),
    jurisdiction_id,
    threshold_type,
    scope,
    amount,
    currency,
    transaction_count,
    combinator,
    amount_test: 'exceeds',
    count_test: 'reaches',
    measurement_period: null,
    included_sales: null,
    marketplace_sales_counted: null,
    effective_from: from,
    effective_to: null,
  }
}

function newRule(
  { jurisdiction_id, tax_type, product_type, treatment, category }: RuleFinding,
  from: string,
  origin: Origin,
): ProductRule {
  return {
    ...origin,
    id: idOf('rule', jurisdiction_id, tax_type, product_type, 'all', from),
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
  }
}

function provenance({ source, source_url }: Source, now: Date) {
  return { source, source_url, last_verified_at: now.toISOString(), confidence: 'high' as const, notes: null }
}
