import { type ActorNames, readActorNames } from '../../platform/audit/actor-names-store.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { newId } from '../../platform/database/ids.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { csvOf } from '../../platform/kit/csv.ts'
import { readNumber } from '../vat/read-number.ts'
import { readRequester } from '../vat/requester.ts'
import { wakeCheck } from './run-check.ts'
import type {
  VatCheck,
  VatCheckBody,
  VatCheckResult,
  VatCheckResults,
  VatCheckResultsFilter,
} from './schemas.ts'
import { type CheckedIdRow, type CheckRow, insertCheck, readCheck, readCheckedIds } from './store.ts'

/** Begins a check of many VAT ids. The queue asks about them. Throws invalid_request, too_many_checks. */
export async function beginCheck(context: Context, body: VatCheckBody): Promise<Answer<typeof VatCheck>> {
  const { env, now, principal } = context
  const requester_vat_id = body.requester_vat_id ?? null
  if (requester_vat_id !== null && readRequester(requester_vat_id, null) === null)
    throw fieldError('invalid_request', 'requester_vat_id', 'is not a VAT id that VIES or HMRC knows')
  const at = now.toISOString()
  const check: CheckRow = {
    id: newId('chk'),
    account_id: principal.account_id,
    key_id: principal.key_id,
    requester_vat_id,
    total: body.vat_ids.length,
    due_at: at,
    created_at: at,
    finished_at: null,
  }
  const ids = body.vat_ids.map((given, index) =>
    rowOf({ check_id: check.id, position: index + 1, given }, body.country ?? undefined, at),
  )
  const counts = [...Map.groupBy(ids, ({ status }) => status)].map(countOf)
  const answer = presentCheck(check, counts, await readActorNames(context, [check.key_id]))
  await commit(context, {
    changes: insertCheck(context, check, ids),
    audit: { action: 'vat_check.created', resource_id: check.id, changed: ['total'] },
    answer,
  })
  await wakeCheck(env, { number: principal.shard }, { id: check.id, at: null }, now)
  return answer
}

function countOf([status, rows]: readonly [CheckedIdRow['status'], readonly unknown[]]) {
  return { status, ids: rows.length }
}

/** The row of an id before its question. Nobody can be asked about the id of an unknown country. */
function rowOf(
  named: Pick<CheckedIdRow, 'check_id' | 'position' | 'given'>,
  country: string | undefined,
  at: string,
): CheckedIdRow {
  const row = {
    ...named,
    attempts: 0,
    source: null,
    company_name: null,
    company_address: null,
    consultation_number: null,
  }
  try {
    const read = readNumber(named.given, country)
    const { vat_id } = read
    const waiting = { status: 'pending', next_attempt_at: at, reason: null, checked_at: null } as const
    return { ...row, vat_id, country: read.country, ...waiting }
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    const refused = { status: 'unavailable', next_attempt_at: null, reason: 'unknown_country' } as const
    return { ...row, vat_id: named.given, country: country ?? '', ...refused, checked_at: at }
  }
}

/** Throws not_found. */
export async function showCheck(context: Context, id: string): Promise<Answer<typeof VatCheck>> {
  const { check, counts } = await foundCheck(context, id)
  return presentCheck(check, counts, await readActorNames(context, [check.key_id]))
}

/** A page of the results of a check. Throws not_found. */
export async function pageOfResults(
  context: Context,
  id: string,
  { status, limit = 100, cursor = '0' }: VatCheckResultsFilter,
): Promise<Answer<typeof VatCheckResults>> {
  await foundCheck(context, id)
  const found = await readCheckedIds(context, id, { after: Number(cursor), status, limit: limit + 1 })
  const { rows, ...page } = cursorPage(found, limit, ({ position }) => String(position))
  return { results: rows.map(presentResult), ...page }
}

/** The report of a check as CSV: who asked, when, about which id, and what was said. Throws not_found. */
export async function reportOfCheck(context: Context, id: string): Promise<Response> {
  const { check } = await foundCheck(context, id)
  const rows = await readCheckedIds(context, id, { after: 0, status: undefined, limit: check.total })
  const { key_id, requester_vat_id, created_at } = check
  const csv = csvOf(
    REPORT_COLUMNS,
    rows.map((row) => ({ ...presentResult(row), check_id: id, key_id, requester_vat_id, created_at })),
    true,
  )
  return new Response(csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${id}.csv"`,
    },
  })
}

const REPORT_COLUMNS = [
  'position',
  'given',
  'vat_id',
  'country',
  'status',
  'reason',
  'source',
  'company_name',
  'company_address',
  'consultation_number',
  'attempts',
  'checked_at',
  'check_id',
  'key_id',
  'requester_vat_id',
  'created_at',
]

async function foundCheck(context: Context, id: string) {
  const found = await readCheck(context, id)
  if (found === null) throw new ApiError('not_found')
  return found
}

function presentCheck(
  { id, total, requester_vat_id, key_id, created_at, finished_at }: CheckRow,
  counted: readonly { status: CheckedIdRow['status']; ids: number }[],
  names: ActorNames,
): Answer<typeof VatCheck> {
  const counts = { pending: 0, valid: 0, invalid: 0, unavailable: 0 }
  for (const { status, ids } of counted) counts[status] = ids
  const state = finished_at === null ? 'running' : 'finished'
  const by = { key_id, key_name: names.get(key_id) ?? null }
  return { id, state, total, counts, requester_vat_id, ...by, created_at, finished_at }
}

function presentResult({
  check_id: _check,
  next_attempt_at: _next,
  country,
  ...row
}: CheckedIdRow): Answer<typeof VatCheckResult> {
  return { ...row, country: country === '' ? null : country }
}
