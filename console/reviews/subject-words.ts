import { type Names, placeNames, productNames } from '../names.ts'
import { sentence, withSpaces } from '../words.ts'

/** The names that a review needs: of places, and of product types. */
export type ReviewNames = { places: Names; products: Names }

export async function reviewNames(): Promise<ReviewNames> {
  const [places, products] = await Promise.all([placeNames(), productNames()])
  return { places, products }
}

const CATEGORIES: Readonly<Record<string, string>> = {
  standard: 'standard rate',
  reduced: 'reduced rate',
  reduced_2: 'second reduced rate',
  super_reduced: 'super-reduced rate',
  parking: 'parking rate',
  zero: 'zero rate',
}

const THRESHOLDS: Readonly<Record<string, string>> = {
  DISTANCE_SALES: 'threshold for distance sales',
  VAT_REGISTRATION: 'threshold for VAT',
  GST_REGISTRATION: 'threshold for GST',
  PST: 'threshold for PST',
  QST: 'threshold for QST',
  REMOTE_SELLER_NEXUS: 'threshold for sellers from elsewhere',
  RETAIL_DELIVERY_FEE: 'threshold for the retail delivery fee',
}

const TREATMENTS: Readonly<Record<string, string>> = {
  taxable: 'Taxable',
  reduced: 'At a reduced rate',
  zero_rated: 'Zero-rated',
  exempt: 'Exempt',
  partially_taxable: 'Taxable in part',
}

type About = { kind: string; subject: string }

/** `GB VAT standard` as `United Kingdom: VAT, standard rate`. What is no such fact stays as it is. */
export function subjectWords({ kind, subject }: About, { places, products }: ReviewNames): string {
  const [id = '', type = '', third = ''] = subject.split(' ')
  const place = places.get(id)
  if (place === undefined || type === '') return subject
  switch (kind) {
    case 'rates':
      return `${place}: ${taxWords(type)}, ${categoryWords(third)}`
    case 'thresholds': {
      const scope = third === 'all' ? '' : `, ${withSpaces(third)}`
      return `${place}: ${THRESHOLDS[type] ?? withSpaces(type)}${scope}`
    }
    case 'product_rules':
      return `${place}: ${taxWords(type)} on ${products.get(third) ?? withSpaces(third)}`
    default:
      return subject
  }
}

/** What a fact says: the treatment of a product in words, and all else as the service says it. */
export function saysWords({ kind }: Pick<About, 'kind'>, says: string): string {
  if (kind !== 'product_rules') return says
  const [, treatment = '', category] = /^(\w+)(?: \((\w+)\))?$/.exec(says) ?? []
  const words = TREATMENTS[treatment]
  if (words === undefined) return says
  return category === undefined ? words : `${words}: ${categoryWords(category)}`
}

/** Why a review waits, with its subject in words. */
export function whyWords(review: About & { why: string }, names: ReviewNames): string {
  return sentence(review.why.replaceAll(review.subject, subjectWords(review, names)))
}

function categoryWords(category: string): string {
  return CATEGORIES[category] ?? withSpaces(category)
}

function taxWords(type: string): string {
  return type.includes('_') ? withSpaces(type.toLowerCase()) : type
}
