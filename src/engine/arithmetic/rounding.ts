/** Rates and fractions are counted in millionths. */
export const MILLION = 1_000_000

/**
 * `amount × numerator ÷ denominator`, rounded half away from zero, exact for every safe integer. The product
 * is computed in a double if it fits, else in a BigInt.
 */
export function multiplyAndDivide(amount: number, numerator: number, denominator: number): number {
  const product = Math.abs(amount) * numerator
  if (product > Number.MAX_SAFE_INTEGER)
    return multiplyAndDivideBig(BigInt(amount), BigInt(numerator), BigInt(denominator))
  // The remainder is exact; a plain division could round up to the next whole number.
  const remainder = product % denominator
  const quotient = (product - remainder) / denominator
  const rounded = remainder >= denominator - remainder ? quotient + 1 : quotient
  return amount < 0 && rounded !== 0 ? -rounded : rounded
}

/** Like multiplyAndDivide, for a fraction whose parts do not fit a double. */
export function multiplyAndDivideBig(amount: bigint, numerator: bigint, denominator: bigint): number {
  return Number(roundHalfAway(amount * numerator, denominator))
}

/** A quotient rounded half away from zero. The denominator is positive. */
export function roundHalfAway(dividend: bigint, denominator: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return dividend < 0n ? -rounded : rounded
}
