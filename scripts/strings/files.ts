import { createHash } from 'node:crypto'
import type { Sources } from '../checks/style.ts'
import { piecesOf, textOf, withBlanks } from './pieces.ts'
import { type ShownString, shownStrings } from './read-strings.ts'
import { sourceOf } from './write-source.ts'

/** A file of strings, with all strings of its sources. */
type StringFile = { file: string; title: string; sources: readonly string[]; exclude?: readonly string[] }

export const STRING_FILES: readonly StringFile[] = [
  { file: 'dist/strings/console.txt', title: 'Strings of the console', sources: ['console/**/*.{ts,tsx}'] },
  {
    file: 'dist/strings/notes.txt',
    title: 'Notes, reasons, caveats and steps of the engine',
    sources: ['src/engine/**/*.ts'],
    // Names of places that an address may have.
    exclude: ['src/engine/book/territories.ts'],
  },
  {
    file: 'dist/strings/service.txt',
    title: 'Pages, errors, and descriptions of the interface',
    sources: ['src/**/*.{ts,tsx}'],
    exclude: ['src/engine/**', 'src/**/*store.ts', 'src/platform/{database,writes}/**', '**/*.generated.ts'],
  },
]

const HEAD =
  'Change words. Keep the code at the start of a line, {placeholders} and <tags>. ␣ is a blank at an end.\n' +
  '`npm run strings -- --apply` takes the words into the source.\n'

/** A line of such a file. */
const LINE = /^([0-9a-f]{8}) (.*)$/

type Named = ShownString & { id: string; text: string }

/** Each string with an id. Strings of a file with the same words have one id, and are changed together. */
function named(sources: Sources): Named[] {
  return shownStrings(sources).map((each) => {
    const text = textOf(each.pieces)
    const hash = createHash('sha256').update(`${each.path}\n${text}`).digest('hex')
    return { ...each, text, id: hash.slice(0, 8) }
  })
}

/** All strings of these sources, a line each, below the path of their source. */
export function stringsFile(title: string, sources: Sources): string {
  const strings = Map.groupBy(named(sources), ({ path }) => path)
  const sections = [...strings].map(([path, of]) => {
    const lines = new Set(of.map(({ id, text }) => `${id} ${text}\n`))
    return `\n## ${path}\n\n${[...lines].join('')}`
  })
  return `# ${title}\n\n${HEAD}${sections.join('')}`
}

/** The sources that an edited file changes, and each of its lines that is refused. Then nothing changes. */
export function applied(file: string, sources: Sources): { changed: Sources; refused: string[] } {
  return withLines(linesOf(file), sources)
}

function withLines(lines: readonly Line[], sources: Sources): ReturnType<typeof applied> {
  const strings = named(sources)
  const texts = new Set(strings.map(({ path, text }) => `${path}\n${text}`))
  const current = Map.groupBy(strings, ({ id }) => id)
  const edits: Named[] = []
  const refused: string[] = []
  for (const { id, path, text } of lines) {
    const before = current.get(id)
    if (before === undefined) {
      if (!texts.has(`${path}\n${text}`)) refused.push(`${id} ${text}: its source has changed since`)
      continue
    }
    for (const string of before.filter((each) => each.text !== text)) {
      const pieces = piecesOf(text, string.pieces)
      if ('refused' in pieces) refused.push(`${id} ${text}: ${pieces.refused}`)
      else edits.push({ ...string, pieces })
    }
  }
  return { changed: refused.length === 0 ? withEdits(lines, sources, edits) : new Map(), refused }
}

/** A string in a placeholder of another is changed first. Then the other is read again. */
function withEdits(lines: readonly Line[], sources: Sources, edits: readonly Named[]): Sources {
  const first = edits.filter((outer) => !edits.some((inner) => isIn(inner, outer)))
  const changed = new Map<string, string>()
  for (const edit of first.toSorted((one, other) => other.start - one.start)) {
    const text = changed.get(edit.path) ?? sources.get(edit.path) ?? ''
    const line = text.slice(text.lastIndexOf('\n', edit.start - 1) + 1)
    const source = sourceOf(edit.form, edit.pieces, line.search(/\S/))
    changed.set(edit.path, text.slice(0, edit.start) + source + text.slice(edit.end))
  }
  const outer = new Set(edits.filter((edit) => !first.includes(edit)).map(({ id }) => id))
  if (outer.size === 0) return changed
  const rest = lines.filter(({ id }) => outer.has(id))
  return new Map([...changed, ...withLines(rest, new Map([...sources, ...changed])).changed])
}

function isIn(inner: Named, outer: Named): boolean {
  return inner !== outer && inner.path === outer.path && inner.start >= outer.start && inner.end <= outer.end
}

type Line = { path: string; id: string; text: string }

function linesOf(file: string): Line[] {
  let path = ''
  return file.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) path = line.slice(3)
    const [, id, text] = LINE.exec(line) ?? []
    return id === undefined || text === undefined ? [] : [{ path, id, text: withBlanks(text) }]
  })
}
