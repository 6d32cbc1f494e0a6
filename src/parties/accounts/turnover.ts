import type { Turnover } from '../../engine/sale/sale.ts'

/** The columns of an account's worldwide turnover. Both are null, or neither is. */
export type TurnoverColumns = { global_turnover: number | null; global_turnover_currency: string | null }

/** The worldwide turnover of an account; null: not set. */
export function turnoverOf(row: TurnoverColumns): Turnover | null {
  const { global_turnover: amount, global_turnover_currency: currency } = row
  return amount === null || currency === null ? null : { amount, currency }
}

/** The columns of a turnover; null clears them. */
export function columnsOf(turnover: Turnover | null): TurnoverColumns {
  return { global_turnover: turnover?.amount ?? null, global_turnover_currency: turnover?.currency ?? null }
}
