import type { Context, HeldEstablishment } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { changedFields, commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { allows } from '../../platform/database/values/scopes.ts'
import { findPlace } from '../../engine/supply/place.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import { zoneOfPlace } from '../../platform/kit/time-zone.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { forgetPrincipals } from './authenticate.ts'
import type { AccountAnswer, AccountBody } from './schemas.ts'
import { type FurtherMatters, readAttention } from './attention-store.ts'
import { isMovingDays, requestDayChange } from './day-changes-store.ts'
import { type AccountRow, readAccount, updateAccount } from './store.ts'
import { columnsOf, turnoverOf } from './turnover.ts'

/** The caller's account with its seller profile. */
export async function getAccount(
  context: Context,
  further: FurtherMatters,
): Promise<Answer<typeof AccountAnswer>> {
  const row = await findAccount(context)
  const { days_moving, attention } = await partOfBooks(context, row, further)
  return { ...presentAccount(row, days_moving), attention }
}

/**
 * The part of the answer that is in the books. If their database does not answer, the rest of the account is
 * still shown, because the owner needs it to sign in to the console.
 */
async function partOfBooks(
  context: Context,
  row: AccountRow,
  further: FurtherMatters,
): Promise<Pick<Answer<typeof AccountAnswer>, 'days_moving' | 'attention'>> {
  try {
    return { days_moving: await isMovingDays(context), attention: await readAttention(context, row, further) }
  } catch (thrown) {
    const { account_id, shard } = context.principal
    logFault({ account_id, shard, step: 'read the books of an account' }, thrown)
    const message = 'The database of the books does not answer, so other matters are unknown: try again'
    const unknown = { reason: 'books_unavailable', resource_id: account_id, message, since: null } as const
    return { days_moving: false, attention: [unknown] }
  }
}

/**
 * Changes the fields that are given. Two updates at once each change their own. Calculations use the new
 * profile at once in this isolate, within a minute elsewhere. Throws missing_scope for four_eyes, if the
 * caller may not change the people of the account.
 */
export async function putAccount(
  context: Context,
  update: AccountBody,
  further: FurtherMatters,
): Promise<Answer<typeof AccountAnswer>> {
  // Whoever prepares returns could else switch off what needs a second person.
  if (update.four_eyes !== undefined && !allows(context.principal.scopes, 'people:write'))
    throw new ApiError('missing_scope', {
      message: 'four_eyes: only who may change the people of the account may change this',
      detail: 'people:write',
    })
  const read = () => findAccount(context)
  return changeRow(context, read, (old, updated_at) =>
    writeAccount(context, old, update, { updated_at, further }),
  )
}

const NO_ADDRESS = { region: null, city: null, postal_code: null, line1: null, line2: null }
const PARTS = keysOf(NO_ADDRESS)

async function writeAccount(
  context: Context,
  old: AccountRow,
  update: AccountBody,
  { updated_at, further }: { updated_at: string; further: FurtherMatters },
): Promise<Answer<typeof AccountAnswer>> {
  const moved = update.country !== undefined && update.country !== old.country
  const left = moved ? { ...old, ...NO_ADDRESS } : old
  const row: AccountRow = {
    ...left,
    ...given({ ...update, ...(await placedEstablishments(context, update)) }),
    updated_at,
  }
  // The first place of an account decides its time zone, if it has not named one.
  if (old.country === null && old.time_zone === 'UTC' && update.time_zone === undefined)
    row.time_zone = zoneOfPlace(row.country, row.region)
  if (row.country !== null) await checkPlace(context, { ...row, country: row.country })
  else if (PARTS.some((part) => update[part]))
    throw fieldError('invalid_request', 'country', 'is required if another part of the address is given')
  const moves = row.time_zone !== old.time_zone
  const shown = presentAccount(row, moves || (await isMovingDays(context)))
  const answer = { ...shown, attention: await readAttention(context, row, further) }
  if (moves) await requestDayChange(context, row.time_zone)
  await commit(context, {
    changes: guarded(context.env.DB, updateAccount(context, old, row), 'concurrent_change'),
    audit: {
      action: 'account.updated',
      resource_id: row.id,
      changed: changedFields(old, row),
      values: await valuesOf(old, row),
    },
    answer,
  })
  forgetPrincipals(row.id)
  return answer
}

/** Calculations use the seller's place, so an impossible place is refused when it is stored. */
async function checkPlace(
  context: Context,
  { country, region, city, postal_code }: AccountRow & { country: string },
): Promise<void> {
  const book = await bookFor(context)
  try {
    findPlace(book, { country, region, city, postal_code }, 'account', 'country')
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    throw fieldError(thrown.reason, thrown.parameter.replace('account.', ''), thrown.message)
  }
}

/** The establishments of an update with the codes of their states. Left out: they are not changed. */
async function placedEstablishments(
  context: Context,
  { establishments }: AccountBody,
): Promise<Pick<AccountBody, 'establishments'>> {
  if (!establishments?.some(({ region }) => region)) return {}
  const book = await bookFor(context)
  const placed = establishments.map((each, index) => {
    if (!each.region) return each
    try {
      const { jurisdiction_id } = findPlace(book, each, 'establishments', 'region')
      if (book.jurisdictions.get(jurisdiction_id)?.parent_id === 'US')
        return { ...each, region: jurisdiction_id.slice('US-'.length) }
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
    }
    throw fieldError('invalid_region', `establishments[${index}].region`, 'is not a state of the US')
  })
  return { establishments: placed }
}

async function findAccount(context: Context): Promise<AccountRow> {
  const row = await readAccount(context)
  if (row === null) throw new ApiError('not_found')
  return row
}

function given({
  small_business,
  filing,
  taxjar_api,
  unknown_codes,
  global_turnover,
  establishments,
  four_eyes,
  ...update
}: AccountBody): Partial<AccountRow> {
  const all = {
    ...update,
    ...filing,
    small_business: zeroOrOne(small_business),
    taxjar_api: zeroOrOne(taxjar_api?.enabled),
    taxjar_currency: taxjar_api?.currency,
    taxjar_state_only: zeroOrOne(taxjar_api?.accept_state_only),
    refuses_unknown_codes: zeroOrOne(unknown_codes && unknown_codes === 'refuse'),
    four_eyes: zeroOrOne(four_eyes),
    establishments: establishments && JSON.stringify(establishments),
    ...(global_turnover !== undefined && columnsOf(global_turnover)),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function zeroOrOne(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0
}

function presentAccount(row: AccountRow, days_moving: boolean) {
  const { uk_stagger, fiscal_year_start, taxjar_api, taxjar_currency, taxjar_state_only, ...others } = row
  const { refuses_unknown_codes, global_turnover_currency: _currency, ...shown } = others
  return {
    ...shown,
    sandbox: row.sandbox === 1,
    small_business: row.small_business === 1,
    four_eyes: row.four_eyes === 1,
    over_eu_threshold: row.over_eu_threshold === 1,
    global_turnover: turnoverOf(row),
    establishments: (JSON.parse(row.establishments) as HeldEstablishment[]).map(
      ({ country, region = null, kind = null, from, to }) => ({ country, region, kind, from, to }),
    ),
    days_moving,
    filing: { uk_stagger, fiscal_year_start },
    taxjar_api: {
      enabled: taxjar_api === 1,
      currency: taxjar_currency,
      accept_state_only: taxjar_state_only === 1,
    },
    unknown_codes: refuses_unknown_codes === 1 ? ('refuse' as const) : ('tell' as const),
  }
}
