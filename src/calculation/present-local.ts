import type { Answer } from '../http/answers.ts'
import { at } from '../tax/invariant.ts'
import type { LocalCandidate, LocalTax } from '../tax/regimes/us-local/local-stack.ts'
import { MILLION } from '../tax/arithmetic/rounding.ts'
import type { LocalBlock } from './answers.ts'

/** A ZIP has a few candidates; more would only repeat the range. */
const CANDIDATES_MAX = 20

/** The local taxes of a sale as the answer shows them. */
export function presentLocal(local: LocalTax | null): Answer<typeof LocalBlock> | null {
  if (local === null) return null
  const { stack, notes } = local
  return {
    precision: local.precision,
    method: local.method,
    rate: stack.rate / MILLION,
    rate_min: local.rate_min / MILLION,
    rate_max: local.rate_max / MILLION,
    parts: stack.parts.map(({ id, type, name, source, as_of }, index) => ({
      id,
      type,
      name,
      rate: at(stack.rates, index) / MILLION,
      source,
      as_of,
    })),
    candidates: local.candidates.slice(0, CANDIDATES_MAX).map(presentCandidate),
    note: notes.length === 0 ? null : notes.join('. '),
  }
}

function presentCandidate({ rate, parts, permille }: LocalCandidate) {
  return {
    rate: rate / MILLION,
    names: parts.map(({ name }) => name),
    share: permille === null ? null : permille / 1_000,
  }
}
