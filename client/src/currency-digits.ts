/**
 * The currencies whose minor unit is no hundredth, by ISO 4217. The runtime's own list (Intl) has the digits
 * that people write today: none for the forint and the rupiah, whose minor unit is a hundredth.
 */
const OTHER_DIGITS = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

/** Digits after the point of a currency, also in small letters. Throws a RangeError if it has no three. */
export function digitsOf(currency: string): number {
  if (!/^[A-Za-z]{3}$/.test(currency))
    throw new RangeError(`${currency} is not a code of ISO 4217, such as EUR`)
  return OTHER_DIGITS.get(currency.toUpperCase()) ?? 2
}
