import { at } from '../ground/invariant.ts'
/**
 * Splits `total` in proportion to `weights`, so that the parts add up to it. Each part is cut off towards
 * zero. The largest remainders get the units that are left, one each, the earlier first. A change of sign
 * changes only the signs. Weights are not negative; if all are zero, the first part takes everything.
 */
export function shareByWeight(total: number, weights: readonly number[]): number[] {
  if (weights.length === 1) return [total]
  const size = Math.abs(total)
  const small = weights.reduce((a, b) => a + b, 0)
  if (small > 0 && size * small <= Number.MAX_SAFE_INTEGER) {
    const shares = shareInDoubles(size, size, weights, small)
    return total < 0 ? shares.map((share) => 0 - share) : shares
  }
  const sum = weights.reduce((a, b) => a + BigInt(b), 0n)
  if (sum === 0n) return weights.map((_, index) => (index === 0 ? total : 0))
  return shareExact(
    total,
    weights.map((weight) => ({ dividend: BigInt(total) * BigInt(weight), denominator: sum })),
  )
}

/**
 * Like shareExact, for the shares `size × weight ÷ denominator`. They are not negative, and each dividend
 * fits a double: three times as fast.
 */
export function shareInDoubles(
  total: number,
  size: number,
  weights: readonly number[],
  denominator: number,
): number[] {
  const remainders = weights.map((weight) => (size * weight) % denominator)
  const shares = weights.map((weight, index) => (size * weight - at(remainders, index)) / denominator)
  let left = total
  for (const share of shares) left -= share
  for (; left > 0; left -= 1) {
    let largest = 0
    remainders.forEach((remainder, index) => {
      if (remainder > at(remainders, largest)) largest = index
    })
    shares[largest] = at(shares, largest) + 1
    remainders[largest] = 0
  }
  return shares
}

/** An exact share: `dividend ÷ denominator`, the denominator positive. */
export type ExactShare = { dividend: bigint; denominator: bigint }

/**
 * Whole units for exact shares, so that they add up to `total`, which is the rounded sum of the shares (less
 * than one unit off). A share whose sign differs from that of the units left over gets none of them.
 */
export function shareExact(total: number, shares: readonly ExactShare[]): number[] {
  const whole = shares.map((share) => Number(share.dividend / share.denominator))
  let left = total - whole.reduce((a, b) => a + b, 0)
  if (left === 0) return whole
  const step = Math.sign(left)
  const byRemainder = shares
    .map((share, index) => ({
      index,
      denominator: share.denominator,
      remainder: (share.dividend % share.denominator) * BigInt(step),
    }))
    .filter((share) => share.remainder > 0n)
    .toSorted((a, b) => {
      const difference = b.remainder * a.denominator - a.remainder * b.denominator
      return difference > 0n ? 1 : difference < 0n ? -1 : a.index - b.index
    })
  for (const { index } of byRemainder) {
    if (left === 0) break
    whole[index] = at(whole, index) + step
    left -= step
  }
  return whole
}
