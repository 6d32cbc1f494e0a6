import { readXml } from '../../src/platform/read-xml.ts'
import { ParseError } from '../collector.ts'
import { unzip } from './unzip.ts'

const SHEET = /^xl\/worksheets\/sheet1\.xml$/i
const STRINGS = /^xl\/sharedStrings\.xml$/i
const TEXT_MAX = 20 * 1_048_576

const PARTS = { lists: new Set(['row', 'c', 'si', 'r']), attributes: '@', blanks: true }

type Cell = { '@r'?: string; '@t'?: string; v?: unknown; is?: unknown }
type Sheet = { worksheet?: { sheetData?: { row?: { c?: Cell[] }[] } } }
type Strings = { sst?: { si?: unknown[] } }

/** The first sheet of a workbook (.xlsx): a line for each row, with tabs between the cells. */
export async function readWorkbook(bytes: Uint8Array, url: string): Promise<string> {
  const sheet = readXml(await memberOf(bytes, SHEET, url), PARTS) as Sheet
  const strings_of = await memberOf(bytes, STRINGS, url).catch(() => '<sst/>')
  const shared = readXml(strings_of, PARTS) as Strings
  const strings = (shared.sst?.si ?? []).map(textOf)
  const rows = sheet.worksheet?.sheetData?.row ?? []
  if (rows.length === 0) throw new ParseError(url, 'is a workbook without rows')
  return rows.map(({ c = [] }) => rowAsLine(c, strings)).join('\n')
}

function rowAsLine(cells: readonly Cell[], strings: readonly string[]): string {
  const line: string[] = []
  for (const [index, cell] of cells.entries()) {
    const at = columnOf(cell['@r']) ?? index
    while (line.length < at) line.push('')
    const value = textOf(cell.v)
    line.push(
      cell['@t'] === 's'
        ? (strings[Number(value)] ?? '')
        : cell['@t'] === 'inlineStr'
          ? textOf(cell.is)
          : value,
    )
  }
  return line.map((text) => text.replaceAll(/\s+/g, ' ').trim()).join('\t')
}

/** `C7` is the third column. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return null
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A text may be in runs of different fonts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (typeof value !== 'object' || value === null) return ''
  const parts: Record<string, unknown> = { ...value }
  return textOf(parts['t'] ?? parts['r'] ?? parts['#text'] ?? '')
}

async function memberOf(bytes: Uint8Array, name: RegExp, url: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of unzip(once(bytes), name, url)) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > TEXT_MAX) throw new ParseError(url, 'has a sheet of more than 20 MB')
  }
  return text + decoder.decode()
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
