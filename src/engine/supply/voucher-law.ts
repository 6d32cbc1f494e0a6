import type { RegimeLaw, VoucherLaw } from '../regimes/regime.ts'

/** The law on a day by which the sale of a voucher for several kinds of supply is no supply; null: none. */
export function voucherLaw({ vouchers }: RegimeLaw, day: string): VoucherLaw | null {
  return vouchers !== null && (vouchers.from === null || vouchers.from <= day) ? vouchers : null
}
