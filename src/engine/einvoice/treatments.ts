import { isSurcharge } from '../book/surcharge.ts'
import type { TaxabilityReason } from '../found/assessment.ts'
import type { Charge, Terms, Walk } from '../found/found.ts'
import { type CategoryRule, codeOfArticle, ruleOfOrigin, ruleOfReason } from './categories.ts'
import type {
  InvoiceStandard,
  InvoiceText,
  InvoiceTreatment,
  OriginTreatment,
  SellerNumber,
} from '../ground/invoice-details.ts'
import { countryOf, type FoundOrigin, originOf, standardOf } from './invoice-law.ts'
import { numberAtHome, numberOf, numberOfSmall, numbersOfCharge } from './seller-numbers.ts'

/** A treatment with its numbers, and the standard whose category it has; null: it has none. */
export type Treated = {
  treatment: Omit<InvoiceTreatment, 'numbers'>
  numbers: readonly SellerNumber[]
  standard: InvoiceStandard | null
}

/** A treatment of which no standard says anything. */
export const NOTHING_SAID = {
  text: null,
  code: null,
  stated_reason: null,
  warning: null,
  at_origin: null,
} as const

/** A part that bears a tax: S, or Z at a rate of 0. Without a standard it has no category. */
export function chargedTreatment(walk: Walk, terms: Terms, product_type: string, charge: Charge): Treated {
  const { place, kind } = terms.supplied
  const { seller } = walk
  const standard = standardOf(place, kind)
  const at_origin = shownOrigin(walk, originOf(walk, terms.supplied))
  const numbers = numbersOfCharge(walk, terms, product_type)
  if (standard === null) {
    const abroad = seller !== null && standardOf(seller, kind) !== null
    const warning = abroad ? 'foreign_tax' : null
    const { made_of } = charge
    const treatment = {
      ...NOTHING_SAID,
      category: null,
      rate_millionths: null,
      ...(made_of !== undefined && { made_of }),
      warning,
      at_origin,
    } as const
    return { treatment, numbers, standard }
  }
  const { rate_millionths } = charge
  const category = rate_millionths === 0 ? 'Z' : 'S'
  const second = terms.charges.find(({ tax_type }) => isSurcharge(tax_type))
  const treatment = {
    ...NOTHING_SAID,
    category,
    rate_millionths,
    ...(second && { second_rate_millionths: second.rate_millionths }),
    at_origin,
  } as const
  return { treatment, numbers, standard }
}

/** What a law leaves untaxed of a part whose rest it taxes. */
export function restTreatment(walk: Walk, terms: Terms): Treated {
  return byReason(walk, terms, 'portion_product_exempt')
}

type LineSaid = { taxable: boolean; stated_reason: string | null }

/** A part without a charge. The law of the origin comes before the reason, which is of the destination. */
export function untaxedTreatment(walk: Walk, terms: Terms, said: LineSaid): Treated {
  const origin = originOf(walk, terms.supplied)
  if (origin !== null) return byOrigin(walk, terms, origin)
  if (said.taxable) return byReason(walk, terms, terms.reason ?? 'product_exempt')
  return byReason(walk, terms, reasonByLaw(terms), said)
}

function byOrigin(walk: Walk, terms: Terms, origin: FoundOrigin): Treated {
  const { stated, from, standard } = origin
  const { kind } = terms.supplied
  const rule = ruleOfOrigin(standard, stated.reason)
  const country = countryOf(walk.book, from, kind)
  const numbers =
    rule.category === 'O'
      ? numberAtHome(walk, 'BT-32')
      : [numberOf(walk.book, from, kind, standard === 'pint_anz' ? 'BT-30' : 'BT-31')]
  return treated(rule, textOf(rule, country), numbers, standard)
}

/** Why a part bears no tax that the request marks as not taxable: by law, if the law frees it anyway. */
function reasonByLaw({ supplied: { supply }, registered, treatments }: Terms): TaxabilityReason | 'said' {
  if (supply.kind === 'untaxed') return supply.reason
  if (supply.kind === 'reverse_charge') return 'reverse_charge'
  if (!registered) return 'not_collecting'
  if (treatments.length === 0 || treatments.some(({ taxed }) => taxed)) return 'said'
  return treatments.some(({ zero_rated }) => zero_rated) ? 'zero_rated' : 'product_exempt'
}

