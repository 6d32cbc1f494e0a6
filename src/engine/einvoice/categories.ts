import type { TaxabilityReason } from '../found/assessment.ts'
import type {
  InvoiceCategory,
  InvoiceStandard,
  InvoiceText,
  InvoiceTreatment,
} from '../ground/invoice-details.ts'

/** How a standard names an untaxed part. */
export type CategoryRule = {
  category: InvoiceCategory | null
  code: string | null
  text: InvoiceText['key'] | null
  warning: InvoiceTreatment['warning']
}

const NONE: CategoryRule = { category: null, code: null, text: null, warning: null }
const NOT_REGISTERED: CategoryRule = { ...NONE, warning: 'not_registered' }

function as(
  category: InvoiceCategory,
  text: InvoiceText['key'] | null = null,
  code: string | null = null,
): CategoryRule {
  return { category, code, text, warning: null }
}

/**
 * Parts without a charge, by reason. What a seller does not collect, a marketplace accounts for or the data
 * does not cover has no category: E or O would be a false invoice.
 */
type ByReason = Readonly<Record<TaxabilityReason, CategoryRule>>

/** EN 16931-1, BR-S to BR-O; Directive 2006/112/EC, art. 226(11), (11a). */
const EU: ByReason = {
  reduced_rated: as('E', 'exempt'),
  zero_rated: as('Z'),
  product_exempt: as('E', 'exempt'),
  portion_product_exempt: as('E', 'exempt'),
  taxable_basis_reduced: as('E', 'exempt'),
  customer_exempt: as('E', 'exempt'),
  reverse_charge: as('AE', 'reverse_charge', 'VATEX-EU-AE'),
  not_collecting: NOT_REGISTERED,
  marketplace_collects: NONE,
  seller_accounts: NONE,
  small_business: as('E', 'small_business'),
  not_subject_to_tax: NONE,
  not_supported: NONE,
  intra_community_supply: as('K', 'intra_community_supply', 'VATEX-EU-IC'),
  export: as('G', 'export', 'VATEX-EU-G'),
  not_a_supply: NONE,
  own_rate: NONE,
}

/** VATA 1994. A seller that is not registered is outside the scope. */
const GB: ByReason = {
  ...EU,
  reverse_charge: as('AE', 'reverse_charge'),
  export: as('G', 'export'),
  small_business: as('O', 'small_business'),
}

/** A-NZ PINT, guidance GN11: E is input-taxed, Z is GST-free, O is a seller that is not registered. */
const PINT_ANZ: ByReason = {
  reduced_rated: as('E'),
  zero_rated: as('Z'),
  product_exempt: as('E'),
  portion_product_exempt: as('E'),
  taxable_basis_reduced: as('E'),
  customer_exempt: as('E'),
  reverse_charge: NONE,
  not_collecting: NOT_REGISTERED,
  marketplace_collects: NONE,
  seller_accounts: NONE,
  small_business: as('O', 'small_business'),
  not_subject_to_tax: NONE,
  not_supported: NONE,
  intra_community_supply: NONE,
  export: as('G'),
  not_a_supply: NONE,
  own_rate: NONE,
}

const BY_STANDARD: Readonly<Record<InvoiceStandard, ByReason>> = { eu: EU, gb: GB, pint_anz: PINT_ANZ }

/** The place of supply is outside the area of the seller's law. Art. 146 exempts goods alone. */
const OUTSIDE: Readonly<Record<InvoiceStandard, CategoryRule>> = {
  eu: as('O', 'outside_scope', 'VATEX-EU-O'),
  gb: as('O', 'outside_scope'),
  pint_anz: as('G'),
}

/** The name of an untaxed part by the law of its place; without a standard it has none. */
export function ruleOfReason(standard: InvoiceStandard | null, reason: TaxabilityReason): CategoryRule {
  if (standard !== null) return BY_STANDARD[standard][reason]
  return reason === 'not_collecting' ? NOT_REGISTERED : NONE
}

/** The name of a supply that the law of its origin does not tax. */
export function ruleOfOrigin(standard: InvoiceStandard, reason: TaxabilityReason): CategoryRule {
  return reason === 'not_subject_to_tax' ? OUTSIDE[standard] : BY_STANDARD[standard][reason]
}

/** The tax scheme of a standard, BT-118-1. */
export function taxSchemeOf(standard: InvoiceStandard): 'VAT' | 'GST' {
  return standard === 'pint_anz' ? 'GST' : 'VAT'
}

/**
 * The code of an exemption that a record cites by its article of the Directive; null: the list has none. A
 * record that cites several points of art. 132(1) has the code of the whole article.
 */
export function codeOfArticle(cited: string): string | null {
  const found = /^Directive 2006\/112\/EC, art\. (132|135)\(1\)\(([a-z])\)(.*)$/.exec(cited)
  if (found === null) return null
  const [, article, point = '', others] = found
  if (article === '135') return 'VATEX-EU-135-1'
  return others === '' ? `VATEX-EU-132-1${point.toUpperCase()}` : 'VATEX-EU-132'
}
