import type { z } from 'zod'
import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { ApiError, fieldError } from '../errors.ts'
import { forgetPrincipals } from './authenticate.ts'
import type { AccountUpdate } from './schemas.ts'
import { type AccountRow, readAccount, updateAccount } from './store.ts'

/** The caller's account with its seller profile. */
export async function getAccount(context: Context): Promise<object> {
  return present(await findAccount(context))
}

/** Changes the fields that are given. The engine sees the new profile at once here, within a minute elsewhere. */
export async function putAccount(context: Context, update: z.output<typeof AccountUpdate>): Promise<object> {
  const old = await findAccount(context)
  const row: AccountRow = { ...old, ...given(update), updated_at: context.now.toISOString() }
  if (row.country === null) {
    if (update.region || update.postal_code) throw fieldError('invalid_request', 'country', 'is required beside region and postal_code')
    Object.assign(row, { region: null, postal_code: null })
  }
  const answer = present(row)
  const changed = Object.keys(update)
  await commit(context, {
    changes: [updateAccount(context, row)],
    audit: { action: 'account.updated', resource_id: row.id, changed },
    answer,
  })
  forgetPrincipals()
  return answer
}

async function findAccount(context: Context): Promise<AccountRow> {
  const row = await readAccount(context)
  if (row === null) throw new ApiError('not_found')
  return row
}

function given(update: z.output<typeof AccountUpdate>): Partial<AccountRow> {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined))
}

function present(row: AccountRow): object {
  return { ...row, sandbox: row.sandbox === 1 }
}
