import { CURRENCIES } from '../../../platform/http/iso-codes.ts'
import { minorDigits } from '../../../engine/book/minor-digits.ts'

/** A total in minor units, and the currencies in which the text means it; null: in all. */
type AmountNamed = { total: number; currencies: readonly string[] | null }

/** Digits after the point of the currencies of the world. */
const DIGITS = [0, 2, 3] as const

/** The signs of the shown form too: `CA$`, `F CFA`. */
const SIGN = String.raw`(?:[A-Z]{0,2}\p{Sc}|F\s?CFA|CFPF|Cg\.|[A-Z]{3})`
const SIGNS = new RegExp(String.raw`(?<=^-?)${SIGN}\s?|\s?${SIGN}$`, 'gu')

/**
 * The totals that a text may name: `139.23`, `139,23` and `1.234,50 €` are decimal amounts, `13923` may also
 * be minor units. Both signs, because a credit note has a negative total. Empty: the text is no amount.
 */
export function amountsNamed(q: string): AmountNamed[] {
  const text = q.replaceAll(SIGNS, '').replaceAll(/[\s']/g, '')
  const [, whole = '', fraction = ''] =
    /^-?(\d{1,3}(?:[.,]\d{3})+|\d{1,16})(?:[.,](\d{1,3}))?$/.exec(text) ?? []
  if (whole === '') return []
  const plain = whole.replaceAll(/[.,]/g, '')
  const decimal = DIGITS.filter((digits) => fraction.length <= digits).map((digits) => ({
    total: Number(plain) * 10 ** digits + Number(fraction.padEnd(digits, '0') || '0'),
    currencies: currenciesOf(digits),
  }))
  // The last three digits of `12.500` are a group, or the fraction of dinars.
  const dinars =
    plain !== whole && fraction === '' ? [{ total: Number(plain), currencies: currenciesOf(3) }] : []
  const minor = /^-?\d+$/.test(text) ? [{ total: Number(plain), currencies: null }] : []
  return [...minor, ...decimal, ...dinars]
    .filter(({ total }) => Number.isSafeInteger(total))
    .flatMap((each) => [each, { ...each, total: -each.total }])
}

function currenciesOf(digits: number): string[] {
  return [...CURRENCIES.keys()].filter((currency) => minorDigits(currency) === digits)
}
