import type { Context } from '../../platform/context.ts'
import { unpack } from '../../platform/database/packed-text.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { type FilledReturn, figuresOf, fillForm } from '../filing/compute-return.ts'
import { type KeptRate, ratesOfFiled } from '../forms/exchange.ts'
import type { FilingRow } from '../rows/figures.ts'
import type { FilingSeller } from '../forms/form.ts'
import { formOf } from '../forms/forms.ts'
import { keyOfTax, taxesOfEntry, taxNamed } from '../rows/jurisdiction-tax.ts'
import { type LineMeasure, presentLine } from '../filing/report-lines.ts'
import { groupKeyOf, type LineEntry } from '../rows/line-entry.ts'
import { ROWS_PAGE } from '../archive/hash-return.ts'
import { figuresAsFiled } from '../filing/figures-as-filed.ts'
import { presentHead } from './present-filed.ts'
import { readFiledRows, type ReturnRow } from '../archive/returns-store.ts'
import type { FilingTax } from '../forms/answers.ts'
import type { ReturnRowsAnswer } from './schemas.ts'

/** `boxes` and `late_in_boxes` are missing in returns of earlier releases. */
type KeptInputs = {
  seller: FilingSeller
  rates: KeptRate[]
  boxes?: Record<string, number>
  late_in_boxes?: boolean
}

/** The forms whose boxes had late entries before those of others had. */
const HAD_LATE_BOXES = ['ca_gst34', 'ca_qst', 'ca_bc_pst', 'ca_sk_pst', 'ca_mb_rst', 'al_ssut']

type RowsQuery = { figure?: string | undefined; limit?: number | undefined; cursor?: string | undefined }

/** Pages of kept lines that one request reads at most to find the lines of a figure. */
const PAGES_MAX = 20

/** A page of the lines of a filed return, or of one of its figures, as they were when it was filed. */
export async function pageOfFiledRows(
  context: Context,
  row: ReturnRow,
  query: RowsQuery,
): Promise<Answer<typeof ReturnRowsAnswer>> {
  const limit = query.limit ?? 100
  const chosen = query.figure === undefined ? null : await chooseLines(row, query.figure)
  const lines = []
  let position = Number(query.cursor ?? 0)
  for (let pages = 0; pages < PAGES_MAX && lines.length < limit; pages += 1) {
    const page = await readFiledRows(context, row, position, ROWS_PAGE)
    for (const kept of page) {
      if (lines.length === limit) break
      position = kept.position + 1
      const entry: LineEntry = { ...JSON.parse(kept.content), audit_id: null }
      if (chosen === null || chosen.has(entry)) lines.push(presentLine(entry, chosen?.measure ?? null))
    }
    if (page.length < ROWS_PAGE) break
  }
  const has_more = position < row.row_count
  return { lines, limit, has_more, next_cursor: has_more ? String(position) : null }
}

/** The lines of a figure, and what each adds to it. */
type Chosen = { has: (entry: LineEntry) => boolean; measure: LineMeasure }

/** The groups of a figure. Late entries of other periods have months of sale of their own. */
async function chooseLines(row: ReturnRow, figure: string): Promise<Chosen> {
  if (figuresAsFiled(row).jurisdiction_taxes?.some((tax) => keyOfFiledTax(tax) === figure) === true)
    return {
      has: (entry) => taxesOfEntry(entry).some(({ key }) => key === figure),
      measure: taxNamed(figure),
    }
  const found = figuresOf(await fillAgain(row)).find(({ key }) => key === figure)
  if (found === undefined)
    throw fieldError('invalid_request', 'figure', 'this return has no such figure with lines')
  const keys = new Set(found.rows.map((each) => groupKeyOf({ ...each, currency: each.sold_currency })))
  return { has: (entry) => keys.has(groupKeyOf(entry)), measure: found.measure }
}

/** Fills in the form again from what was filed. */
async function fillAgain(row: ReturnRow): Promise<FilledReturn> {
  const head = presentHead(row, { submission: null, names: new Map() })
  const form = formOf(head.type)
  const counted: FilingRow[] = JSON.parse(await unpack(row.sums))
  const { seller, rates, boxes = {}, late_in_boxes }: KeptInputs = JSON.parse(row.inputs)
  const kind = invariant(form.periods[0], 'a form has a period')
  return fillForm(form, {
    period: { name: row.period, kind, from: row.from_date, to: row.to_date },
    jurisdiction_id: head.jurisdiction_id,
    currency: JSON.parse(row.content).currency,
    seller,
    rateOf: ratesOfFiled(rates, form.exchange),
    counted,
    boxes: new Map(Object.entries(boxes)),
    late_are: (late_in_boxes ?? HAD_LATE_BOXES.includes(row.type)) ? 'in_boxes' : 'beside',
    // The rates name supplies and boxes without lines: no line depends on them.
    rates: { rateTypeOf: () => null, standardRateOf: () => 0 },
  })
}

function keyOfFiledTax({ jurisdiction_id, tax_type, levied_as, rate, currency }: FilingTax): string {
  return keyOfTax({
    jurisdiction_id,
    tax_type: tax_type ?? '',
    levied_as: levied_as ?? '',
    tax_rate: Math.round((rate ?? 0) * 1_000_000),
    currency,
  })
}
