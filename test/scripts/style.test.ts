import { existsSync, globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  countryLiterals,
  filesWithoutFloor,
  FLOORS,
  importsUpward,
  isUnbreakable,
  longLines,
  repeatedTypes,
  unboundedHeaders,
  unreadExports,
  WINGS,
} from '../../scripts/checks/style.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const sources = (files: Record<string, string>) => new Map(Object.entries(files))

describe('a type name', () => {
  it('is declared in one file, exported or not, as a type or as an interface', () => {
    const faults = repeatedTypes(
      sources({
        'src/a.ts': "import { x } from './x.ts'\n\nexport type Sale = { day: string }",
        'src/b.ts': 'type Sale<Line> = Line[]',
        'src/c.ts': 'export interface Sale {}\n  type Local = 1',
        'src/d.ts': 'type Other = 2',
      }),
    )
    expect(faults.map(({ path, line, name }) => `${path}:${line} ${name}`)).toEqual([
      'src/a.ts:3 Sale',
      'src/b.ts:1 Sale',
      'src/c.ts:1 Sale',
    ])
    expect(faults[0]?.message).toBe('the type Sale is declared in several files')
  })

  it('may be imported anywhere, and declared twice in one file', () => {
    const text = `
      import { type Sale, type Line } from './sale.ts'
      import {
        type Sale,
        type Line
      } from './sale.ts'
      import type { Sale } from './sale.ts'
      export type { Sale } from './sale.ts'`
    const twice = '{\n  type Step = 1\n}\n{\n  type Step = 2\n}'
    expect(repeatedTypes(sources({ 'src/a.ts': text, 'src/b.ts': text, 'src/c.ts': twice }))).toEqual([])
  })
})

describe('an export', () => {
  const DECLARING = sources({
    'src/a.ts':
      'export const used = 1\nexport type Unread = 1\nexport async function alone() {}\nconst own = 2',
  })
  const unread = (readers: Record<string, string>) =>
    unreadExports(DECLARING, sources(readers)).map(({ path, line, name }) => `${path}:${line} ${name}`)

  it('has a reader in another file, which may be a test', () => {
    const test =
      "import { type Unread as Other, used } from '../src/a.ts'\nimport {\n  alone,\n} from '../src/a.ts'"
    expect(unread({ 'test/a.test.ts': test })).toEqual([])
    expect(unread({ 'src/b.ts': "import { used } from './a.ts'" })).toEqual([
      'src/a.ts:2 Unread',
      'src/a.ts:3 alone',
    ])
    expect(unread({ 'src/b/c.ts': "import { used } from './a.ts'" })).toContain('src/a.ts:1 used')
  })

  it.each([
    "import * as a from './a.ts'",
    "export * from './a.ts'",
    "const { used } = await import('./a.ts')",
    "export { alone, used, type Unread } from './a.ts'",
  ])('is read by %s', (text) => {
    expect(unread({ 'src/b.ts': text })).toEqual([])
  })
})

describe('a line', () => {
  it('has at most 110 columns, which are characters', () => {
    const text = ['x'.repeat(110), '€'.repeat(110), `${'x '.repeat(55)}y`].join('\n')
    expect(longLines(sources({ 'src/a.ts': text }))).toEqual([
      { path: 'src/a.ts', line: 3, message: 'the line has 111 columns, of at most 110' },
    ])
  })

  const long = 'x'.repeat(120)
  it.each([
    ['a string without a blank', `  '${long}',`],
    ['a template without a blank', `\`${long}\``],
    ['a field', `    source_url: 'https://example.com/${long}',`],
    ['a field with a quoted name', `  'Content-Type': "${long}"`],
    ['a constant', `const KEY = '${long}'`],
    ['an address in a comment', `// https://example.com/${long}`],
    ['an address in a docstring', ` * https://example.com/${long}`],
    ['a regular expression', `  /^(a b|[/'"]|\\/${long})+$/gi,`],
  ])('may be longer if it is %s', (_, line) => {
    expect(isUnbreakable(line)).toBe(true)
    expect(longLines(sources({ 'src/a.ts': line }))).toEqual([])
  })

  it.each([
    ['a string of words', `  '${long} ${long}',`],
    ['a call', `  expect('${long}').toBe(1)`],
    ['two strings', `  '${long}', 'b',`],
    ['two fields', `  a: '${long}', b: '${long}',`],
    ['a comment', `// ${long} and more`],
    ['an address among words', `// See https://example.com/${long} for more`],
    ['code', `const x = a${long} / b / c`],
  ])('may not be longer if it is %s', (_, line) => {
    expect(isUnbreakable(line)).toBe(false)
  })
})

describe('a header of a request', () => {
  it('is read by what bounds its length', () => {
    const lines = [
      "const bounded = readHeader(headers, 'Accept')",
      "const bare = request.headers.get('Accept')",
      "const same = headers.get('X-Client') === 'console'",
      "const page = headers.get('Accept')?.includes('text/html')",
      "const other = c.req.header('Accept')",
    ]
    const faults = unboundedHeaders(sources({ 'src/a.ts': lines.join('\n') }))
    expect(faults.map(({ line }) => line)).toEqual([2, 5])
  })
})

