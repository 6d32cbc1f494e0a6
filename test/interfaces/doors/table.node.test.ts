import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withMadeSections } from '../../../scripts/docs-site/made-sections.ts'
import { CalculateRequest } from '../../../src/sales/calculation/schemas.ts'
import table from '../../../plugins/doors.json' with { type: 'json' }

/** Fields of a calculation that change no law of the sale: names, views, and what the account may say too. */
const NO_FACTS = new Set([
  'customer.address',
  'line_items.amount',
  'line_items.description',
  'line_items.exemption_reason',
  'line_items.hs_code',
  'line_items.reference',
  'line_items.supply_reason',
  'line_items.tax_behavior',
  'calculation_token',
  'compare',
  'data_version',
  'einvoice',
  'expected_total',
  // What an answer may be if the address is a country alone.
  'place_policy',
  'explain',
  'local_fallback',
  'rounding',
  'seller_registered',
])

const PROJECT = join(import.meta.dirname, '../../..')
const page = (path: string) => readFileSync(join(PROJECT, path), 'utf8')
const doors = Object.values(table.doors)
const facts = Object.entries(table.facts)

/** What a door does with a fact, and the word for it in the table of docs/shops.md. */
const WORDS = { carried: 'yes', in_books: 'in the books', refused: 'refused', not_known: 'no' } as const
const LISTS = Object.keys(WORDS) as (keyof typeof WORDS)[]

it('each door says of each fact once what it does with it', () => {
  for (const door of doors)
    expect(LISTS.flatMap((list) => door[list]).toSorted()).toEqual(facts.map(([fact]) => fact).toSorted())
})

it('each field of a calculation that changes a tax is a fact of the table', () => {
  const { customer, line_items, ...sale } = CalculateRequest.shape
  const fields = [
    ...Object.keys(sale),
    ...Object.keys(customer.unwrap().shape).map((field) => `customer.${field}`),
    ...Object.keys(line_items.element.shape).map((field) => `line_items.${field}`),
  ]
  const paths = new Set<string>(facts.map(([, { path }]) => path))
  expect(fields.filter((field) => !paths.has(field) && !NO_FACTS.has(field))).toEqual([])
})

it('docs/shops.md shows the table', () => {
  const shown = page('docs/shops.md').split('## The facts that each door carries')[1] ?? ''
  const rows = shown.split('\n').flatMap((line) => (/^\| (?!-)/.test(line) ? [cellsOf(line)] : []))
  expect(rows).toEqual([
    ['Fact', ...doors.map(({ name }) => name)],
    ...facts.map(([fact, { says }]) => [says, ...doors.map((door) => wordOf(door, fact))]),
  ])
})

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function wordOf(door: (typeof doors)[number], fact: string): string | undefined {
  return LISTS.flatMap((list) => ((door[list] as string[]).includes(fact) ? [WORDS[list]] : []))[0]
}

it('the page of each door names the facts that do not reach the service, and no other', () => {
  for (const door of doors) {
    if (door.page === 'docs/shops.md') continue
    const missing = facts.filter(([fact]) => ['no', 'refused'].includes(wordOf(door, fact) ?? ''))
    const shown = withMadeSections(page(door.page))
    const [, table = ''] = shown.split('| Of | What does not reach the service |\n')
    const named = [
      ...table
        .split('\n\n', 1)
        .join('')
        .matchAll(/^\| (?!-)[^|]+ \| (.*) \|$/gm),
    ]
    // A door that carries none of them says so in words.
    if (missing.length === facts.length) expect(shown).toContain('None of the facts of a sale')
    else
      expect(new Set(named.flatMap(([, names = '']) => names.split('; '))), door.name).toEqual(
        new Set(missing.map(([, { says }]) => says)),
      )
  }
})
