/**
 * A name of the API with spaces, for people: `tax_rate` becomes `tax rate`.
 * @param {string} name
 */
export function withSpaces(name) {
  return name.replaceAll('_', ' ')
}

/**
 * A number with its noun: `1 transaction`, `2 transactions`.
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}

/** @type {Readonly<Record<string, string>>} */
const RETURNS = {
  oss_union: 'One Stop Shop',
  oss_non_union: 'One Stop Shop, non-Union',
  ioss: 'Import One Stop Shop',
  eu_domestic: 'VAT return',
  uk_vat100: 'UK VAT return',
  us_state: 'Sales tax return',
  ca_gst34: 'GST/HST return',
  au_bas: 'Activity statement',
  nz_gst101a: 'GST return',
}

/**
 * A return in few words: `VAT return DE`.
 * @param {{ type: string | null, jurisdiction_id: string | null, scheme: string | null }} obligation
 */
export function returnName({ type, jurisdiction_id, scheme }) {
  const form = RETURNS[type ?? scheme ?? ''] ?? 'Return'
  return jurisdiction_id === null ? form : `${form} ${jurisdiction_id}`
}
