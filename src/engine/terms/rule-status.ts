import { taxInWords, atStart, placeInSentence } from '../book/names.ts'
import type { ProductRule } from '../book/facts.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { productInSentence } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { RuleStatus } from '../found/assessment.ts'

/** What the rules of a line are worth: one default makes it a default, else one doubt makes it uncertain. */
export function ruleStatusOf(treatments: readonly LayerTreatment[]): RuleStatus {
  if (treatments.some(({ by_default }) => by_default)) return 'default'
  return treatments.some(({ rule }) => rule !== null && (rule.caveat || isUncertain(rule)))
    ? 'uncertain'
    : 'specific'
}

/** Whether a rule has a low confidence, or a medium one although nobody has seen it at its source. */
export function isUncertain({ confidence, last_verified_at }: ProductRule): boolean {
  return confidence === 'low' || (confidence === 'medium' && last_verified_at === null)
}

/** Notes on what the data lacks, and on what is uncertain in it. */
export function notesOn(book: RateBook, treatments: readonly LayerTreatment[], day: string): string[] {
  const notes: string[] = []
  for (const treatment of treatments) {
    const { rule, layer, rate } = treatment
    if (treatment.by_default) notes.push(noRuleOnFile(book, treatment, day))
    if (rule === null) continue
    const say = (what: string) =>
      notes.push(`${atStart(placeInSentence(book, layer.jurisdiction_id))}: ${what}`)
    const doubt = doubtOf(rule)
    if (doubt !== null) say(`${doubt}.${rule.notes ? ` ${rule.notes}` : ''}`)
    if (rule.caveat) say(rule.caveat)
    if (rule.category !== null && rate !== null && rate.category !== rule.category)
      say(
        `the territory's reduced rate was used for ${productInSentence(rule.product_type)}, ` +
          'because the territory has no matching rate',
      )
  }
  return notes
}

/** What is uncertain in a rule; null: nothing. */
function doubtOf(rule: ProductRule): string | null {
  const { treatment, category, rate_millionths, product_type } = rule
  const bare = rule.price_rule === null && rule.taxable_fraction_millionths === null
  if (treatment === 'partially_taxable' && bare)
    return 'only a part may be taxable; tax was computed on the whole'
  if (treatment === 'taxable' && category === null && rate_millionths === null)
    return `no rate for ${productInSentence(product_type)} is in the data, so the standard rate was used`
  return isUncertain(rule)
    ? `the rule for ${productInSentence(product_type)} is not certain${whyNot(rule)}`
    : null
}

/** A rule with a low confidence says in its own notes why. */
function whyNot({ confidence }: ProductRule): string {
  return confidence === 'low' ? '' : ', because it was never verified at its source'
}

function noRuleOnFile(book: RateBook, { layer, product_type, rule }: LayerTreatment, day: string): string {
  const where = `${placeInSentence(book, layer.rules_from)} (${taxInWords(layer.tax_type)})`
  const used = rule === null ? 'standard rate' : `rule for ${productInSentence(rule.product_type)}`
  return (
    `No rule in the data for ${productInSentence(product_type)} in ${where} on ${day}, so the ${used}` +
    ' was used'
  )
}
