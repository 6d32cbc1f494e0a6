import { taxInWords } from '../book/tax-names.ts'
import type { ProductRule } from '../book/facts.ts'
import type { RateBook } from '../book/rate-book.ts'
import { atStart, placeInSentence } from '../book/place-names.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { productInSentence } from '../book/product-types.ts'
import { isUncertain } from './rule-status.ts'

/** Notes on what the data lacks, and on what is uncertain in it. */
export function notesOn(book: RateBook, treatments: readonly LayerTreatment[], day: string): string[] {
  const notes: string[] = []
  for (const treatment of treatments) {
    const { rule, layer, rate } = treatment
    if (treatment.by_default) notes.push(noRuleOnFile(book, treatment, day))
    if (rule === null) continue
    const place = atStart(placeInSentence(book, layer.jurisdiction_id))
    const product = productInSentence(rule.product_type)
    const more = rule.notes ? ` ${rule.notes}` : ''
    const bare = rule.price_rule === null && rule.taxable_fraction_millionths === null
    if (rule.treatment === 'partially_taxable' && bare)
      notes.push(`${place}: only a part may be taxable; tax was computed on the whole.${more}`)
    else if (rule.treatment === 'taxable' && rule.category === null && rule.rate_millionths === null)
      notes.push(`${place}: no rate for ${product} is on record; the standard rate was used.${more}`)
    else if (isUncertain(rule))
      notes.push(`${place}: the rule for ${product} is not certain${whyNot(rule)}.${more}`)
    if (rule.category !== null && rate !== null && rate.category !== rule.category)
      notes.push(
        `${place}: the territory's reduced rate was used for ${product}, ` +
          'because the territory has no matching rate',
      )
  }
  return notes
}

/** A rule with a low confidence says in its own notes why. */
function whyNot({ confidence }: ProductRule): string {
  return confidence === 'low' ? '' : ': it is general knowledge, and was never verified at its source'
}

function noRuleOnFile(book: RateBook, { layer, product_type, rule }: LayerTreatment, day: string): string {
  const where = `${placeInSentence(book, layer.rules_from)} (${taxInWords(layer.tax_type)})`
  const used = rule === null ? 'standard rate' : `rule for ${productInSentence(rule.product_type)}`
  return `No rule on file for ${productInSentence(product_type)} in ${where} on ${day}: the ${used} was used`
}
