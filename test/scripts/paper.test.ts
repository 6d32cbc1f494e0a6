import { expect, it } from 'vitest'
import { longFiles, recordFaults, withRecordLines } from '../../scripts/checks/paper.ts'

const CASES = Array.from({ length: 40 }, (_, index) => ({ id: `C-${index}`, expect: { tax: index } }))
const files = (value: unknown) => new Map([['test/cases.json', `${JSON.stringify(value, null, 2)}\n`]])

it('recorded cases are one a line, in a list or in the lists of an object', () => {
  const faults = [CASES, { note: 'how it was read', cases: CASES }, { a: CASES, b: [], c: 1 }].flatMap(
    (each) => recordFaults(files(each)).map(({ message }) => message),
  )
  expect(faults).toEqual(
    [242, 245, 246].map(
      (lines) => `has ${lines} lines for 40 records: npm run format writes one record a line`,
    ),
  )
})

it('the fields of an object without a list are its records', () => {
  const fields = Object.fromEntries(CASES.map(({ id }) => [id, 1]))
  expect(recordFaults(files(fields))).toEqual([])
  expect(recordFaults(files({ a: fields, b: fields }))).toHaveLength(1)
})

it('a file that fits a screen has any form', () => {
  expect(recordFaults(files({ include: ['test'], compilerOptions: { strict: true } }))).toEqual([])
})

it.each([
  ['a list', CASES, 42],
  ['an object', { note: 'how it was read', cases: CASES, none: [] }, 46],
  ['an object of two lists', { good: CASES, bad: CASES }, 86],
  ['an empty list', [], 1],
])('%s is written one record a line, with the same content', (_, value, lines) => {
  const [text = ''] = files(value).values()
  const written = withRecordLines(text)
  expect(JSON.parse(written)).toEqual(value)
  expect(recordFaults(new Map([['test/cases.json', written]]))).toEqual([])
  expect(written.split('\n')).toHaveLength(lines + 1)
})

it('a file has at most 2,000 lines unless it is data, a lock file or the tables of the migrations', () => {
  const long = ['src/a.ts', 'docs/a.txt', 'test/package-lock.txt', 'migrations/other.json']
  const free = [
    'data/us-local/zips.csv',
    'package-lock.json',
    'plugins/a/package-lock.json',
    'migrations/tables.json',
  ]
  const repository = (text: string) => new Map([...long, ...free].map((path) => [path, text]))
  expect(longFiles(repository('a line\n'.repeat(2000)))).toEqual([])
  expect(longFiles(repository('a line\n'.repeat(2001))).map(({ path }) => path)).toEqual(long)
})
