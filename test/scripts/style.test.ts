import { describe, expect, it } from 'vitest'
import {
  countryLiterals,
  folderPairs,
  isUnbreakable,
  longLines,
  repeatedTypes,
} from '../../scripts/checks/style.ts'

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

describe('a country', () => {
  const CODES = [['UK', 'GB'], ['US'], ['CA'], ['NZ']]

  it('is named by no file that is not its regime', () => {
    const text = "const a = 'CA'\nif (country === 'NZ') b()\nconst c = 'DE' + 'CAD' + 'US-CA' + `GB`"
    expect(countryLiterals(sources({ 'src/engine/supply/walk.ts': text }), CODES)).toEqual([
      { path: 'src/engine/supply/walk.ts', line: 1, message: "'CA' belongs to src/tax/regimes/" },
      { path: 'src/engine/supply/walk.ts', line: 2, message: "'NZ' belongs to src/tax/regimes/" },
    ])
  })

  it('is named by its own form, which names no other country', () => {
    const text = "const own = ['UK', 'GB']\nconst states = 'US-'"
    expect(countryLiterals(sources({ 'src/returns/filing/uk-vat100.ts': text }), CODES)).toEqual([
      { path: 'src/returns/filing/uk-vat100.ts', line: 2, message: "'US-' belongs to src/tax/regimes/" },
    ])
  })
})

describe('two folders', () => {
  const pair = {
    'src/sales/nexus/nexus.ts': "import {\n  a,\n} from '../reports/sums.ts'",
    'src/reports/sums.ts': "import { b } from './b.ts'\n\nexport { c } from '../nexus/c.ts'",
  }

  it('do not import each other', () => {
    expect(folderPairs(sources(pair)).map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual(
      [
        'src/sales/nexus/nexus.ts:3 src/nexus and src/reports import each other',
        'src/reports/sums.ts:3 src/reports and src/nexus import each other',
      ],
    )
  })

  it('may import one another in one direction, as may their own parts', () => {
    const { 'src/sales/nexus/nexus.ts': oneWay } = pair
    const parts = {
      'src/engine/sale/sale.ts': "import { a } from './book/a.ts'",
      'src/tax/book/a.ts': "import { b } from '../sale.ts'",
    }
    expect(folderPairs(sources({ 'src/sales/nexus/nexus.ts': oneWay, ...parts }))).toEqual([])
  })

  it('may be put together by a file of src itself', () => {
    const files = {
      'src/interfaces/routes.ts': "import { a } from './nexus/a.ts'",
      'src/nexus/a.ts': "import { b } from '../routes.ts'",
    }
    expect(folderPairs(sources(files))).toEqual([])
  })
})
