import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { newId } from '../../platform/database/ids.ts'
import { pack } from '../../platform/database/packed-text.ts'
import { readAgainOnChange } from '../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { at } from '../../engine/ground/invariant.ts'
import { type Actor, readFilingRule } from '../../parties/accounts/actor-store.ts'
import { MONEY } from '../../sales/transactions/give-back/refund-split.ts'
import { type ComputedReturn, computeReturn } from '../filing/compute-return.ts'
import { keptRates } from '../forms/exchange.ts'
import { afterRefunds, type FilingRow } from '../rows/figures.ts'
import { presentReturn } from '../filing/present-return.ts'
import { nameTaxes } from '../filing/return-taxes.ts'
import { addUpTaxes, type JurisdictionTax, taxesOfEntry } from '../rows/jurisdiction-tax.ts'
import { cursorOfLine, readSelected } from '../filing/report-lines.ts'
import { scopesOf } from '../rows/line-scopes.ts'
import { countedBy, groupKeyOf, type LineEntry } from '../rows/line-entry.ts'
import { notesOnOrder } from '../due/order.ts'
import { compareVersions } from './compare.ts'
import { isFiled, refuseUnreviewed } from './four-eyes.ts'
import { hashOfPage, hashOfReturn, ROWS_PAGE } from '../archive/hash-return.ts'
import { presentFiled } from './present-filed.ts'
import {
  contentOf,
  dropHalfFrozen,
  completeFrozen,
  insertFiledRows,
  insertHalfFrozen,
  readBeforeFiling,
  readChainEnd,
  readEarlier,
  type ReturnRow,
} from '../archive/returns-store.ts'
import type { ReturnAnswer, ReturnBody } from './schemas.ts'
import { submissionRow } from './submission.ts'
import { insertSubmission } from '../archive/submissions-store.ts'
import { toldOfReturn } from './told-of-returns.ts'

/** The most lines of a return. */
export const ROWS_MAX = 100_000

/**
 * Freezes a return: keeps its figures, the lines behind them and a hash as they are now. Lines are copied
 * page by page, and their sums must be the figures. If a sale is recorded meanwhile, it begins again. A
 * request that dies leaves a half-frozen return, which never counts: the next request for the period drops it
 * when it has filed, or else the tick. Throws period_not_ended, period_already_filed, return_too_large,
 * days_moving, and review_required in an account with four_eyes, unless it is kept as open or reviewed.
 */
export async function freezeReturn(context: Context, body: ReturnBody): Promise<Answer<typeof ReturnAnswer>> {
  const { four_eyes, actor } = await readFilingRule(context)
  if (four_eyes && isFiled(body.submission ?? null)) refuseUnreviewed(null, actor)
  return readAgainOnChange(async () => {
    const previous_hash = await readChainEnd(context)
    const computed = await computeReturn(context, { ...body, boxes: givenBoxes(body) })
    refuseUnready(body, computed)
    const row = await draftReturn(context, body, computed, previous_hash)
    try {
      await insertHalfFrozen(context, row)
      return await freezeDraft(context, body, computed, { draft: row, actor })
    } catch (thrown) {
      await dropHalfFrozen(context.books, context.principal.account_id, row.id)
      throw thrown
    }
  })
}

function givenBoxes({ inputs }: ReturnBody): Map<string, number> {
  return new Map(Object.entries(inputs?.boxes ?? {}))
}

function refuseUnready({ jurisdiction_id }: ReturnBody, computed: ComputedReturn): void {
  const { period_ended, unconverted, form, period } = computed
  if (!period_ended)
    throw new ApiError('period_not_ended', { message: `The period ends on ${period.to}: file it later` })
  if (form.by_jurisdiction && form.by_jurisdiction !== 'country' && jurisdiction_id === undefined)
    throw fieldError('invalid_request', 'jurisdiction_id', 'is required: one return for each state')
  const [first] = unconverted
  if (first !== undefined)
    throw fieldError(
      'invalid_request',
      'fx_rates',
      `needs a rate for ${first.currency}: a return is filed with all its sales`,
    )
}

async function draftReturn(
  context: Context,
  body: ReturnBody,
  { period, jurisdiction_id, counted, data_version, seller, used, boxes, late_rule }: ComputedReturn,
  previous_hash: string,
): Promise<ReturnRow> {
  const head = {
    type: body.type,
    jurisdiction_id: jurisdiction_id ?? '',
    period: period.name,
    from_date: period.from,
    to_date: period.to,
  }
  const { version, overlapping, other_name } = await readBeforeFiling(context, head)
  if (overlapping !== null)
    throw new ApiError('period_already_filed', {
      message: `The return of ${overlapping} is filed: reopen it before you file these days again`,
    })
  if (other_name !== null)
    throw new ApiError('period_already_filed', {
      message:
        `The return of ${other_name.period} corrects ${other_name.corrected}: ` +
        `file ${other_name.corrected} again, or reopen ${other_name.period}`,
    })
  const corrected = counted.filter((row) => row.period.name !== period.name)
  return {
    ...head,
    id: newId('ret'),
    version,
    status: 'freezing',
    late: 0,
    corrects: JSON.stringify([...new Set(corrected.map((row) => row.period.name))]),
    content: '{}',
    sums: await pack(JSON.stringify(counted)),
    inputs: JSON.stringify({
      seller,
      rates: keptRates(used),
      boxes: Object.fromEntries(boxes),
      late_in_boxes: late_rule.where === 'boxes',
    }),
    data_version,
    row_count: 0,
    rows_hash: '',
    previous_hash,
    hash: null,
    created_at: context.now.toISOString(),
    filed_at: null,
    filed_by: context.principal.key_id,
    reopened_at: null,
    reopen_reason: null,
  }
}

