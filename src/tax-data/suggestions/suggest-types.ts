import type * as z from 'zod'
import table from '../../../data/product-words.json' with { type: 'json' }
import { broaderType, PRODUCT_TYPES, supplyKind } from '../../engine/book/product-types.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { SuggestionsAnswer, SuggestionsQuery } from './schemas.ts'
import { partsOf, wordsOf } from './title-words.ts'

/** How many types are suggested at most. */
const SHOWN = 3
/** The most words of a phrase that is looked for. */
const LONGEST = 4
/** What the phrase that names the product counts, beside 1 of the phrases that go before it. */
const NAMES_IT = 4
/** What a phrase of a later part of the title counts. */
const LATER = 0.5
/** The share of the score of a type that its broader type takes. */
const BROADER = 0.2
/** Most of what shops sell are goods without a type of their own. */
const USUAL = { id: 'physical_goods', score: 0.4 }
/** From this share of all scores on, the first is right 9 of 10 times (test/data/product-words.test.ts). */
const HIGH = 0.65

/**
 * What a phrase of data/product-words.json says. `names`: it is the product. `weak` (~): it is, if no better
 * one names it, such as `ticket`. `beside` (+): it counts only beside a phrase of the broader type, such as
 * `kid`.
 */
type Phrase = { id: string; text: string; how: 'names' | 'weak' | 'beside' }
type Found = { length: number; meanings: readonly Phrase[] }
type Weighed = Found & { weight: number }

const PHRASES = phrasesOfTable()

/** The types that a description may mean, best first. Nothing applies them. */
export function suggestTypes({
  description,
}: z.output<typeof SuggestionsQuery>): Answer<typeof SuggestionsAnswer> {
  const found = weighed(partsOf(description).map(knownPhrases))
  const scores = scoresOf(found)
  const total = [...scores.values()].reduce((sum, score) => sum + score, 0)
  const ranked = PRODUCT_TYPES.map(({ id, name }) => ({ product_type: id, name, score: scores.get(id) ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, SHOWN)
  return {
    suggestions: ranked.map(({ score, ...type }, rank) => ({
      ...type,
      certainty: rank > 0 || score < NAMES_IT ? 'low' : score / total < HIGH ? 'medium' : 'high',
      because: found.flatMap(({ meanings }) =>
        meanings.filter(({ id }) => id === type.product_type).map(({ text }) => text),
      ),
    })),
  }
}

/** The phrases of the table in a part of a title, the longest first at each word. */
function knownPhrases(words: readonly string[]): Found[] {
  const found: Found[] = []
  for (let at = 0; at < words.length;) {
    const next = longestAt(words, at)
    if (next !== null) found.push(next)
    at += next?.length ?? 1
  }
  return found
}

function longestAt(words: readonly string[], at: number): Found | null {
  for (let length = LONGEST; length > 0; length -= 1) {
    const known = words.slice(at, at + length)
    const meanings = PHRASES.get(known.join(' '))
    if (meanings !== undefined) return { length: known.length, meanings }
  }
  return null
}

/** The last phrase of the first part that has one names the product: `grinder` of a coffee grinder. */
function weighed(parts: readonly Found[][]): Weighed[] {
  const first = parts.find(({ length }) => length > 0) ?? []
  const name = first.findLast(({ meanings }) => meanings.some(({ how }) => how === 'names')) ?? first.at(-1)
  return parts.flatMap((part) =>
    part.map((each) => ({ ...each, weight: part !== first ? LATER : each === name ? NAMES_IT : 1 })),
  )
}

function scoresOf(found: readonly Weighed[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  const add = (id: string, score: number) => scores.set(id, (scores.get(id) ?? 0) + score)
  const said = found.flatMap(({ meanings, weight }) => meanings.map((phrase) => ({ ...phrase, weight })))
  for (const { id, how, weight } of said) if (how !== 'beside') add(id, weight)
  for (const [id, score] of new Map(scores)) {
    const broader = broaderType(id)
    if (broader !== null) add(broader.id, score * BROADER)
  }
  for (const { id, how, weight } of said) {
    const whole = scores.get(broaderType(id)?.id ?? '') ?? 0
    if (how === 'beside' && whole >= 1) add(id, weight + whole)
  }
  const [best] = [...scores].toSorted(([, one], [, other]) => other - one)
  if (best === undefined || supplyKind(best[0]) === 'goods') add(USUAL.id, USUAL.score)
  return scores
}

/** The phrases of the table and the names of the types, by their words as titles have them. */
function phrasesOfTable(): ReadonlyMap<string, readonly Phrase[]> {
  const phrases = new Map<string, Phrase[]>()
  for (const { id, name } of PRODUCT_TYPES)
    for (const phrase of [...table[id], name.toLowerCase()].map((text) => marked(id, text))) {
      const key = wordsOf(phrase.text).join(' ')
      const known = phrases.get(key) ?? []
      if (known.every((each) => each.id !== id)) phrases.set(key, [...known, phrase])
    }
  return phrases
}

function marked(id: string, text: string): Phrase {
  if (text.startsWith('~')) return { id, text: text.slice(1), how: 'weak' }
  if (text.startsWith('+')) return { id, text: text.slice(1), how: 'beside' }
  return { id, text, how: 'names' }
}
