import { NAMES, placeName, productName } from '../names.ts'
import { sentence, withSpaces } from '../words.ts'

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
  REMOTE_SELLER_NEXUS: 'threshold for remote sellers',
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
export function subjectWords({ kind, subject }: About): string {
  const [id = '', type = '', third = ''] = subject.split(' ')
  if (!NAMES.has(id) || type === '') return subject
  const place = placeName(id)
  switch (kind) {
    case 'rates':
      return `${place}: ${taxWords(type)}, ${categoryWords(third)}`
    case 'thresholds': {
      const scope = third === 'all' ? '' : `, ${withSpaces(third)}`
      return `${place}: ${THRESHOLDS[type] ?? withSpaces(type)}${scope}`
    }
    case 'product_rules':
      return `${place}: ${taxWords(type)} on ${NAMES.has(third) ? productName(third) : withSpaces(third)}`
    default:
      return subject
  }
}

/** What a fact says: the treatment of a product in words, and all else as the service says it. */
export function saysWords({ kind, says }: { kind: string; says: string }): string {
  if (kind !== 'product_rules') return says
  const [, treatment = '', category] = /^(\w+)(?: \((\w+)\))?$/.exec(says) ?? []
  const words = TREATMENTS[treatment]
  if (words === undefined) return says
  return category === undefined ? words : `${words}: ${categoryWords(category)}`
}

/** Why a review waits, with its subject in words. */
export function whyWords(review: About & { why: string }): string {
  return sentence(review.why.replaceAll(review.subject, subjectWords(review)))
}

function categoryWords(category: string): string {
  return CATEGORIES[category] ?? withSpaces(category)
}

function taxWords(type: string): string {
  return type.includes('_') ? withSpaces(type.toLowerCase()) : type
}
