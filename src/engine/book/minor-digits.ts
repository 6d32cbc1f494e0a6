/**
 * The currencies of ISO 4217 whose minor unit has not two digits. A platform's own list is that of its
 * version of CLDR, which has changed: it gave the forint two digits, and then none.
 */
const DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const KNOWN: ReadonlyMap<string, number> = new Map(
  Object.entries(DIGITS).flatMap(([digits, currencies]) =>
    currencies.split(' ').map((currency) => [currency, Number(digits)] as const),
  ),
)

/** Digits after the point in a currency's minor unit (ISO 4217), the same in every engine. */
export function minorDigits(currency: string): number {
  return KNOWN.get(currency) ?? 2
}
