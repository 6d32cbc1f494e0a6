import type { Answer } from '../../platform/http/answers.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { LocalCandidate, LocalTax } from '../../engine/regimes/us-local/local-stack.ts'
import type { OwnTax } from '../../engine/regimes/us-local/local-book.ts'
import { rateOfOwnTaxes } from '../../engine/regimes/us-local/own-taxes.ts'
import type { LocalBlock } from './answers.ts'

/** A ZIP has a few candidates; more would only repeat the range. */
const CANDIDATES_MAX = 20

/** The local taxes of a sale as the answer shows them. */
export function presentLocal(local: LocalTax | null): Answer<typeof LocalBlock> | null {
  if (local === null) return null
  const { stack, notes, own } = local
  const ofProduct = rateOfOwnTaxes(local)
  return {
    precision: local.precision,
    method: local.method,
    rate: (stack.rate + ofProduct) / MILLION,
    rate_min: (local.rate_min + ofProduct) / MILLION,
    rate_max: (local.rate_max + ofProduct) / MILLION,
    parts: [
      ...stack.parts.map(({ id, type, name, source, as_of }, index) => {
        return { id, type, name, rate: at(stack.rates, index) / MILLION, source, as_of }
      }),
      ...own.map(presentOwnTax),
    ],
    candidates: local.candidates.slice(0, CANDIDATES_MAX).map(presentCandidate),
    note: notes.length === 0 ? null : notes.join('. '),
  }
}

function presentOwnTax({ id, name, county_fips, rate_millionths, source, as_of }: OwnTax) {
  const type = county_fips === null ? ('city' as const) : ('county' as const)
  return { id, type, name, rate: rate_millionths / MILLION, source, as_of }
}

function presentCandidate({ rate, parts, permille }: LocalCandidate) {
  return {
    rate: rate / MILLION,
    names: parts.map(({ name }) => name),
    share: permille === null ? null : permille / 1_000,
  }
}
