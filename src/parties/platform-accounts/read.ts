import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { cursorPage } from '../../platform/http/page.ts'
import type { PlatformAccount, PlatformAccountsAnswer, PlatformAccountsQuery } from './schemas.ts'
import { type PlatformAccountRow, readPlatformAccount, readPlatformAccounts } from './store.ts'

/** The accounts under the caller's platform, newest first. */
export async function listPlatformAccounts(
  context: Context,
  { cursor, limit = 50 }: z.output<typeof PlatformAccountsQuery>,
): Promise<Answer<typeof PlatformAccountsAnswer>> {
  const found = await readPlatformAccounts(context, cursor, limit + 1)
  const { rows, ...page } = cursorPage(found, limit, ({ id }) => id)
  return { accounts: rows.map(presentPlatformAccount), ...page }
}

/** An account under the caller's platform, as the platform sees it. Throws not_found. */
export async function getPlatformAccount(
  context: Context,
  by: 'id' | 'external_id',
  value: string,
): Promise<Answer<typeof PlatformAccount>> {
  return presentPlatformAccount(await findPlatformAccount(context, by, value))
}

/** Throws not_found, also for an account that is not under the caller's platform. */
export async function findPlatformAccount(
  context: Context,
  by: 'id' | 'external_id',
  value: string,
): Promise<PlatformAccountRow> {
  const found = await readPlatformAccount(context, by, value)
  if (found === null) throw new ApiError('not_found')
  return found
}

export function presentPlatformAccount(row: PlatformAccountRow): Answer<typeof PlatformAccount> {
  const { id, external_id, name, tier, sandbox, suspended_at, created_at } = row
  return {
    id,
    external_id,
    name,
    tier,
    sandbox: sandbox === 1,
    suspended: suspended_at !== null,
    created_at,
  }
}