describe('a country', () => {
  const CODES = [['UK', 'GB'], ['US'], ['CA'], ['NZ']]

  it('is named by no file that is not its regime', () => {
    const text = "const a = 'CA'\nif (country === 'NZ') b()\nconst c = 'DE' + 'CAD' + 'US-CA' + `GB`"
    expect(countryLiterals(sources({ 'src/engine/supply/walk.ts': text }), CODES)).toEqual([
      { path: 'src/engine/supply/walk.ts', line: 1, message: "'CA' belongs to src/engine/regimes/" },
      { path: 'src/engine/supply/walk.ts', line: 2, message: "'NZ' belongs to src/engine/regimes/" },
    ])
  })

  it('is named by its own form, which names no other country', () => {
    const text = "const own = ['UK', 'GB']\nconst states = 'US-'"
    expect(countryLiterals(sources({ 'src/returns/forms/uk-vat100.ts': text }), CODES)).toEqual([
      { path: 'src/returns/forms/uk-vat100.ts', line: 2, message: "'US-' belongs to src/engine/regimes/" },
    ])
  })
})

describe('a wing', () => {
  const wrong = {
    'src/sales/nexus/nexus.ts': "import {\n  a,\n} from '../../returns/reports/sums.ts'",
    'src/engine/sale/sale.ts': "export { b } from '../../platform/kit/b.ts'",
    'src/platform/context.ts': "const late = () => import('../worker.ts')",
    'collectors/run.ts': "import type { C } from '../src/parties/vat/c.ts'",
    'src/engine/sale/late.ts': 'const late = () => import(\n  `../../service/app.ts`)',
    'src/worker.ts': "export { d } from '../scripts/d.ts'",
  }

  it('imports no wing above it', () => {
    const faults = importsUpward(sources(wrong))
    expect(faults.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([
      'src/sales/nexus/nexus.ts:3 src/returns/reports/sums.ts is in a higher wing',
      'src/engine/sale/sale.ts:1 src/platform/kit/b.ts is in a higher wing',
      'src/platform/context.ts:1 src/worker.ts is in a higher wing',
      'collectors/run.ts:1 src/parties/vat/c.ts is in a higher wing',
      'src/engine/sale/late.ts:1 src/service/app.ts is in a higher wing',
      'src/worker.ts:1 scripts/d.ts is no part of the Worker',
    ])
  })

  it('imports itself, and the wings below it', () => {
    const right = {
      'src/returns/reports/sums.ts': "import { a } from '../../sales/nexus/a.ts'\nimport { b } from './b.ts'",
      'src/service/background.ts': "import { all } from '../../collectors/all.ts'",
      'collectors/run.ts': "import { facts } from '../src/tax-data/records/facts.ts'",
      'src/engine/book/codes.ts': "import codes from '../../../data/codes.json'",
      'src/worker.ts': "import { app } from './service/app.ts'\nimport * as z from 'zod'",
    }
    expect(importsUpward(sources(right))).toEqual([])
  })

  it('imports within itself only folders below', () => {
    const faults = importsUpward(
      sources({
        'src/tax-data/records/facts.ts': "import { a } from '../status/a.ts'",
        'src/tax-data/status/sync.ts': "import { b } from '../records/b.ts'\nimport { c } from './c.ts'",
        'src/notices/delivery/post.ts': "const late = () => import('../subscriptions/d.ts')",
        'src/sales/transactions/read/list.ts':
          "import { e } from '../sums/e.ts'\nimport { f } from '../record/f.ts'",
        'src/sales/transactions/routes.ts': "import { g } from './record/g.ts'",
      }),
    )
    expect(faults.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([
      'src/tax-data/records/facts.ts:1 src/tax-data/status/a.ts is in a higher folder of its wing',
      'src/notices/delivery/post.ts:1 src/notices/subscriptions/d.ts is in a higher folder of its wing',
      'src/sales/transactions/read/list.ts:2 src/sales/transactions/record/f.ts is in a higher folder of its wing',
    ])
  })

  it('names each of its files in its order, or none', () => {
    const paths = globSync('{src,collectors}/**/*.{ts,tsx}', { cwd: PROJECT })
    expect(paths.length).toBeGreaterThan(800)
    expect(filesWithoutFloor(paths)).toEqual([])
    expect(filesWithoutFloor(['src/tax-data/new/a.ts'])).toEqual(['src/tax-data/new/a.ts'])
    const entries = Object.entries(FLOORS).flatMap(([wing, floors]) =>
      floors.map((each) => `${wing}/${each}`),
    )
    expect(entries.filter((each) => !existsSync(join(PROJECT, each)))).toEqual([])
  })

  it('is each folder of src/', () => {
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true })
    expect(folders.filter((each) => each.isDirectory()).map(({ name }) => `src/${name}`)).toEqual(
      WINGS.filter((wing) => wing !== 'collectors').toSorted(),
    )
  })
})
