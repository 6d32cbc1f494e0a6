import type { Fault, Sources } from './style.ts'

/** A file that fits a screen may have any form. */
const LINES_OF_A_SCREEN = 20
const LINES_OF_A_RECORD = 1.5
const LINES_MAX = 2000

/** The files that may be longer, because people read them by search and not from top to bottom. */
const LONG_FILES = /^data\/|(^|\/)package-lock\.json$|^migrations\/tables\.json$/

/** Files of recorded cases that do not have one case a line. */
export function recordFaults(files: Sources): Fault[] {
  return [...files].flatMap(([path, text]) => {
    const [lines, records] = [linesOf(text), recordsOf(JSON.parse(text))]
    if (lines <= Math.max(LINES_OF_A_SCREEN, LINES_OF_A_RECORD * records)) return []
    const message = `has ${lines} lines for ${records} records: npm run format writes one record a line`
    return [{ path, line: 1, message }]
  })
}

/** Files of more than 2,000 lines. */
export function longFiles(files: Sources): Fault[] {
  return [...files]
    .map(([path, text]) => ({ path, lines: linesOf(text) }))
    .filter(({ path, lines }) => lines > LINES_MAX && !LONG_FILES.test(path))
    .map(({ path, lines }) => ({
      path,
      line: LINES_MAX + 1,
      message: `the file has ${lines} lines, of at most ${LINES_MAX}: split it, or make it by a command`,
    }))
}

/** The same JSON with one record a line. */
export function withRecordLines(text: string): string {
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value)) return `${listOf(value)}\n`
  if (!isObject(value)) return `${JSON.stringify(value)}\n`
  const fields = Object.entries(value).map(([key, field]) => {
    const written = Array.isArray(field) ? listOf(field) : JSON.stringify(field)
    return `${JSON.stringify(key)}: ${written}`
  })
  return `{\n${fields.join(',\n')}\n}\n`
}

/** A record is an element of the list, or of a list in an object, or a field of this object. */
function recordsOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (!isObject(value)) return 1
  const fields = Object.values(value)
  const listed = fields.reduce<number>((sum, field) => sum + (Array.isArray(field) ? field.length : 0), 0)
  return Math.max(fields.length, listed)
}

function listOf(records: readonly unknown[]): string {
  if (records.length === 0) return '[]'
  return `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}
