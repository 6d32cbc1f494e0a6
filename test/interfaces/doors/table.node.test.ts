import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import table from '../../../plugins/doors.json' with { type: 'json' }

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

it('the page of each door names the facts that do not reach the service', () => {
  for (const door of doors) {
    const missing = facts.filter(([fact]) => ['no', 'refused'].includes(wordOf(door, fact) ?? ''))
    const names = missing.map(([, { says }]) => says).join('; ')
    // A door that carries none of them says so in words.
    const said = missing.length === facts.length ? 'None of the facts of a sale' : names
    if (door.page !== 'docs/shops.md')
      expect(page(door.page).replaceAll(/\s+/g, ' '), door.name).toContain(said)
  }
})
