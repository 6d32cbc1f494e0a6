import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COLLECTORS } from '../../collectors/all.ts'
import { DIRECTORIES, LISTS, WATCHED } from '../../collectors/us-local/sources.ts'
import { MADE_SECTIONS, withMadeSections } from '../../scripts/docs-site/made-sections.ts'
import { DOCUMENT_SHAPES } from '../../src/tax-data/status/document-shapes.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const inGit = (name: string) => readFileSync(join(DOCS, name), 'utf8')
const onSite = (name: string) => withMadeSections(inGit(name))

it('docs/collectors.md has the register of shapes, with an entry for each address that is read', () => {
  const page = onSite('collectors.md')
  const shown = [...page.matchAll(/^\| `(SOURCE_\w+)` \| (?:verified|inferred) \|/gm)].map(([, name]) => name)
  expect(shown).toEqual(DOCUMENT_SHAPES.map(({ variable }) => variable))
  const read = [
    ...Object.values(COLLECTORS).flatMap((each): { variable: string }[] =>
      'series' in each
        ? [...each.alternatives]
        : each.parts.flatMap(({ alternatives, beside = [] }) => [...alternatives, ...beside]),
    ),
    ...LISTS,
    ...WATCHED,
    DIRECTORIES.rates,
    DIRECTORIES.boundaries,
  ].map(({ variable }) => variable)
  expect(new Set(DOCUMENT_SHAPES.map(({ variable }) => variable))).toEqual(new Set(read))
})

it('docs/other-countries.md says since when a seller charges in each country', () => {
  const page = onSite('other-countries.md')
  expect(page).toContain('| Singapore (`SG`) | SGD | 2007-07-01 | 2020-01-01 | 2023-01-01 | 2023-01-01 |')
  expect(page).toMatch(/^\| Mexico \(`MX`\) \| MXN \| not covered \| 2020-06-01 \|/m)
})

it.each([
  ['coverage.md', ['coverage', 'recognised']],
  ['us-local-taxes.md', ['local-taxes', 'local-misses']],
  ['errors.md', ['errors']],
  ['product-types.md', ['product-types']],
] as const)('docs/%s has the sections %j of data and code', (guide, names) => {
  const page = onSite(guide)
  for (const name of names) expect(page).toContain(MADE_SECTIONS.get(name)?.().trim())
  expect(page).not.toContain('<!--')
})

it('each made section is in one guide', () => {
  const guides = readdirSync(DOCS).filter((name) => name.endsWith('.md'))
  const marked = guides.flatMap((guide) =>
    [...inGit(guide).matchAll(/<!-- made: (\S+) -->/g)].map(([, name]) => name),
  )
  expect(marked.toSorted()).toEqual([...MADE_SECTIONS.keys()].toSorted())
})

it('a guide that has a made section at length, or one that nothing makes, is refused', () => {
  const marked = (name: string, text: string) => `# A\n\n<!-- made: ${name} -->\n\n${text}\n\n<!-- end -->\n`
  expect(() => withMadeSections(marked('shapes', 'They are in `src/`.'))).not.toThrow()
  expect(() => withMadeSections(marked('shapes', '| a |\n| --- |\n| 1 |\n| 2 |'))).toThrow(
    'the section shapes is made by npm run generate: leave a sentence in its place',
  )
  expect(() => withMadeSections(marked('shape', 'a'))).toThrow('there is no made section shape')
})
