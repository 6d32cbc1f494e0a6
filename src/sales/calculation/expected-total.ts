import { minorDigits } from '../../engine/book/minor-digits.ts'
import { unitsInWords } from '../../engine/book/money-in-words.ts'
import { MILLION, multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import { discountedAmount, linesOf } from '../../engine/sale/lines.ts'
import type { Sale } from '../../engine/sale/sale.ts'

/** The figures of an answer, in minor units; the rate as a fraction. */
type Figures = { total: number; tax_amount: number; tax_rate: number }

/**
 * What to say if the caller expects another total than the answer has: both, and what probably happened.
 * Null: they agree.
 */
export function noteOnTotal(expected: number, sale: Sale, figures: Figures): string | null {
  const { total } = figures
  if (expected === total) return null
  const [theirs, ours] = [expected, total].map((units) => unitsInWords(units, sale.currency))
  const cause = CAUSES.find(({ fits }) => fits(expected, sale, figures))?.said ?? UNKNOWN
  return `expected_total is ${theirs}, and the total is ${ours}: ${cause}`
}

type Cause = { said: string; fits: (expected: number, sale: Sale, figures: Figures) => boolean }

const UNKNOWN = 'compare the lines, their discounts and their taxes with those of your shop'

/** The likely causes, the surest first. Each line may round its tax by itself. */
const CAUSES: readonly Cause[] = [
  {
    said: 'the amounts look like major units. Send minor units, such as 2000 for 20.00',
    fits: (expected, sale, { total }) => isTimes(expected, total, sale),
  },
  {
    said: 'expected_total looks like major units. Send minor units, such as 2000 for 20.00',
    fits: (expected, sale, { total }) => isTimes(total, expected, sale),
  },
  {
    said: 'the expected one is the sum of the prices. If prices contain tax, send tax_behavior: inclusive',
    fits: (expected, sale, { tax_amount }) =>
      tax_amount !== 0 && hasOnly(sale, 'exclusive') && expected === sumOfPrices(sale),
  },
  {
    said: 'the expected one has the tax on top. If your prices are without tax, send tax_behavior: exclusive',
    fits: (expected, sale, { total, tax_rate }) =>
      tax_rate !== 0 &&
      hasOnly(sale, 'inclusive') &&
      isNear(expected, total + multiplyAndDivide(total, Math.round(tax_rate * MILLION), MILLION), sale),
  },
  {
    said: 'shipping_cost is in the request, and the expected one is without it',
    fits: (expected, sale, { total, tax_rate }) =>
      sale.shipping !== null &&
      sale.shipping.amount !== 0 &&
      isBetween(total - expected, sale.shipping.amount, tax_rate),
  },
  {
    said: 'the request has no shipping_cost. If the customer pays for delivery, send it',
    fits: (expected, sale, { total }) => !sale.shipping?.amount && expected > total,
  },
]

function isTimes(larger: number, smaller: number, sale: Sale): boolean {
  const factor = 10 ** minorDigits(sale.currency)
  // The tax of an amount in major units is rounded to whole units, so each line may be half of one off.
  return (
    factor > 1 &&
    smaller !== 0 &&
    Math.sign(larger) === Math.sign(smaller) &&
    Math.abs(larger - smaller * factor) <= factor * linesOf(sale).length
  )
}

function hasOnly(sale: Sale, behavior: string): boolean {
  return linesOf(sale).every(({ tax_behavior }) => tax_behavior === behavior)
}

function sumOfPrices(sale: Sale): number {
  return linesOf(sale).reduce((sum, line) => sum + discountedAmount(line), 0)
}

function isNear(one: number, other: number, sale: Sale): boolean {
  return Math.abs(one - other) <= linesOf(sale).length
}

/** Whether a difference is the shipping, without its tax or with it. */
function isBetween(difference: number, shipping: number, tax_rate: number): boolean {
  const taxed = shipping + multiplyAndDivide(shipping, Math.round(tax_rate * MILLION), MILLION)
  return difference >= Math.min(shipping, taxed) - 1 && difference <= Math.max(shipping, taxed) + 1
}
