import { closest, distance } from 'fastest-levenshtein'
import type * as z from 'zod'

/** A longer word is no slip of the keyboard, and takes long to compare. A shorter one is close to all. */
const WORD_MAX = 40
const WORD_MIN = 3

/** `: did you mean …?` with the known word that is closest; empty if not one is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (word.length < WORD_MIN || word.length > WORD_MAX || known.length === 0) return ''
  const near = closest(word.toLowerCase(), known)
  const allowed = Math.max(1, Math.min(3, Math.floor(word.length / 3)))
  return distance(word.toLowerCase(), near) <= allowed ? `: did you mean ${near}?` : ''
}

/** The fields of the object at a path of a schema; empty if there is no such object. */
export function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  // The union of all kinds, so that the compiler knows the parts of each.
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [step, ...rest] = path
  switch (def.type) {
    case 'object': {
      if (step === undefined) return Object.keys(def.shape)
      const field = def.shape[String(step)]
      return field === undefined ? [] : fieldsAt(field, rest)
    }
    case 'array':
      return step === undefined ? [] : fieldsAt(def.element, rest)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return fieldsAt(def.innerType, path)
    case 'pipe':
      return fieldsAt(def.in, path)
    default:
      return []
  }
}
