import { Refusal } from '../../engine/ground/refusal.ts'

/** The fields of a request by the engine's parameters: `{ lines: 'line_items', day: 'transaction_date' }`. */
type FieldNames = Readonly<Record<string, string>>

/** Calls the engine. A Refusal then names the field of the request instead of the engine's parameter. */
export function withFieldsOf<Answer>(fields: FieldNames, ask: () => Answer): Answer {
  try {
    return ask()
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    throw new Refusal(thrown.reason, fieldOf(fields, thrown.parameter), thrown.message)
  }
}

/** `lines[2].discount` becomes `line_items[2].discount`: the longest parameter that matches is replaced. */
function fieldOf(fields: FieldNames, parameter: string): string {
  const known = Object.keys(fields)
    .filter((name) => parameter === name || /^[.[]/.test(parameter.slice(name.length)))
    .filter((name) => parameter.startsWith(name))
    .toSorted((a, b) => b.length - a.length)[0]
  if (known === undefined) return parameter
  return `${fields[known]}${parameter.slice(known.length)}`.replace(/^\./, '')
}
