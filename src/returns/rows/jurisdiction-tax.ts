import type { StoredTax } from '../../sales/transactions/sale/rows.ts'
import type { LineEntry } from './line-entry.ts'

/**
 * A tax of one jurisdiction with one rate: of the state, a county, a city or a district. Amounts in minor
 * units of the currency of the sales, after refunds; the rate in millionths.
 */
export type JurisdictionTax = {
  /** Names the tax in links. */
  key: string
  jurisdiction_id: string
  /** The state. */
  place_of_supply: string
  /** '': the tax was given, and differs from the calculated one, so its parts are unknown. */
  tax_type: string
  /** The tax that stands instead of sales tax, '' for none. */
  levied_as: string
  tax_rate: number
  currency: string
  taxable_amount: number
  tax_amount: number
}

/** The taxes of a line are rows of `tax`, and the line itself is `found`. A line may have none of them. */
const UNSPLIT = "tax.key IS NULL AND found.taxes = '[]'"
const JURISDICTION = "coalesce(tax.value ->> 'jurisdiction_id', found.place_of_supply)"
const TYPE = `iif(${UNSPLIT}, '', coalesce(tax.value ->> 'tax_type', 'SALES_TAX'))`
const LEVIED_AS = "coalesce(tax.value ->> 'levied_as', '')"
const RATE = `iif(${UNSPLIT}, 0,
  CAST(round(coalesce((tax.value ->> 'rate') * 1000000, found.tax_rate)) AS INTEGER))`
const SIGN = "iif(found.entry = 'refund' AND tax.key IS NOT NULL, -1, 1)"

const KEY = [JURISDICTION, TYPE, LEVIED_AS, RATE, 'found.currency']

/** The key of a tax in SQL, the same as `keyOfTax`. */
export const TAX_KEY = `'tax.' || ${KEY.join(" || '.' || ")}`

/** The columns of a tax of a line in SQL, the same as `taxesOfEntry`. */
export const TAX_COLUMNS = {
  key: TAX_KEY,
  jurisdiction_id: JURISDICTION,
  place_of_supply: 'found.place_of_supply',
  tax_type: TYPE,
  levied_as: LEVIED_AS,
  tax_rate: RATE,
  currency: 'found.currency',
  taxable_amount: `${SIGN} * coalesce(tax.value ->> 'taxable_amount', found.taxable_amount)`,
  tax_amount: `${SIGN} * coalesce(tax.value ->> 'tax_amount', found.tax_amount)`,
} as const

/** Names a tax in a link. */
export function keyOfTax(
  tax: Omit<JurisdictionTax, 'key' | 'place_of_supply' | 'taxable_amount' | 'tax_amount'>,
): string {
  return ['tax', tax.jurisdiction_id, tax.tax_type, tax.levied_as, tax.tax_rate, tax.currency].join('.')
}

/** Whether a figure is the tax of a jurisdiction. */
export function isTaxKey(figure: string): boolean {
  return figure.startsWith('tax.')
}

/** The taxes of a line by jurisdiction. They add up to its tax. */
export function taxesOfEntry(entry: LineEntry): JurisdictionTax[] {
  const { place_of_supply, currency } = entry
  const listed: StoredTax[] = JSON.parse(entry.taxes ?? '[]')
  const sign = entry.entry === 'refund' ? -1 : 1
  if (listed.length > 0)
    return listed.map((tax) =>
      withKey({
        jurisdiction_id: tax.jurisdiction_id,
        place_of_supply,
        tax_type: tax.tax_type,
        levied_as: tax.levied_as ?? '',
        tax_rate: Math.round(tax.rate * 1_000_000),
        currency,
        taxable_amount: sign * tax.taxable_amount,
        tax_amount: sign * tax.tax_amount,
      }),
    )
  const unsplit = entry.taxes === '[]'
  return [
    withKey({
      jurisdiction_id: place_of_supply,
      place_of_supply,
      tax_type: unsplit ? '' : 'SALES_TAX',
      levied_as: '',
      tax_rate: unsplit ? 0 : entry.tax_rate,
      currency,
      taxable_amount: entry.taxable_amount,
      tax_amount: entry.tax_amount,
    }),
  ]
}

function withKey(tax: Omit<JurisdictionTax, 'key'>): JurisdictionTax {
  return { key: keyOfTax(tax), ...tax }
}

/** The tax of a line with a key, in minor units. */
export function taxNamed(key: string): (entry: LineEntry) => number {
  return (entry) =>
    taxesOfEntry(entry).reduce((sum, tax) => (tax.key === key ? sum + tax.tax_amount : sum), 0)
}

/** Adds up taxes by key, in the order of the keys, without those that are 0. */
export function addUpTaxes(taxes: Iterable<JurisdictionTax>): JurisdictionTax[] {
  const sums = new Map<string, JurisdictionTax>()
  for (const tax of taxes) {
    const sum = sums.get(tax.key)
    if (sum === undefined) sums.set(tax.key, { ...tax })
    else {
      sum.taxable_amount += tax.taxable_amount
      sum.tax_amount += tax.tax_amount
    }
  }
  return [...sums.values()]
    .filter(({ taxable_amount, tax_amount }) => taxable_amount !== 0 || tax_amount !== 0)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}
