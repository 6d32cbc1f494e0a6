/** The currencies of ISO 4217 whose minor unit has not two digits. The lists of platforms differ. */
const DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Digits after the point of a currency, as ISO 4217 has them. Null: this is no code of three letters. */
export function minorDigits(currency: string): number | null {
  if (!/^[A-Z]{3}$/i.test(currency)) return null
  const found = Object.entries(DIGITS).find(([, codes]) => codes.includes(currency.toUpperCase()))
  return found === undefined ? 2 : Number(found[0])
}
