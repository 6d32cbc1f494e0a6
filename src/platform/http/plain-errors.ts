import * as z from 'zod'

/** Names of types as a caller knows them. */
const TYPES: Readonly<Partial<Record<string, string>>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const FORMATS: Readonly<Partial<Record<string, string>>> = {
  date: 'a date such as 2026-06-15',
  datetime: 'a moment with a time zone such as 2026-06-15T12:00:00Z',
  email: 'an e-mail address',
  url: 'a web address',
}

/** More words than these do not fit a sentence. */
const WORDS_MAX = 20
const MUST_BE = 'must be '

/** The sentence on a fault for which a schema has no words of its own. It follows the name of the field. */
function plainError(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return MUST_BE + (TYPES[issue.expected] ?? issue.expected)
    case 'invalid_format':
      return `${MUST_BE}${FORMATS[issue.format] ?? 'a text of the documented form'}`
    case 'invalid_value':
      return issue.values.length > WORDS_MAX
        ? 'is none of the documented words'
        : MUST_BE + (issue.values.length > 1 ? 'one of ' : '') + issue.values.map(String).join(', ')
    case 'too_small':
      return boundsError(issue.origin, issue.minimum, { least: true, inclusive: issue.inclusive !== false })
    case 'too_big':
      return boundsError(issue.origin, issue.maximum, { least: false, inclusive: issue.inclusive !== false })
    case 'not_multiple_of':
      return `${MUST_BE}a multiple of ${issue.divisor}`
    case 'invalid_union':
      return unionError(issue.errors)
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, WORDS_MAX).join(', ')}`
    default:
      return 'is not valid'
  }
}

type Bound = { least: boolean; inclusive: boolean }

function boundsError(origin: string, bound: number | bigint, { least, inclusive }: Bound): string {
  if (origin === 'string' && least && Number(bound) === 1) return 'must not be empty'
  const limit = inclusive
    ? `at ${least ? 'least' : 'most'} ${bound}`
    : `${least ? 'more' : 'less'} than ${bound}`
  if (origin === 'string') return `must have ${limit} characters`
  if (origin === 'array' || origin === 'set' || origin === 'map') return `must contain ${limit} entries`
  return MUST_BE + limit
}

/** What each of the alternatives asks for: `must be a text or a number`. */
function unionError(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const asked = [...new Set(alternatives.flatMap(([first]) => first?.message ?? []))]
  const [only] = asked
  if (asked.length === 1 && only !== undefined) return only
  // A form that an empty text alone has is not worth a word.
  const named = asked.filter((message) => message.startsWith(MUST_BE) && message !== MUST_BE)
  return named.length === 0
    ? 'has none of the documented forms'
    : MUST_BE + named.map((message) => message.slice(MUST_BE.length)).join(' or ')
}

/** Lets all schemas speak in our words. Words that a schema has of its own stay. */
export function speakPlainly(): void {
  z.config({ customError: plainError })
}
