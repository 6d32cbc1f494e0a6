import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { FilingAmendment } from '../rows/figure-answers.ts'
import { computeReturn, type ComputedReturn } from '../filing/compute-return.ts'
import { presentReturn, readTaxes } from '../filing/present-return.ts'
import { cursorOfLine, readSelected } from '../filing/report-lines.ts'
import { scopesOf } from '../rows/line-scopes.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { figuresAsFiled } from '../filing/figures-as-filed.ts'
import { streamParts } from '../../platform/kit/stream-parts.ts'
import { ROWS_PAGE } from '../archive/hash-return.ts'
import { findReturn } from '../archive/find-return.ts'
import { readEarlier, readFiledRows, readLiveReturns, type ReturnRow } from '../archive/returns-store.ts'
import { NO_NUMBERS, readDocumentNumbers } from './document-numbers-store.ts'
import { documentFormatOf } from './formats.ts'
import { type DocumentFormat, nothingMissing, type ReturnContent } from './format.ts'
import { keptLines } from './kept-lines.ts'
import type { FilingFileQuery, ReturnFileQuery } from './schemas.ts'

type ReturnAsked = z.output<typeof ReturnFileQuery>
type PeriodAsked = z.output<typeof FilingFileQuery>

/** The most gaps that one error names. */
const GAPS_MAX = 100

/**
 * The document of a period: with the filed figures if it is filed, else with those of now. Throws
 * file_incomplete with what is missing, return_too_large.
 */
export async function documentOfPeriod(context: Context, query: PeriodAsked): Promise<Response> {
  const { type, period, jurisdiction_id, fx_rates, boxes, ...asked } = query
  const format = formatFor(asked.format ?? 'csv', type)
  const live = await readLiveReturns(context, type, jurisdiction_id ?? '')
  const filed = live.find((each) => each.period === period)
  if (filed !== undefined)
    return documentResponse(
      await contentOfFiled(context, await findReturn(context, filed.id), format),
      format,
      asked,
    )
  const computed = await computeReturn(context, { type, period, jurisdiction_id, fx_rates, boxes })
  const figures = presentReturn(type, computed, null, await readTaxes(context, computed))
  const lines = format.needs_lines ? await linesOfOpen(context, computed, format) : []
  const numbers = await numbersFor(context, lines, format)
  return documentResponse({ figures, lines, numbers, amends: false }, format, asked)
}

/** The document of a filed return. Throws not_found, file_incomplete, return_too_large. */
export async function documentOfReturn(context: Context, id: string, asked: ReturnAsked): Promise<Response> {
  const row = await findReturn(context, id)
  const format = formatFor(asked.format ?? 'csv', row.type)
  return documentResponse(await contentOfFiled(context, row, format), format, asked)
}

function formatFor(name: NonNullable<PeriodAsked['format']>, type: string): DocumentFormat {
  const format = documentFormatOf(name)
  if (!format.types.some((each) => each === type))
    throw fieldError(
      'invalid_request',
      'format',
      `is for ${format.types.join(', ')}, and this return is ${type}`,
    )
  return format
}

async function contentOfFiled(
  context: Context,
  row: ReturnRow,
  format: DocumentFormat,
): Promise<ReturnContent> {
  const lines = format.needs_lines ? await linesOfFiled(context, row, format) : []
  const amends = row.version > 1 && (await readEarlier(context, row, 'submitted')) !== null
  return { figures: figuresAsFiled(row), lines, numbers: await numbersFor(context, lines, format), amends }
}

function numbersFor(
  context: Context,
  lines: readonly LineEntry[],
  { needs_numbers }: DocumentFormat,
): Promise<ReturnContent['numbers']> | ReturnContent['numbers'] {
  return needs_numbers === true ? readDocumentNumbers(context, lines) : NO_NUMBERS
}

async function linesOfFiled(
  context: Context,
  row: ReturnRow,
  { mergeBy }: DocumentFormat,
): Promise<LineEntry[]> {
  const kept = keptLines(mergeBy)
  for (let read = 0; read < row.row_count; read += ROWS_PAGE) {
    const page = await readFiledRows(context, row, read, ROWS_PAGE)
    kept.add(page.map(({ content }): LineEntry => ({ ...JSON.parse(content), audit_id: null })))
  }
  return kept.lines()
}

/** The lines that an open return declares. */
async function linesOfOpen(
  context: Context,
  { counted, declared_by }: ComputedReturn,
  { mergeBy }: DocumentFormat,
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

async function documentResponse(
  content: ReturnContent,
  format: DocumentFormat,
  asked: ReturnAsked,
): Promise<Response> {
  const missing = nothingMissing()
  const written = await format.write(content, asked, missing)
  const [first] = missing.errors
  if (first !== undefined)
    throw new ApiError('file_incomplete', {
      message: `${first.path}: ${first.message}`,
      errors: missing.errors.slice(0, GAPS_MAX),
    })
  refuseUnamended(content, format, asked)
  const { type, period, jurisdiction_id, amendments } = content.figures
  const parts = [type, jurisdiction_id, period, format.format].filter((part) => part !== null)
  const name = `${format.name_begins ?? ''}${parts.join('-').replaceAll('..', '_')}.${format.extension}`
  const { status, source, source_url } = format.layout
  const beside = format.beside?.(content) ?? []
  return new Response(typeof written === 'string' ? written : streamParts(written), {
    headers: {
      'Content-Type': format.media_type === 'text/csv' ? 'text/csv; charset=utf-8' : format.media_type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Layout': status,
      'X-Layout-Source': inAscii(source_url ?? source),
      ...(amendments.length > 0 && {
        'X-To-Amend': inAscii(besideInHeader(amendments.map(amendmentInHeader))),
      }),
      ...(beside.length > 0 && { 'X-To-Type': inAscii(besideInHeader(beside)) }),
      ...(content.figures.filed !== null && { 'X-Return-Id': content.figures.filed.return_id }),
    },
  })
}

/** What the tax office reads leaves out late entries only if the caller says that it tells them apart. */
function refuseUnamended(
  { figures }: ReturnContent,
  { is_return }: DocumentFormat,
  asked: ReturnAsked,
): void {
  const [first] = figures.amendments
  if (first === undefined || is_return !== true || asked.amends_apart === 'true') return
  throw new ApiError('file_incomplete', {
    message:
      `amends_apart: give \`true\` to write the file without the late entries of ${first.period}: ` +
      `the tax office gets them with ${first.notice}`,
  })
}

function amendmentInHeader({
  jurisdiction_id,
  period,
  currency,
  tax_amount,
  notice,
}: FilingAmendment): string {
  const digits = minorDigits(currency)
  const tax = (tax_amount / 10 ** digits).toFixed(digits)
  return `${jurisdiction_id} ${period} ${tax} ${currency}, with ${notice}`
}

/** A correction for each state and quarter of three years would be too long for some readers of headers. */
const BESIDE_MAX = 100

function besideInHeader(beside: readonly string[]): string {
  const more = beside.length - BESIDE_MAX
  return [...beside.slice(0, BESIDE_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** A header may contain only ASCII. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\u0020-\u007E]/g, '-')
}
