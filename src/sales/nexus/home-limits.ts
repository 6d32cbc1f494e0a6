import { isWithin, supplyKind } from '../../engine/book/product-types.ts'
import { inForce, lineage, type RateBook } from '../../engine/book/rate-book.ts'
import type { Threshold } from '../../engine/book/facts.ts'
import { turnoverAtHome } from '../../engine/regimes/eu-thresholds.ts'
import { countSales, type SoldRow } from './counted-sales.ts'
import {
  type MeasuredAccount,
  type MeasuredThreshold,
  measureThreshold,
  sellerPlace,
  type Sold,
  trailingSales,
} from './exposures.ts'

/** A limit for small businesses at home, and which of the sales at home count for it. */
export type HomeLimit = MeasuredThreshold & { counts: (row: SoldRow) => boolean }

/** The limits for sellers from elsewhere. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['non_resident', 'non_resident_3_months', 'mail_order'])

/**
 * How near the sales at home of a small business are to the limits of its scheme. Empty for other accounts:
 * they charge tax at home, so no limit tells them to begin.
 */
export function homeLimits(account: MeasuredAccount, book: RateBook, day: string, sold: Sold): HomeLimit[] {
  const seller = account.principal.small_business ? sellerPlace(account, book, day) : null
  if (seller === null) return []
  return lineage(book, seller.jurisdiction_id).flatMap((id) =>
    (book.thresholds.get(id) ?? [])
      .filter((each) => isHomeLimit(each, day))
      .flatMap((threshold) => {
        const counts = countedFor(book, threshold, trailingSales(sold, id, day))
        const measured =
          counts && measureThreshold({ book, id, threshold, sold, counts, global_turnover: null }, day)
        return counts && measured
          ? [{ id, threshold, ...measured, registered: false, presence: [], counts }]
          : []
      }),
  )
}

function isHomeLimit(threshold: Threshold, day: string): boolean {
  const { threshold_type, scope, amount } = threshold
  return (
    threshold_type === 'VAT_REGISTRATION' &&
    !FOR_OTHERS.has(scope) &&
    (amount ?? 0) > 0 &&
    inForce(threshold, day)
  )
}

/** Which sales count for a limit; null: the limit is not for a seller with these sales. */
function countedFor(
  book: RateBook,
  threshold: Threshold,
  rows: readonly SoldRow[],
): HomeLimit['counts'] | null {
  const counted = turnoverAtHome(threshold)
  if (counted === 'other_services') return (row) => !isGoods(row) && !isLodgingOrMeal(row)
  if (counted === 'all') return () => true
  const total = countSales(book, threshold, rows).amount
  const goods = countSales(book, threshold, rows.filter(isGoods)).amount
  return goods * 10 >= total * 9 === (counted === 'all_of_goods_sellers') ? () => true : null
}

function isGoods({ product_type }: SoldRow): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}

function isLodgingOrMeal({ product_type }: SoldRow): boolean {
  return isWithin(product_type, 'accommodation') || isWithin(product_type, 'prepared_food')
}
