import { nameInSentence, taxInWords } from '../book/names.ts'
import {
  type BreakdownEntry,
  STATED_UNTAXED,
  type TaxabilityReason,
  type TraceStep,
} from '../found/assessment.ts'
import { productInWords } from '../book/product-types.ts'
import { moneyInWords } from '../book/money-in-words.ts'
import { categoryInWords, percentInWords } from '../book/figures-in-words.ts'

/** One tax of a line. Amounts in minor units, the rate in millionths. */
type TaxToTell = Pick<
  BreakdownEntry,
  'jurisdiction_id' | 'rate_millionths' | 'taxable_amount' | 'tax_amount'
> & { tax_type: string }

/** A line as far as its tax is told: from an assessment, or from the books. Amounts in minor units. */
export type LineToTell = {
  description: string | null
  product_type: string
  currency: string
  net_amount: number
  taxable_amount: number
  tax_amount: number
  rate_millionths: number
  taxability_reason: TaxabilityReason | null
  reason_detail: string | null
  jurisdiction_id: string
  taxes: readonly TaxToTell[]
  /** The steps of the line, from its trace. Empty: they are not known. */
  steps: readonly TraceStep[]
}

/** Names for ids: those of the rate book, and of local places that are in no rate book. */
export type PlaceNames = {
  book: { readonly jurisdictions: ReadonlyMap<string, { readonly name: string }> }
  local: Readonly<Record<string, string>>
}

const BADGES: Readonly<Record<TaxabilityReason, string>> = {
  reduced_rated: 'Reduced rate',
  zero_rated: 'Zero-rated',
  product_exempt: 'Exempt product',
  portion_product_exempt: 'Partly exempt',
  taxable_basis_reduced: 'Reduced amount',
  customer_exempt: 'Exempt with certificate',
  reverse_charge: 'Reverse charge',
  not_collecting: 'Not registered',
  marketplace_collects: 'Marketplace collects',
  seller_accounts: 'Seller accounts',
  small_business: 'Small business',
  not_subject_to_tax: 'Not taxable',
  not_supported: 'Not covered',
  intra_community_supply: 'Intra-Community supply',
  export: 'Export',
  not_a_supply: 'Not a supply',
  own_rate: 'Own rate',
}

/** What a rate is called that a reason tells, on a line that bears tax. */
const RATE_WORDS: Readonly<Partial<Record<TaxabilityReason, string>>> = {
  reduced_rated: 'reduced rate',
  portion_product_exempt: 'a part of it is exempt',
  own_rate: 'own rate of the seller',
  taxable_basis_reduced: 'a trade-in reduces the taxable amount',
}

/** A word or two for a badge: `Reverse charge`, `Standard rate`, `No tax`. */
export function badgeOf({ taxability_reason, reason_detail, tax_amount }: LineToTell): string {
  if (reason_detail === STATED_UNTAXED) return 'Marked not taxable'
  if (taxability_reason !== null) return BADGES[taxability_reason]
  return tax_amount === 0 ? 'No tax' : 'Standard rate'
}

/**
 * Why a line bears its tax: `Desk lamp · €189.00 · 19 % VAT of Germany = €35.91 · standard rate, seller and
 * customer are in the same member state (Directive 2006/112/EC, art. 32)`.
 */
export function tellLine(line: LineToTell, names: PlaceNames): string {
  const price = moneyInWords(line.net_amount, line.currency)
  return `${nameOfLine(line)} · ${price} · ${tellTax(line, names)}`
}

/** The same without the name and the price of the line. */
export function tellTax(line: LineToTell, names: PlaceNames): string {
  const supply = line.steps.find(({ step }) => step === 'place_of_supply') ?? null
  const basis = supply?.basis ? ` (${supply.basis})` : ''
  if (line.tax_amount === 0) return `${tellNoTax(line, names)}${isOfSupply(line) ? basis : ''}`
  const place = supply === null ? '' : lowered(detailOf(supply, names))
  const why = [rateWordsOf(line), place].filter((text) => text !== '').join(', ')
  return `${tellTaxes(line, names)}${why === '' ? '' : ` · ${why}`}${basis}`
}

/** Whether the place of supply is the reason, so that its article is that of the reason. */
function isOfSupply({ taxability_reason }: LineToTell): boolean {
  return taxability_reason !== null && OF_SUPPLY.has(taxability_reason)
}

