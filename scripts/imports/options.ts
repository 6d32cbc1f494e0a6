import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { requireType } from './product-type.ts'
import type { FileFormat } from './rows.ts'

/** Reads `--columns`: `transaction_id=Order ID, to_zip=Post code`. Throws if a part lacks a name. */
export function columnsOf(text: string): FileFormat['columns'] {
  return new Map(
    text
      .split(',')
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const [, name = '', theirs = ''] = /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(part) ?? []
        if (name === '') throw new Error(`--columns: "${part.trim()}" is not "name=name in the file"`)
        return [name.toLowerCase(), theirs.toLowerCase()] as const
      }),
  )
}

/** Reads `--dates`. */
export function datesOf(text: string | undefined): FileFormat['dates'] {
  if (text === undefined || text === 'dmy' || text === 'mdy') return text ?? null
  throw new Error('--dates must be dmy or mdy')
}

/**
 * Reads the file of `--map`: a code and one of our product types in each row. A header is not needed. An
 * empty code is for goods without a code. Throws with the row if a product type does not exist.
 */
export function mapOf(file: string): ReadonlyMap<string, string> {
  const { data } = Papa.parse<string[]>(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  })
  const rows = data.map(([code = '', type = '']) => [code.trim(), type.trim()] as const)
  const isHeader = rows[0]?.[0].toLowerCase() === 'code'
  for (const [index, [, type]] of rows.entries())
    if (!(isHeader && index === 0)) requireType(type, `${file}, row ${index + 1}: `)
  return new Map(isHeader ? rows.slice(1) : rows)
}
