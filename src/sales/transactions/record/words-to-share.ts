import { at, invariant } from '../../../engine/ground/invariant.ts'
import { onForget } from '../../../platform/kit/memory.ts'
import type { KeptReasons, KeptStep, StoredReasons } from '../read/kept-reasons.ts'
import type { KeptEinvoice } from '../sale/kept-einvoice.ts'
import { ID_LENGTH, type SharedWords } from '../sale/words-store.ts'

/**
 * The texts that a sale stores, `facts` and `reasons`, and the words that they name: many sales say the same
 * steps and the same of their invoices, so each is kept once. What the caller chose stays with the sale.
 */
export type StoredTexts = { facts: string; reasons: string; words: SharedWords[] }

/** Steps of law and words alone. Rates of the seller and shares of a bundle are the caller's. */
const SHARED_STEPS: ReadonlySet<string> = new Set([
  'where',
  'consignment_value',
  'place_of_supply',
  'place_of_origin',
  'registration',
  'product_rule',
  'exemption',
  'request',
  'delivery_fee',
])

/** The texts of a sale whose words are shared. */
export async function shareWords(facts: string, kept: KeptReasons): Promise<StoredTexts> {
  const { context, head } = splitFacts(facts)
  const { reasons, steps } = await shareSteps(kept)
  if (head === null) return { facts, reasons: JSON.stringify(reasons), words: steps }
  const { lines, registration_numbers, ...rest } = head
  const words = await wordsOf(rest)
  return {
    facts: JSON.stringify({ ...context, invoice: { words: words.id, lines, registration_numbers } }),
    reasons: JSON.stringify(reasons),
    words: [...steps, words],
  }
}

/** The texts of a sale that keeps all its words, as releases before 2026-11-30 read them. */
export function keepWordsWithSale(facts: string, kept: KeptReasons): StoredTexts {
  return { facts, reasons: JSON.stringify(kept), words: [] }
}

/**
 * `head`: the view whose words are shared; null: there is none, or it has a reason of the caller. Facts that
 * would not be read back to the letter keep theirs: earlier releases had other orders.
 */
function splitFacts(facts: string): { context: object; head: KeptEinvoice | null } {
  const { einvoice, ...context }: { einvoice?: KeptEinvoice } = JSON.parse(facts)
  if (einvoice === undefined) return { context, head: null }
  const { tax_scheme, country, lines, treatments, numbers, registration_numbers } = einvoice
  const read = { tax_scheme, country, lines, treatments, numbers, registration_numbers }
  const shares =
    JSON.stringify({ ...context, einvoice: read }) === facts &&
    treatments.every(({ stated_reason }) => stated_reason === null)
  return { context, head: shares ? einvoice : null }
}

/** Own steps come first, then those whose ids `shared` has. */
async function shareSteps(kept: KeptReasons): Promise<{ reasons: StoredReasons; steps: SharedWords[] }> {
  const isShared = (index: number) => SHARED_STEPS.has(at(kept.steps, index)[0])
  const order = [...kept.steps.keys()].toSorted((one, other) => +isShared(one) - +isShared(other))
  const own = order.filter((index) => !isShared(index)).map((index) => at(kept.steps, index))
  const steps = await Promise.all(order.filter(isShared).map((index) => wordsOf(at(kept.steps, index))))
  if (steps.length === 0) return { reasons: kept, steps }
  const moved = new Map(order.map((index, place) => [index, place]))
  const placesOf = (indexes: readonly number[]) =>
    indexes.map((index) => invariant(moved.get(index), 'a line names a kept step'))
  const reasons: StoredReasons = {
    ...kept,
    steps: own,
    sale: placesOf(kept.sale),
    lines: kept.lines.map(placesOf),
    shared: steps.map(({ id }) => id).join(''),
  }
  return { reasons, steps }
}

/** Ids by their words. Rates change, so they are forgotten when there are many. */
const known = new Map<string, string>()
const KNOWN_MAX = 5_000
onForget(() => known.clear())

async function wordsOf(value: KeptStep | object): Promise<SharedWords> {
  const words = JSON.stringify(value)
  const id = known.get(words) ?? (await idOf(words))
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(words, id)
  return { id, words }
}

async function idOf(words: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(words))
  return btoa(String.fromCharCode(...new Uint8Array(hash))).slice(0, ID_LENGTH)
}
