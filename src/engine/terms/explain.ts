import type { Duty, Terms, Walk } from '../found/found.ts'
import { describeThreshold, isAnySale } from '../book/money-in-words.ts'
import { placeInSentence } from '../book/names.ts'
import type { LayerTreatment } from '../book/layer.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Place } from '../regimes/regime.ts'
import { isScheme, SCHEME_NAMES } from '../ground/schemes.ts'

/** Why a product that a place taxes bears no tax on these terms, as one sentence. */
export function explainTerms(
  { book, seller, sale }: Walk,
  place: Place,
  { treatments, reason, duties }: Pick<Terms, 'treatments' | 'reason' | 'duties'>,
): string {
  if (reason === 'not_collecting') {
    const present = sale.seller.present_in?.includes(place.jurisdiction_id) === true
    return explainUnregistered(book, seller, place, duties, sale.day) + (present ? PRESENT : '')
  }
  if (reason === 'zero_rated' || reason === 'product_exempt') return explainRule(reason, place, treatments)
  return `The customer has an exemption that covers ${place.name}`
}

/** That a rule of the place frees the product, as one sentence. */
export function explainRule(
  reason: 'zero_rated' | 'product_exempt',
  { name }: Place,
  treatments: readonly LayerTreatment[],
): string {
  const rule = treatments.find(({ taxed }) => !taxed)?.rule ?? null
  const why = rule?.notes ? `: ${rule.notes}` : ''
  return reason === 'zero_rated' ? `Zero-rated in ${name}${why}` : `Exempt in ${name}${why}`
}

/** Why an unregistered seller collects no tax, how to register, and from when. */
function explainUnregistered(
  book: RateBook,
  seller: Place | null,
  { name }: Place,
  duties: readonly Duty[],
  day: string,
): string {
  const how = `${waysToRegister(book, duties)}: ${whenToRegister(seller, duties, day)}`
  return `Not registered in ${name}, so no tax is collected. Register ${how}`
}

/** `in France or for the One Stop Shop (oss_union)`; several taxes need a registration each. */
function waysToRegister(book: RateBook, duties: readonly Duty[]): string {
  const each = duties.map(({ registrations }) =>
    registrations.map((id) => nameRegistration(book, id)).join(' or '),
  )
  return [...new Set(each)].join(' and ')
}

function nameRegistration(book: RateBook, id: string): string {
  return isScheme(id) ? `for ${SCHEME_NAMES[id]} (${id})` : `in ${placeInSentence(book, id)}`
}

function whenToRegister(seller: Place | null, duties: readonly Duty[], day: string): string {
  const passed = duties.filter((duty) => duty.passed)
  if (passed.some(({ threshold }) => threshold?.worldwide_amount))
    return 'due with the first sale, because the worldwide turnover is over the threshold'
  if (passed.length > 0) return 'cross-border sales are over the threshold'
  const thresholds = [...new Set(duties.flatMap(({ threshold }) => threshold ?? []))]
  if (thresholds.length > 0 && thresholds.every(isAnySale)) return FROM_FIRST_SALE
  const others = duties.flatMap(({ other_limit }) => other_limit ?? [])
  const limits = [...thresholds, ...others].map((threshold) => describeThreshold(threshold))
  const open = duties.some(({ threshold, without }) => threshold === null && without === 'unknown')
  const none = `no threshold for remote sellers is in the data for ${day}`
  const unknown = `${none}, so it is unknown whether the seller must register`
  const rest = open ? `. For another tax, ${unknown}` : ''
  if (limits.length > 1 && others.length === 0)
    return `due once their thresholds of ${limits.join(' and ')} are passed${rest}`
  if (limits.length > 0) return `due once its threshold of ${limits.join(' or ')} is passed${rest}`
  if (open) return unknown
  const [without] = duties.map((duty) => duty.without)
  if (without === 'choice') return 'this is the choice of the seller'
  if (without === 'appointed') return 'only if its tax office appoints the seller'
  if (without === 'not_yet') return none
  if (seller === null) return 'which one, and from when, depends on where the seller is established'
  return FROM_FIRST_SALE
}

const FROM_FIRST_SALE = 'due from the first sale'

const PRESENT = ', because the seller has an office, staff or stock there'
