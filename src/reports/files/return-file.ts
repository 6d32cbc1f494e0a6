import type * as z from 'zod'
import type { Context } from '../../context.ts'
import { ApiError, fieldError } from '../../errors.ts'
import { invariant } from '../../tax/invariant.ts'
import { computeReturn, type ComputedReturn } from '../filing/compute-return.ts'
import { presentReturn, readTaxes } from '../filing/present-return.ts'
import { cursorOfLine, readSelected, scopesOf } from '../report-lines.ts'
import type { LineEntry } from '../line-entry.ts'
import { figuresAsFiled } from '../returns/present-filed.ts'
import { ROWS_PAGE } from '../returns/hash-return.ts'
import { findReturn } from '../returns/reopen.ts'
import { readFiledRows, readLiveReturns, type ReturnRow } from '../returns/returns-store.ts'
import { fileFormatOf } from './formats.ts'
import { type FileFormat, nothingMissing, type ReturnContent } from './format.ts'
import { keptLines } from './kept-lines.ts'
import type { FilingFileQuery, ReturnFileQuery } from './schemas.ts'

type ReturnAsked = z.output<typeof ReturnFileQuery>
type PeriodAsked = z.output<typeof FilingFileQuery>

/** So many gaps are named in one error. */
const GAPS_MAX = 100

/**
 * The file of a period: of the filed figures if it is filed, else of the figures of now. Throws
 * file_incomplete with what is missing, return_too_large.
 */
export async function fileOfPeriod(context: Context, query: PeriodAsked): Promise<Response> {
  const { type, period, jurisdiction_id, fx_rates, ...asked } = query
  const format = formatFor(asked.format ?? 'csv', type)
  const live = await readLiveReturns(context, type, jurisdiction_id ?? '')
  const filed = live.find((each) => each.period === period)
  if (filed !== undefined)
    return answer(await filedContent(context, await findReturn(context, filed.id), format), format, asked)
  const computed = await computeReturn(context, { type, period, jurisdiction_id, fx_rates })
  const figures = presentReturn(type, computed, null, await readTaxes(context, computed))
  const lines = format.needs_lines ? await openLines(context, computed, format) : []
  return answer({ figures, lines }, format, asked)
}

/** The file of a filed return, from what was filed. Throws not_found, file_incomplete, return_too_large. */
export async function fileOfReturn(context: Context, id: string, asked: ReturnAsked): Promise<Response> {
  const row = await findReturn(context, id)
  const format = formatFor(asked.format ?? 'csv', row.type)
  return answer(await filedContent(context, row, format), format, asked)
}

function formatFor(name: NonNullable<PeriodAsked['format']>, type: string): FileFormat {
  const format = fileFormatOf(name)
  if (!format.types.some((each) => each === type))
    throw fieldError(
      'invalid_request',
      'format',
      `is for ${format.types.join(', ')}, and this return is ${type}`,
    )
  return format
}

async function filedContent(context: Context, row: ReturnRow, format: FileFormat): Promise<ReturnContent> {
  const lines = format.needs_lines ? await filedLines(context, row, format) : []
  return { figures: figuresAsFiled(row), lines }
}

async function filedLines(
  { books, principal }: Context,
  { id, row_count }: ReturnRow,
  { mergeBy }: FileFormat,
): Promise<LineEntry[]> {
  const kept = keptLines(mergeBy)
  for (let read = 0; read < row_count; read += ROWS_PAGE) {
    const page = await readFiledRows(books, principal.account_id, id, read, ROWS_PAGE)
    kept.add(page.map(({ content }): LineEntry => ({ ...JSON.parse(content), audit_id: null })))
  }
  return kept.lines()
}

/** The lines that an open return declares. */
async function openLines(
  context: Context,
  { counted, declared_by }: ComputedReturn,
  { mergeBy }: FileFormat,
): Promise<LineEntry[]> {
  const selection = { scopes: scopesOf(counted, declared_by), measure: null }
  const kept = keptLines(mergeBy)
  for (let cursor: string | null = null; ;) {
    const page: LineEntry[] = await readSelected(context, selection, {}, cursor, ROWS_PAGE)
    kept.add(page)
    if (page.length < ROWS_PAGE) return kept.lines()
    cursor = cursorOfLine(invariant(page.at(-1), 'a full page has a last line'))
  }
}

function answer(content: ReturnContent, format: FileFormat, asked: ReturnAsked): Response {
  const missing = nothingMissing()
  const text = format.write(content, asked, missing)
  const [first] = missing.errors
  if (first !== undefined)
    throw new ApiError('file_incomplete', {
      message: `${first.path}: ${first.message}`,
      errors: missing.errors.slice(0, GAPS_MAX),
    })
  const { type, period, jurisdiction_id } = content.figures
  const name = [type, jurisdiction_id, period, format.format].filter((part) => part !== null).join('-')
  const { status, source, source_url } = format.layout
  return new Response(text, {
    headers: {
      'Content-Type': format.media_type === 'text/csv' ? 'text/csv; charset=utf-8' : format.media_type,
      'Content-Disposition': `attachment; filename="${name.replaceAll('..', '_')}.${format.extension}"`,
      'X-Layout': status,
      'X-Layout-Source': encodeHeader(source_url ?? source),
      ...(content.figures.filed !== null && { 'X-Return-Id': content.figures.filed.return_id }),
    },
  })
}

/** Headers take ASCII alone. */
function encodeHeader(text: string): string {
  return text.replaceAll(/[^\u0020-\u007E]/g, '-')
}