function byReason(
  walk: Walk,
  terms: Terms,
  reason: TaxabilityReason | 'said',
  { stated_reason }: Pick<LineSaid, 'stated_reason'> = { stated_reason: null },
): Treated {
  const { place, kind } = terms.supplied
  const standard = standardOf(place, kind)
  const rule = ruleOfReason(standard, reason === 'said' ? 'product_exempt' : reason)
  const numbers = numbersOfReason(walk, terms, reason, rule, standard)
  if (reason === 'said' && rule.category === 'E') {
    // Only the caller knows why the line is not taxed.
    const found = treated({ ...rule, code: null }, null, numbers, standard)
    const warning = stated_reason === null ? 'reason_unknown' : null
    return { ...found, treatment: { ...found.treatment, stated_reason, warning } }
  }
  const country = countryOf(walk.book, place, kind)
  const text =
    rule.text === 'exempt' ? exemptText(terms, rule.text) : textOf(rule, ownCountry(walk, reason, country))
  const cited = text?.article === undefined ? null : codeOfArticle(text.article)
  const code = isOfUnion(walk, standard) ? (rule.code ?? cited) : null
  return treated({ ...rule, code }, text, numbers, standard)
}

/** A seller of a country whose invoices have no codes of the Union gives none, whoever owes the tax. */
function isOfUnion({ seller }: Walk, standard: InvoiceStandard | null): boolean {
  return standard === 'eu' && (seller === null || standardOf(seller, 'digital') !== 'gb')
}

/** A number of another tax is no VAT id (BR-CO-09). */
function isOfVat({ seller }: Walk): boolean {
  return seller !== null && standardOf(seller, 'digital') !== 'pint_anz'
}

/** A small business that uses the scheme abroad is not freed by the law of its home. */
function ownCountry(
  { seller, book }: Walk,
  reason: TaxabilityReason | 'said',
  country: string,
): string | null {
  const abroad = seller === null || countryOf(book, seller, 'digital') !== country
  return reason === 'small_business' && abroad ? null : country
}

function treated(
  { category, code, warning }: CategoryRule,
  text: InvoiceText | null,
  numbers: readonly SellerNumber[],
  standard: InvoiceStandard | null,
): Treated {
  const rate_millionths = category === null || category === 'O' ? null : 0
  return {
    treatment: { ...NOTHING_SAID, category, rate_millionths, code, text, warning },
    numbers: category === null ? [] : numbers,
    standard: category === null ? null : standard,
  }
}

function textOf({ text }: CategoryRule, country: string | null): InvoiceText | null {
  return text === null ? null : { key: text, country }
}

/** The article of the rule that frees a product, if its source cites one. */
function exemptText({ treatments }: Terms, key: InvoiceText['key']): InvoiceText {
  const source = treatments.find(({ taxed }) => !taxed)?.rule?.source ?? ''
  const [article = ''] = source.split(WHERE_IT_WAS_READ)
  return CITES_A_LAW.test(article) ? { key, country: null, article } : { key, country: null }
}

/** What a source says after its law: who quotes it, and of which day. It is nothing for an invoice. */
const WHERE_IT_WAS_READ = /: | \((?=as quoted|undated|copy)|, (?=as at|copy of) ?/

const CITES_A_LAW = /(?:\b(?:art\.|sch\.|s\.)|§) ?\d/

function numbersOfReason(
  walk: Walk,
  { supplied: { place, kind } }: Terms,
  reason: TaxabilityReason | 'said',
  { category }: CategoryRule,
  standard: InvoiceStandard | null,
): readonly SellerNumber[] {
  if (category === null) return []
  if (category === 'AE') return numberAtHome(walk, isOfVat(walk) ? 'BT-31' : 'BT-32')
  if (reason === 'small_business') return numberOfSmall(walk, place, kind)
  return [numberOf(walk.book, place, kind, standard === 'pint_anz' ? 'BT-30' : 'BT-31')]
}

function shownOrigin({ book }: Walk, origin: FoundOrigin | null): OriginTreatment | null {
  if (origin === null) return null
  const { stated, from, standard } = origin
  const rule = ruleOfOrigin(standard, stated.reason)
  if (rule.category === null) return null
  const jurisdiction_id = countryOf(book, from, 'goods')
  return { category: rule.category, code: rule.code, text: textOf(rule, jurisdiction_id), jurisdiction_id }
}
