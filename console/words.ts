import { formatCount } from './format.ts'

/** A name of the API with spaces, for people: `tax_rate` becomes `tax rate`. */
export function withSpaces(name: string): string {
  return name.replaceAll('_', ' ')
}

/** The text with a capital at its beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
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

/** Forms that have one place, so that its name adds nothing. */
const OF_ONE_PLACE: readonly string[] = [
  'uk_vat100',
  'al_ssut',
  'ca_gst34',
  'ca_qst',
  'ca_bc_pst',
  'ca_sk_pst',
  'ca_mb_rst',
  'au_bas',
  'nz_gst101a',
]

/** A return in few words: `VAT return, Germany`. `names` are those of the jurisdictions. */
export function returnName(
  {
    type,
    jurisdiction_id,
    scheme,
  }: { type: string | null; jurisdiction_id: string | null; scheme: string | null },
  names: ReadonlyMap<string, string>,
): string {
  const form = RETURNS[type ?? scheme ?? ''] ?? 'Return'
  if (jurisdiction_id === null || OF_ONE_PLACE.includes(type ?? '')) return form
  return `${form}, ${names.get(jurisdiction_id) ?? jurisdiction_id}`
}
