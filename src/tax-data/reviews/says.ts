import { moneyInWords } from '../../engine/book/money-in-words.ts'
import type { ProductRule, Rate, Threshold } from '../../engine/book/facts.ts'

/** The kinds of facts that a person can review. */
export const REVIEWED_FACTS = ['rates', 'thresholds', 'product_rules'] as const
export type ReviewedKind = (typeof REVIEWED_FACTS)[number]

/** A fact that a person can review. */
export type ReviewedFact =
  | { kind: 'rates'; fact: Rate }
  | { kind: 'thresholds'; fact: Threshold }
  | { kind: 'product_rules'; fact: ProductRule }

/** What a fact says, in words: `19 %`, `$100,000.00 or 200 transactions`, `reduced (reduced_2)`. */
export function saysOf({ kind, fact }: ReviewedFact): string {
  switch (kind) {
    case 'rates':
      return rateSays(fact)
    case 'thresholds':
      return thresholdSays(fact)
    case 'product_rules':
      return ruleSays(fact)
  }
}

/** What a fact is about: the same for all of its periods. */
export function subjectOfFact({ kind, fact }: ReviewedFact): string {
  switch (kind) {
    case 'rates':
      return `${fact.jurisdiction_id} ${fact.tax_type} ${fact.category}`
    case 'thresholds':
      return `${fact.jurisdiction_id} ${fact.threshold_type} ${fact.scope}`
    case 'product_rules':
      return `${fact.jurisdiction_id} ${fact.tax_type} ${fact.product_type}`
  }
}

export function rateSays({ rate_millionths }: Pick<Rate, 'rate_millionths'>): string {
  return `${rate_millionths / 10_000} %`
}

export function thresholdSays(
  threshold: Pick<Threshold, 'amount' | 'currency' | 'transaction_count' | 'combinator'>,
): string {
  const { amount, currency, transaction_count, combinator } = threshold
  const sales = amount === null ? null : moneyInWords(amount, currency)
  const count = transaction_count === null ? null : `${transaction_count} transactions`
  if (sales === null) return count ?? 'no threshold'
  return count === null ? sales : `${sales} ${combinator ?? 'or'} ${count}`
}

export function ruleSays({ treatment, category }: Pick<ProductRule, 'treatment' | 'category'>): string {
  return category === null ? treatment : `${treatment} (${category})`
}
