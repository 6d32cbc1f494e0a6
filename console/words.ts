import { formatCount } from './format.ts'
import { placeName } from './names.ts'

/** A name of the API with spaces, for people: `tax_rate` becomes `tax rate`, and `vat_id` `VAT id`. */
export function withSpaces(name: string): string {
  return name.replaceAll('_', ' ').replace(/\bvat\b/, 'VAT')
}

/** The text with a capital at its beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A name of the API as people begin a line: `tax_rate` becomes `Tax rate`. */
export function inWords(name: string): string {
  return sentence(withSpaces(name))
}

/** Why a line has no tax or less, if its name with spaces is not how people say it. */
const REASONS: Readonly<Record<string, string>> = {
  reduced_rated: 'Reduced rate',
  zero_rated: 'Zero rate',
  product_exempt: 'Exempt product',
  portion_product_exempt: 'Product exempt in part',
  taxable_basis_reduced: 'Reduced taxable amount',
  customer_exempt: 'Exempt customer',
  not_collecting: 'Not registered there',
  marketplace_collects: 'Marketplace collects the tax',
  seller_accounts: 'Seller accounts for the tax',
  small_business: 'Small-business scheme',
  not_supported: 'Place without tax data',
  intra_community_supply: 'Intra-Community supply',
}

/** The reason of a line in words: `customer_exempt` becomes `Exempt customer`. */
export function reasonWords(reason: string): string {
  return REASONS[reason] ?? inWords(reason)
}

/** A number with its noun: `1 transaction`, `2 transactions`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The forms in few words. `generic` has none. */
const RETURNS: Readonly<Record<string, string>> = {
  oss_union: 'One Stop Shop',
  oss_non_union: 'One Stop Shop, non-Union',
  ioss: 'Import One Stop Shop',
  eu_domestic: 'VAT return',
  uk_vat100: 'UK VAT return',
  us_state: 'Sales tax return',
  al_ssut: 'Sellers use tax return, Alabama',
  ca_gst34: 'GST/HST return',
  ca_qst: 'QST return',
  ca_bc_pst: 'PST return, British Columbia',
  ca_sk_pst: 'PST return, Saskatchewan',
  ca_mb_rst: 'Retail sales tax return, Manitoba',
  au_bas: 'Activity statement',
  nz_gst101a: 'GST return',
}

/** Forms that have one place, with its code, so that its name adds nothing. */
const OF_ONE_PLACE = /^(uk|al|ca|au|nz)_/

type NamedReturn = {
  type: string | null
  jurisdiction_id: string | null
  scheme?: string | null
  document?: string
}

/** A return in few words: `VAT return, Germany`. */
export function returnName({ type, jurisdiction_id, scheme = null, document }: NamedReturn): string {
  if (document === 'ec_sales_list') return `EC sales list, ${placeName(jurisdiction_id ?? '')}`
  const form = RETURNS[type ?? scheme ?? ''] ?? 'Return'
  if (jurisdiction_id === null || OF_ONE_PLACE.test(type ?? '')) return form
  return `${form}, ${placeName(jurisdiction_id)}`
}

/** A period in words: `2026-Q3` is Q3 2026, `2026-09` September 2026, `2026-08..2026-09` Aug – Sep 2026. */
export function periodWords(period: string): string {
  const [, year, quarter] = /^(\d{4})-Q(\d)$/.exec(period) ?? []
  if (quarter !== undefined) return `Q${quarter} ${year}`
  if (/^\d{4}-\d\d$/.test(period)) return monthWords(period, 'long')
  const [first, last] = period.split('..')
  if (first === undefined || last === undefined) return period
  const same_year = first.slice(0, 4) === last.slice(0, 4)
  const begin = monthWords(first, 'short')
  return `${same_year ? begin.slice(0, -5) : begin} – ${monthWords(last, 'short')}`
}

/** A month such as 2026-09 in words. */
function monthWords(month: string, style: 'long' | 'short'): string {
  const format = new Intl.DateTimeFormat('en-GB', { month: style, year: 'numeric', timeZone: 'UTC' })
  const words = format.format(new Date(`${month}-01T00:00:00Z`))
  // Browsers differ in whether September has three or four letters.
  return style === 'short' ? words.replace('Sept', 'Sep') : words
}
