import { at } from '../ground/invariant.ts'
/**
 * Splits `total` in proportion to `weights`, so that the parts add up to it. Each part is cut off towards
 * zero. The largest remainders get the units that are left, one each, the earlier first. A change of sign
 * changes only the signs. Weights are not negative; if all are zero, the first part takes everything.
 */
export function shareByWeight(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + BigInt(b), 0n)
  if (sum === 0n) return weights.map((_, index) => (index === 0 ? total : 0))
  return shareExact(
    total,
    weights.map((weight) => ({ dividend: BigInt(total) * BigInt(weight), denominator: sum })),
  )
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
