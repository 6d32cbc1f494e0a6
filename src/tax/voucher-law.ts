import type { RegimeLaw, VoucherLaw } from './regimes/regime.ts'

/** The law by which the sale of a voucher for several kinds of supply is no supply; null: none on that day. */
export function voucherLaw({ vouchers }: RegimeLaw, day: string): VoucherLaw | null {
  return vouchers !== null && (vouchers.from === null || vouchers.from <= day) ? vouchers : null
}