async function freezeDraft(
  context: Context,
  body: ReturnBody,
  computed: ComputedReturn,
  { draft, actor }: { draft: ReturnRow; actor: Actor },
): Promise<Answer<typeof ReturnAnswer>> {
  const { row_count, rows_hash, taxes } = await copyLines(context, computed, draft.id)
  const { jurisdiction_id, period } = computed
  const [named, order] = await Promise.all([
    nameTaxes(context, taxes),
    notesOnOrder(context, { type: body.type, jurisdiction_id, from: period.from }),
  ])
  const presented = presentReturn(body.type, computed, { return_id: draft.id }, named)
  const figures = {
    ...presented,
    notes: [...presented.notes, ...order],
    filed: { return_id: draft.id, version: draft.version, filed_at: context.now.toISOString() },
  }
  const frozen: ReturnRow = {
    ...draft,
    status: 'filed',
    content: JSON.stringify(figures),
    row_count,
    rows_hash,
    filed_at: context.now.toISOString(),
  }
  const row = { ...frozen, hash: await hashOfReturn(frozen) }
  const submission = body.submission
    ? submissionRow(context, row, body.submission, { actor, before: null })
    : null
  const previous = row.version > 1 ? await readEarlier(context, row, 'all') : null
  const told = await toldOfReturn(context, row, submission)
  const answer = presentFiled(row, told, previous === null ? null : compareVersions(previous, row))
  await commit(context, {
    changes: [
      ...completeFrozen(context, row),
      ...(submission === null ? [] : insertSubmission(context, submission)),
    ],
    audit: {
      action: 'return.filed',
      resource_id: row.id,
      changed: ['status'],
      values: { status: { old: null, new: 'filed' }, hash: { old: null, new: row.hash } },
    },
    stores: { filed_rows: row_count },
    answer,
  })
  return answer
}

/** Copies the lines behind the figures. Throws concurrent_change if their sums differ from the figures. */
async function copyLines(
  context: Context,
  { counted, declared_by, form }: ComputedReturn,
  return_id: string,
): Promise<{ row_count: number; rows_hash: string; taxes: JurisdictionTax[] }> {
  const selection = { scopes: scopesOf(counted, declared_by), measure: null }
  const sums = new Map<string, number>()
  let [row_count, rows_hash] = [0, '']
  let taxes: JurisdictionTax[] = []
  let cursor: string | null = null
  for (;;) {
    const page: LineEntry[] = await readSelected(context, selection, {}, cursor, ROWS_PAGE)
    if (page.length > 0) {
      if (row_count + page.length > ROWS_MAX) throw new ApiError('return_too_large')
      await insertFiledRows(context, return_id, row_count, page)
      rows_hash = await hashOfPage(rows_hash, page.map(contentOf))
      row_count += page.length
      for (const entry of page) addToSums(sums, entry)
      if (form.lists_taxes === true) taxes = addUpTaxes([...taxes, ...page.flatMap(taxesOfEntry)])
    }
    if (page.length < ROWS_PAGE) break
    cursor = cursorOfLine(at(page, page.length - 1))
  }
  refuseOtherSums(sums, counted)
  return { row_count, rows_hash, taxes }
}

function addToSums(sums: Map<string, number>, entry: LineEntry): void {
  const add = (name: string, amount: number) => {
    const key = `${groupKeyOf(entry)} ${name}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  for (const name of MONEY) add(name, entry[name])
  add(entry.entry === 'sale' ? 'transactions' : 'refunds', countedBy(entry))
}

/**
 * Numbers are compared beside the money: a sale and its credit note that come in between change no sum.
 */
function refuseOtherSums(sums: Map<string, number>, rows: readonly FilingRow[]): void {
  const rest = new Map(sums)
  for (const row of rows) {
    const amounts = { ...afterRefunds(row), transactions: row.transactions, refunds: row.refunds }
    for (const name of [...MONEY, 'transactions', 'refunds'] as const) {
      const key = `${groupKeyOf({ ...row, currency: row.sold_currency })} ${name}`
      rest.set(key, (rest.get(key) ?? 0) - amounts[name])
    }
  }
  if ([...rest.values()].some((difference) => difference !== 0)) throw new ApiError('concurrent_change')
}
