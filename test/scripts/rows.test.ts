import { describe, expect, it } from 'vitest'
import { rowsOf } from '../../scripts/imports/rows.ts'

describe('the number of a row', () => {
  it.each(['\n', '\r\n', '\r'])('is the line of the file where it begins: %j', (end) => {
    const lines = [
      'id;text',
      '',
      '1;"two',
      'lines ""and"" a quote"',
      '',
      ' ; ',
      '2;plain',
      '"',
      '3";x',
      '4;last',
    ]
    const rows = rowsOf(lines.join(end), ['id', 'text'])
    expect(rows.map(({ number, cells }) => [number, cells['text']])).toEqual([
      [3, `two${end}lines "and" a quote`],
      [7, 'plain'],
      [8, 'x'],
      [10, 'last'],
    ])
  })

  it('counts the lines of a header that has a line break, and blank lines before it', () => {
    const rows = rowsOf('\uFEFF\n"i\nd",text\n1,a\n2,b,c\n', ['text'])
    expect(rows.map(({ number, fault }) => [number, fault?.slice(0, 15) ?? null])).toEqual([
      [4, null],
      [5, 'Too many fields'],
    ])
  })

  it('is found at once where a row begins with many empty cells', () => {
    const columns = Array.from({ length: 40 }, (_, index) => `c${index}`)
    const rows = rowsOf(`${columns.join('\t')}\n${'\t'.repeat(39)}x\n`, ['c0'])
    expect(rows.map(({ number, cells }) => [number, cells['c39']])).toEqual([[2, 'x']])
  })
})
