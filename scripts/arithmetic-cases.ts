import { z } from 'zod'
import { taxDocument } from '../src/engine/arithmetic/document-tax.ts'

const AMOUNT_MAX = 1_000_000_000_000_000

/** The limit of the engine: the sum of a case plus all its taxes stays exact in a double. */
const SUM_MAX = 6_500_000_000_000_000

const Amount = z.int().min(-AMOUNT_MAX).max(AMOUNT_MAX)
const Sum = z.int()

const Rate = z
  .string()
  .regex(/^\d(\.\d{1,6})?$/, 'must be a decimal string below 10 with at most 6 decimals, e.g. "0.0825"')
  .transform(toMillionths)

const Line = z.object({
  amount: Amount,
  rates: z.array(Rate),
  tax_behavior: z.enum(['exclusive', 'inclusive']).default('exclusive'),
  one_sum: z.boolean().default(false),
})

// Strict, so that a misspelt expectation is an error.
const Expected = z.strictObject({
  tax: Sum.optional(),
  net: Sum.optional(),
  total: Sum.optional(),
  line_tax: z.array(Sum).optional(),
  line_net: z.array(Sum).optional(),
  line_parts: z.array(z.array(Sum)).optional(),
})

const Case = z
  .object({
    id: z.string(),
    rounding: z.enum(['line', 'document']).default('line'),
    lines: z.array(Line).min(1),
    expected: Expected.optional(),
  })
  .refine((each) => each.lines.reduce((sum, line) => sum + Math.abs(line.amount), 0) <= SUM_MAX, {
    path: ['lines'],
    message: `the amounts must not add up to more than ${SUM_MAX}`,
  })

const CaseFile = z.object({ cases: z.array(Case).min(1, 'must contain at least one case') })

export type ArithmeticCase = z.infer<typeof Case>

/**
 * The result of a case, in minor units. `ok`: whether every expectation is met; null if there is none.
 * `line_parts`: the tax by each rate of each line, of a case with rates that are one sum.
 */
type CaseResult = {
  id: string
  tax: number
  net: number
  total: number
  line_tax: number[]
  line_net: number[]
  line_parts?: number[][]
  ok: boolean | null
}

/**
 * Reads a file of cases (the shape of test/conformance/arithmetic.json). Throws an Error that names the first
 * fault.
 */
export function parseCases(text: string): ArithmeticCase[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new Error(`not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  const parsed = CaseFile.safeParse(json)
  if (parsed.success) return parsed.data.cases
  const [issue] = parsed.error.issues
  throw new Error(
    `${z.core.toDotPath(issue?.path ?? []) || 'file'}: ${issue?.message ?? 'is not a file of cases'}`,
  )
}

/** Runs one case through the engine's own arithmetic. */
export function runCase({ id, lines, rounding, expected }: ArithmeticCase): CaseResult {
  const taxed = taxDocument(
    lines.map((line) => ({
      amount: line.amount,
      rates_millionths: line.rates,
      tax_behavior: line.tax_behavior,
      one_sum: line.one_sum,
    })),
    rounding,
  )
  const line_tax = taxed.lines.map((line) => line.tax)
  const line_net = taxed.lines.map((line) => line.net)
  const tax = line_tax.reduce((a, b) => a + b, 0)
  const net = line_net.reduce((a, b) => a + b, 0)
  const line_parts = taxed.lines.map((line) => line.components)
  const result = { tax, net, total: net + tax, line_tax, line_net, line_parts }
  const { line_parts: _, ...sums } = result
  const shown = lines.some(({ one_sum }) => one_sum) ? result : sums
  return { id, ...shown, ok: meets(result, expected) }
}

type Reckoned = Required<Omit<CaseResult, 'id' | 'ok'>>

function meets(result: Reckoned, expected: ArithmeticCase['expected']): boolean | null {
  if (expected === undefined || Object.keys(expected).length === 0) return null
  const { tax, net, total, line_tax, line_net, line_parts } = expected
  return (
    (tax === undefined || tax === result.tax) &&
    (net === undefined || net === result.net) &&
    (total === undefined || total === result.total) &&
    (line_tax === undefined || sameNumbers(line_tax, result.line_tax)) &&
    (line_net === undefined || sameNumbers(line_net, result.line_net)) &&
    (line_parts === undefined || sameParts(line_parts, result.line_parts))
  )
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

function sameParts(a: readonly number[][], b: readonly number[][]): boolean {
  return a.length === b.length && a.every((parts, index) => sameNumbers(parts, b[index] ?? []))
}

/** Shifts the digits as text, so that no binary fraction appears. */
function toMillionths(rate: string): number {
  const [whole = '0', fraction = ''] = rate.split('.')
  return Number(`${whole}${fraction.padEnd(6, '0')}`)
}
