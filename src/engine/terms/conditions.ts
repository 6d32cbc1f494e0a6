import type { RuleCondition } from '../book/facts.ts'
import { percentInWords } from '../book/figures-in-words.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { atStart, placeInSentence } from '../book/names.ts'
import { PRODUCT_TYPES, productInSentence, type ProductType } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { OpenFact } from '../found/assessment.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'

/** What the taxes of a place would do if a fact were so that the request leaves open. */
export type Alternative = Pick<OpenFact, 'fact' | 'if'> & { readonly treatments: readonly LayerTreatment[] }

/** Facts that the request leaves open and that would change a line, with one note for each. */
type Conditional = { readonly conditions: readonly OpenFact[]; readonly notes: readonly string[] }

const NONE: readonly never[] = []
const UNCONDITIONAL: Conditional = { conditions: NONE, notes: NONE }

/** How the taxes of a place treat a product type for a business or another buyer. */
type Treat = (product_type: string, business: boolean) => readonly LayerTreatment[]

/**
 * The other answers of the rules: for a business if the buyer is unknown, for kinds within the product type
 * that have a type with a rule of its own, and for what a rule itself names.
 */
export function alternativesOf(
  treatments: readonly LayerTreatment[],
  product_type: string,
  buyer: 'business' | 'other' | 'unknown',
  treat: Treat,
): readonly Alternative[] {
  const business = buyer === 'business'
  const found: Alternative[] =
    buyer === 'unknown'
      ? [{ fact: 'customer.type', if: 'business', treatments: treat(product_type, true) }]
      : []
  for (const kind of kindsWithin(product_type)) {
    const own = treat(kind, business)
    if (own.some(({ rule }) => rule?.product_type === kind))
      found.push({ fact: 'product_type', if: kind, treatments: own })
  }
  const rows = treatments.map(({ rule }): readonly RuleCondition[] => JSON.parse(rule?.conditions ?? '[]'))
  for (const { fact, if: what } of rows.flat()) {
    if (found.some((other) => other.fact === fact && other.if === what)) continue
    const changed = treatments.map((treatment, index) => {
      const row = rows[index]?.find((each) => each.fact === fact && each.if === what)
      return row === undefined ? treatment : treatmentOf(row, treatment, treat, business)
    })
    found.push({ fact, if: what, treatments: changed })
  }
  return found.filter((other) => isAnother(treatments, other.treatments))
}

function isAnother(treatments: readonly LayerTreatment[], others: readonly LayerTreatment[]): boolean {
  return (
    treatments.length !== others.length || treatments.some((each, i) => ownRate(each) !== ownRate(others[i]))
  )
}

function ownRate(treatment: LayerTreatment | undefined): number {
  if (treatment?.taxed !== true) return 0
  return multiplyAndDivide(treatment.rate_millionths, treatment.fraction_millionths, MILLION)
}

/** The types of kinds that a line of this type may be of. */
export function kindsWithin(product_type: string): readonly string[] {
  return KINDS.get(product_type) ?? []
}

const KINDS: ReadonlyMap<string, readonly string[]> = new Map(
  PRODUCT_TYPES.map(({ id }) => [
    id,
    PRODUCT_TYPES.flatMap((type: ProductType) =>
      type.part_of === id && type.left_out !== true ? type.id : [],
    ),
  ]),
)

/** A tax as a row of a rule says: at a rate, as another product, or at the standard rate. */
function treatmentOf(
  { rate_millionths: named, as }: RuleCondition,
  treatment: LayerTreatment,
  treat: Treat,
  business: boolean,
): LayerTreatment {
  const { layer, standard } = treatment
  if (as) return treat(as, business).find((other) => other.layer.tax_type === layer.tax_type) ?? treatment
  const rate_millionths = named ?? standard?.rate_millionths ?? 0
  const taxed = rate_millionths > 0
  return { ...treatment, taxed, rate_millionths, fraction_millionths: MILLION, rule: null, zero_rated: false }
}

type OpenTreatment = {
  readonly treatments: readonly LayerTreatment[]
  readonly alternatives: readonly Alternative[]
}

/** What of the other answers is another rate of the whole tax. `rateOf`: that rate, in millionths. */
export function conditionsOf(
  book: RateBook,
  product_type: string,
  { treatments, alternatives }: OpenTreatment,
  rateOf: (treatments: readonly LayerTreatment[]) => number,
): Conditional {
  const last = treatments.at(-1)
  if (last === undefined) return UNCONDITIONAL
  const now = rateOf(treatments)
  const conditions = alternatives.flatMap(({ treatments: changed, ...open }): OpenFact[] => {
    const rate_millionths = rateOf(changed)
    return rate_millionths === now ? [] : [{ ...open, rate_millionths }]
  })
  const where = atStart(placeInSentence(book, last.layer.jurisdiction_id))
  return { conditions, notes: conditions.map((open) => `${where}: ${inWords(open, product_type, now)}`) }
}

/** A fact that is open, in words. `now`: the rate of the line as it is. */
export function inWords(
  { fact, if: what, rate_millionths }: OpenFact,
  product_type: string,
  now: number,
): string {
  const rate = percentInWords(rate_millionths)
  if (fact === 'customer.type')
    return (
      `the tax on ${productInSentence(product_type)} is ${rate} for a business and ${percentInWords(now)} ` +
      'for others. Send customer.type'
    )
  return fact === 'product_type'
    ? `the tax on ${productInSentence(what)} is ${rate}. Send its own product type`
    : `the tax on ${what} is ${rate}`
}
