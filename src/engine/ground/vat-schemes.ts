/** The schemes of a customer by which its seller charges a second tax beside the VAT. */
export const VAT_SCHEMES = ['es_recargo'] as const
export type VatScheme = (typeof VAT_SCHEMES)[number]

/** The country whose law has the scheme: the id begins with it. */
export function countryOfScheme(scheme: VatScheme): string {
  return scheme.slice(0, 2).toUpperCase()
}
