import type { Context } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import type { ReadCode } from './product-of-code.ts'
import { late } from '../../platform/kit/late.ts'
import { heldMap } from '../../platform/kit/memory.ts'

const STORE = late(() => import('./unknown-codes-store.ts'))

type ReadLine = { code?: ReadCode | undefined }

/** Counted lines by code that are not written yet, and when this isolate last wrote some of the account. */
type WaitingLines = { written_ms: number; lines: Map<string, number> }

const WRITE_EVERY_MS = 10_000
const ACCOUNTS_MAX = 1_000
const CODES_MAX = 200
/** The form of TaxJar takes any text as a code. */
const LENGTH_MAX = 60

const waiting = heldMap<string, WaitingLines>()

/**
 * Counts the lines whose codes have no product type. They are written behind the answer, at most every ten
 * seconds. Throws unknown_product_code if the account refuses such codes. `field` names the product of a line
 * by its index.
 */
export function noteUnmapped(
  context: Context,
  lines: readonly ReadLine[],
  field: (index: number) => string = (index) => `line_items[${index}].product_type`,
): void {
  const first = lines.findIndex(isUnmapped)
  if (first < 0) return
  const { principal, now, later } = context
  if (principal.refuses_unknown_codes) throw refusal(lines[first]?.code, field(first))
  const { account_id } = principal
  const held = waiting.get(account_id) ?? { written_ms: 0, lines: new Map<string, number>() }
  for (const { code } of lines.filter(isUnmapped)) {
    const name = (code?.code ?? '').slice(0, LENGTH_MAX)
    if (held.lines.size < CODES_MAX || held.lines.has(name))
      held.lines.set(name, (held.lines.get(name) ?? 0) + 1)
  }
  if (waiting.size >= ACCOUNTS_MAX) waiting.clear()
  waiting.set(account_id, held)
  if (Math.abs(now.getTime() - held.written_ms) < WRITE_EVERY_MS) return
  waiting.set(account_id, { written_ms: now.getTime(), lines: new Map() })
  const written = STORE.load().then(({ addUnknownCodes }) => addUnknownCodes(context, held.lines))
  later(written.catch((thrown: unknown) => logFault({ account_id, step: 'count unknown codes' }, thrown)))
}

function isUnmapped({ code }: ReadLine): boolean {
  return code?.mapped === false
}

function refusal(code: ReadCode | undefined, field: string): Error {
  const message = `the code ${code?.code} has no product type here, and the account refuses such codes`
  return new ApiError('unknown_product_code', {
    message: `${field}: ${message}`,
    detail: code?.code.slice(0, LENGTH_MAX) ?? '',
    errors: [{ path: field, message }],
  })
}