const OF_SUPPLY: ReadonlySet<TaxabilityReason> = new Set<TaxabilityReason>([
  'reverse_charge',
  'intra_community_supply',
  'export',
  'marketplace_collects',
  'seller_accounts',
  'small_business',
  'not_subject_to_tax',
  'not_supported',
  'not_a_supply',
])

function rateWordsOf({ taxability_reason, taxes }: LineToTell): string {
  if (taxability_reason !== null) return RATE_WORDS[taxability_reason] ?? ''
  return taxes.length === 0 ? '' : 'standard rate'
}

function tellNoTax(line: LineToTell, names: PlaceNames): string {
  const why = line.reason_detail ?? BADGE_SENTENCE
  return `no tax · ${lowered(withNames(why, names))}`
}

const BADGE_SENTENCE = 'the tax was stated as 0'

/**
 * `20 % VAT of France = €2.00`; taxes on one amount are told together. The taxed amount is told if it is not
 * the price.
 */
function tellTaxes(line: LineToTell, names: PlaceNames): string {
  const { taxes, currency, tax_amount, taxable_amount, net_amount } = line
  const money = (amount: number) => moneyInWords(amount, currency)
  const taxed = (amount: number) => (amount === net_amount ? '' : ` on ${money(amount)}`)
  const [first] = taxes
  const share = percentInWords(line.rate_millionths)
  const place = placeInWords(line.jurisdiction_id, names)
  if (first === undefined) return `${share} tax of ${place}${taxed(taxable_amount)} = ${money(tax_amount)}`
  const nameTax = ({ rate_millionths, tax_type, jurisdiction_id }: TaxToTell) => {
    const rate = percentInWords(rate_millionths)
    return `${rate} ${taxInWords(tax_type)} of ${placeInWords(jurisdiction_id, names)}`
  }
  if (taxes.every((tax) => tax.taxable_amount === first.taxable_amount))
    return `${listed(taxes.map(nameTax))}${taxed(first.taxable_amount)} = ${money(tax_amount)}`
  const each = taxes.map(
    (tax) => `${nameTax(tax)} on ${money(tax.taxable_amount)} = ${money(tax.tax_amount)}`,
  )
  return `${listed(each)}, together ${money(tax_amount)}`
}

function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

/** The rule of a place of supply is `goods: Goods that ...`: the detail is what follows the kind. */
function detailOf({ rule }: TraceStep, names: PlaceNames): string {
  return withNames(rule.slice(rule.indexOf(': ') + 2), names)
}

function nameOfLine({ description, product_type }: LineToTell): string {
  return description === null || description === '' ? productInWords(product_type) : description
}

/** `US-GA` as `Georgia`, `NL` as `the Netherlands`; an unknown id as it is. */
export function placeInWords(id: string, { book, local }: PlaceNames): string {
  const known = book.jurisdictions.get(id)?.name
  return local[id] ?? (known === undefined ? id : nameInSentence(known))
}

/** A step for people: ids are names, and the amounts of its outcome are money. */
export function stepInWords(step: TraceStep, currency: string, names: PlaceNames): TraceStep {
  const amounts = /^(-?\d+) on (-?\d+)$/.exec(step.outcome)
  const outcome =
    amounts === null
      ? withCodes(withNames(step.outcome, names))
      : `${moneyInWords(Number(amounts[1]), currency)} on ${moneyInWords(Number(amounts[2]), currency)}`
  return { ...step, rule: withCodes(withProducts(withTaxes(withNames(step.rule, names)))), outcome }
}

/** Only ids that the book has are replaced, so `VAT` and `B2B` stay, and so does `CA$5.00`. */
function withNames(text: string, names: PlaceNames): string {
  return text.replace(/\b[A-Z]{2}(?:-[A-Z0-9]{1,3})?\b(?!\$)/g, (id) => placeInWords(id, names))
}

function withTaxes(text: string): string {
  return text.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, taxInWords)
}

function withProducts(text: string): string {
  return text.replace(/^[a-z]+(?:_[a-z0-9]+)*(?=[:,])/, productInWords).replace(OF_BUNDLE, productInWords)
}

/** Each product of `groceries 60 %, physical_goods 40 % for one price`. */
const OF_BUNDLE = /(?<=^|, )[a-z]+(?:_[a-z0-9]+)*(?= [\d.]+ %)/g

/** Codes that are left, such as `reduced_2` and `reverse_charge`. */
function withCodes(text: string): string {
  return text.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (code) => categoryInWords(code).replaceAll('_', ' '))
}

function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
