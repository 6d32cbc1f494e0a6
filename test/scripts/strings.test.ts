import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import { expect, it } from 'vitest'
import { readSources } from '../../scripts/read-sources.ts'
import { applied, STRING_FILES, stringsFile } from '../../scripts/strings/files.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const SOURCE = `import { a } from './some module.ts'
type Kind = 'a kind' | 'b kind'
const LABEL = 'Reopen…'
const CODE = 'not_a_label'
const note = \`The sales in \${place.name} are over \${formatMoney(sale.limit)}\`
const sum = 'One sentence ' + (late ? 'is late. ' : '') + \`of \${count}.\`
const View = ({ open }: Props) => (
  <p class="quiet wide" title="A short title">
    Due on <strong class="x">{formatDay(day)}, at the latest</strong>. <Badge of="good" /> It’s{' '}
    {open ? 'still open' : 'not open'}.
  </p>
)
read(sql\`SELECT a FROM b\`, 'SELECT a b FROM c', kind === 'a kind', list.closest('.a, .b c'))
`

const sourceOf = (text: string) => new Map([['console/a.tsx', text]])
const fileOf = (text: string) => stringsFile('Strings', sourceOf(text))
const textsOf = (file: string) => [...file.matchAll(/^[0-9a-f]{8} (.*)$/gm)].map(([, text]) => text)

/** The source after an editor has replaced words in the file. */
function edit(source: string, ...changes: [from: string, to: string][]) {
  const file = changes.reduce((text, [from, to]) => text.replace(from, () => to), fileOf(source))
  const { changed, refused } = applied(file, sourceOf(source))
  return { source: changed.get('console/a.tsx') ?? source, refused, file }
}

it('reads what people see, with placeholders, and leaves out codes', () => {
  expect(textsOf(fileOf(SOURCE))).toEqual([
    'Reopen…',
    'The sales in {name} are over {limit}',
    'One sentence {late}of {count}.',
    'is late.␣',
    'A short title',
    'Due on <strong>{day}, at the latest</strong>. {Badge} It’s {open}.',
    'still open',
    'not open',
  ])
})

it('takes the words of each kind of string into the source, once', () => {
  const { source, refused, file } = edit(
    SOURCE,
    [' Reopen…', ' Open again…'],
    ['The sales in {name} are over {limit}', 'Over {limit} of `sales` in {name}'],
    ['One sentence {late}of {count}.', 'A sentence of {count}: {late}'],
    ['is late.␣', "isn't in time.␣"],
    ['A short title', 'A "title"'],
    ['Due on <strong>{day}, at the latest</strong>. {Badge}', '{Badge} Due <strong>by {day}</strong>.'],
    ['not open', 'in \\{braces\\} or not'],
  )
  expect(refused).toEqual([])
  expect(textsOf(fileOf(source))).toEqual(textsOf(file))
  expect(source).toContain('`Over ${formatMoney(sale.limit)} of \\`sales\\` in ${place.name}`')
  expect(source).toContain('title={\'A "title"\'}')
  expect(source).toContain('Due <strong class="x">by {formatDay(day)}</strong>.')
  expect(applied(file, sourceOf(source))).toEqual({ changed: new Map(), refused: [] })
})

it('changes strings with the same words together, and a string inside of another', () => {
  const twice = "f('Two words')\ng('Two words')\nh(`Three ${a ? 'four five' : ''} words`)\n"
  const changes: [string, string][] = [
    ['Two words', '2 words'],
    ['Three {a} words', 'Few {a} words'],
    ['four five', 'six five'],
  ]
  expect(edit(twice, ...changes).source).toBe(
    "f('2 words')\ng('2 words')\nh(`Few ${a ? 'six five' : ''} words`)\n",
  )
})

it('breaks a long string into parts that fit into a line', () => {
  const long = 'and some more words that make it longer '.repeat(5).trim()
  const { source } = edit(SOURCE, ['Reopen…', `Reopen ${long}`])
  expect(
    source
      .match(/'Reopen [^)]*/)?.[0]
      .split('\n')
      .map(({ length }) => length < 106),
  ).toEqual([true, true, true])
  expect(textsOf(fileOf(source))[0]).toBe(`Reopen ${long}`)
})

it.each([
  ['{name}', '{place}', '{place} is no placeholder of this string'],
  [' {name}', '', '{name} is missing'],
  ['</strong>', '', '</strong> is missing'],
])('refuses %j in place of %j, and changes nothing', (from, to, why) => {
  const { source, refused } = edit(SOURCE, [from, to], [' Reopen…', ' Open again…'])
  expect(refused).toEqual([expect.stringMatching(/^[0-9a-f]{8} /)])
  expect(refused[0]).toContain(why)
  expect(source).toBe(SOURCE)
})

it('refuses words for a string that the source no longer has', () => {
  const file = fileOf(SOURCE).replace('A short title', 'A long title')
  const { changed, refused } = applied(file, sourceOf(SOURCE.replace('A short title', 'Another title')))
  expect(changed.size).toBe(0)
  expect(refused).toEqual([expect.stringMatching(/A long title: its source has changed since$/)])
})

it.each(STRING_FILES.slice(0, 2))(
  'takes a change of every string of $file into the source',
  ({ sources, exclude, title }) => {
    const before = readSources(sources, exclude)
    const edited = stringsFile(title, before).replace(/^[0-9a-f]{8} .*$/gm, '$& as an editor says')
    const { changed, refused } = applied(edited, before)
    expect(refused).toEqual([])
    const expected = textsOf(edited).map((text) => text?.replaceAll('␣ as', '  as'))
    expect(textsOf(stringsFile(title, new Map([...before, ...changed])))).toEqual(expected)
  },
)

it('leaves sources that compile', () => {
  const before = readSources(['console/**/*.{ts,tsx}'])
  const file = stringsFile('Strings', before).replace(
    /^[0-9a-f]{8} (?=[^{]* [^{]* ).*\.$/gm,
    '$& It’s "so" {0}.',
  )
  const { changed, refused } = applied(file.replaceAll('{0}', 'now'), before)
  expect(refused).toEqual([])
  expect(changed.size).toBeGreaterThan(20)
  expect(faultsOf(changed)).toEqual([])
})

/** What the compiler says of the console with these files in place of its own. */
function faultsOf(changed: ReadonlyMap<string, string>): string[] {
  const overlay = new Map([...changed].map(([path, text]) => [join(PROJECT, path), text]))
  const api = new API({
    cwd: PROJECT,
    fs: {
      readFile: (path) => overlay.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : null),
    },
  })
  try {
    const [project] = api
      .updateSnapshot({ openProjects: [join(PROJECT, 'tsconfig.console.json')] })
      .getProjects()
    return [...overlay.keys()].flatMap((path) =>
      (project?.program.getSemanticDiagnostics(path) ?? []).map(({ text }) => `${path}: ${text}`),
    )
  } finally {
    api.close()
  }
}
