import { multiplyAndDivide, MILLION } from '../../engine/arithmetic/rounding.ts'
import { treatProduct } from '../../engine/book/product-rules.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { placeOfJurisdiction } from '../../engine/supply/place.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import { refuseInexact } from '../transactions/sums/sums.ts'
import type { SoldRow } from './counted-sales.ts'

/** Taxable sales of a currency without a tax, and about what they would have borne. */
type UncollectedTax = { currency: string; taxable_amount: number; tax_amount: number }

/**
 * An estimate of the tax that was not collected on sales into a place, by currency: the taxable sales of each
 * product at its rate of the place on a day, without local taxes. Null: a place with taxes of several
 * authorities, or one without a rate, so that no estimate is honest.
 */
export function uncollectedTax(
  book: RateBook,
  id: string,
  rows: readonly SoldRow[],
  day: string,
): UncollectedTax[] | null {
  const place = placeOfJurisdiction(book, id)
  if (place === null || place.law.provinces !== null) return null
  const sums = new Map<string, UncollectedTax>()
  for (const { currency, product_type, uncollected_amount, jurisdiction_id } of rows) {
    if (uncollected_amount <= 0 || jurisdiction_id !== id) continue
    const rate = rateOf(book, place.taxes, product_type, day)
    if (rate === null) return null
    const before = sums.get(currency) ?? { currency, taxable_amount: 0, tax_amount: 0 }
    sums.set(currency, {
      currency,
      taxable_amount: refuseInexact(before.taxable_amount + uncollected_amount),
      tax_amount: refuseInexact(before.tax_amount + multiplyAndDivide(uncollected_amount, rate, MILLION)),
    })
  }
  return [...sums.values()]
}

/** The rate of a product in millionths of the whole price; null: the data has none for the day. */
function rateOf(
  book: RateBook,
  taxes: Parameters<typeof treatProduct>[1],
  product_type: string,
  day: string,
): number | null {
  try {
    return treatProduct(book, taxes, product_type, false, day)
      .filter(({ taxed }) => taxed)
      .reduce(
        (sum, each) => sum + multiplyAndDivide(each.rate_millionths, each.fraction_millionths, MILLION),
        0,
      )
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}
