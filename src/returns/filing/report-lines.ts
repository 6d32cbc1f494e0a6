import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { late } from '../../platform/kit/late.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { refuseReversed } from '../rows/dates.ts'
import { computeReturn, figuresOf } from './compute-return.ts'
import { taxedRows } from './return-taxes.ts'
import { isTaxKey, taxNamed } from '../rows/jurisdiction-tax.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { scopesOf } from '../rows/line-scopes.ts'
import { type LineScope, readLineEntries } from '../rows/report-lines-store.ts'
import type { LinesQuery } from '../forms/queries.ts'
import type { LinesAnswer, ReportLine } from '../rows/line-schemas.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { unitQuantityOf } from '../rows/unit-quantity.ts'

/** What to read: the lines of some days, of which a figure may take some. */
type LineSelection = { scopes: readonly LineScope[]; measure: LineMeasure | null }

/** What a line adds to a figure, in minor units. */
export type LineMeasure = (entry: LineEntry) => number

/** A page of lines, oldest first: all lines of some days, or the lines of a figure of a return. */
export async function pageOfLines(context: Context, query: LinesQuery): Promise<Answer<typeof LinesAnswer>> {
  const limit = query.limit ?? 100
  const selection = await selectLines(context, query)
  const found = await readSelected(context, selection, query, query.cursor ?? null, limit + 1)
  const { rows, ...page } = cursorPage(found, limit, cursorOfLine)
  const lines = await withRecorded(context, rows)
  return { lines: lines.map((entry) => presentLine(entry, selection.measure)), ...page }
}

/** Few lines are so old that their events are in chests. */
const putAway = late(() => import('../../platform/audit/put-away/read-put-away.ts'))

/** Lines with the events that recorded their sales, also if these are in chests. */
async function withRecorded(context: Context, entries: readonly LineEntry[]): Promise<LineEntry[]> {
  const without = entries.filter(({ entry, audit_id }) => entry === 'sale' && audit_id === null)
  if (without.length === 0) return [...entries]
  const { findRecorded } = await putAway.load()
  const found = await findRecorded(
    context,
    without.map(({ transaction_id }) => transaction_id),
  )
  return entries.map((each) => ({
    ...each,
    audit_id: each.audit_id ?? found.get(`${each.transaction_id} ${each.recorded_at}`) ?? null,
  }))
}

/** The lines that a query names. Throws invalid_request for an unknown figure. */
export async function selectLines(
  context: Context,
  query: Omit<LinesQuery, 'limit' | 'cursor'>,
): Promise<LineSelection> {
  const { type, period, figure } = query
  if (type === undefined && period === undefined && figure === undefined) {
    if (query.fx_rates !== undefined)
      throw fieldError('invalid_request', 'fx_rates', 'is for a figure of a return')
    refuseReversed(query)
    const { from_date = '0000-01-01', to_date = '9999-12-31' } = query
    return { scopes: [{ from: from_date, to: to_date, keys: null, not_in: [] }], measure: null }
  }
  for (const [name, value] of Object.entries({ type, period, figure }))
    if (value === undefined) throw fieldError('invalid_request', name, 'is required for a figure of a return')
  for (const name of ['from_date', 'to_date'] as const)
    if (query[name] !== undefined) throw fieldError('invalid_request', name, 'does not go with a return')
  const computed = await computeReturn(context, {
    type: invariant(type, 'a return has a type'),
    period: invariant(period, 'a return has a period'),
    jurisdiction_id: query.jurisdiction_id,
    fx_rates: query.fx_rates,
  })
  const tax = invariant(figure, 'a figure has a name')
  if (computed.form.lists_taxes === true && isTaxKey(tax)) {
    const scopes = scopesOf(taxedRows(computed), computed.declared_by)
    return { scopes: scopes.map((scope) => ({ ...scope, tax })), measure: taxNamed(tax) }
  }
  const found = figuresOf(computed).find(({ key }) => key === figure)
  if (found === undefined)
    throw fieldError('invalid_request', 'figure', 'this return has no such figure with lines')
  return { scopes: scopesOf(found.rows, computed.declared_by), measure: found.measure }
}

/** Reads the lines of all scopes in one order. */
export async function readSelected(
  context: Context,
  { scopes }: LineSelection,
  query: Omit<LinesQuery, 'limit' | 'cursor'>,
  cursor: string | null,
  limit: number,
): Promise<LineEntry[]> {
  const [dated_at = '', id = ''] = cursor?.split('~') ?? []
  const after = cursor === null ? null : { dated_at, id }
  const filter = query.figure === undefined ? query : { ...query, jurisdiction_id: undefined }
  const pages = await Promise.all(
    scopes.map((scope) => readLineEntries(context, scope, filter, after, limit)),
  )
  return pages
    .flat()
    .toSorted((a, b) => compare(a.dated_at, b.dated_at) || compare(a.id, b.id))
    .slice(0, limit)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function cursorOfLine({ dated_at, id }: LineEntry): string {
  return `${dated_at}~${id}`
}

/** A line as the API shows it. */
export function presentLine(entry: LineEntry, measure: LineMeasure | null): ReportLine {
  const {
    scheme,
    reason,
    exemption,
    exported_to,
    facts,
    uncollected_amount: _,
    taxes: _taxes,
    tax_rate,
    ...shown
  } = entry
  const { invoice_number } = JSON.parse(facts) as { invoice_number?: string }
  return {
    ...shown,
    invoice_number: invoice_number ?? null,
    scheme: scheme === '' || scheme === 'below_eu_threshold' ? null : scheme,
    kind: soldKindOf(entry.product_type),
    tax_rate: tax_rate / 1_000_000,
    taxability_reason: reason === '' ? null : reason,
    exemption_type: exemption === '' ? null : exemption,
    exported_to: exported_to === '' ? null : exported_to,
    figure_amount: measure === null ? null : measure(entry),
    unit_quantity: unitQuantityOf(entry),
  }
}
