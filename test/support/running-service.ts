import { expect, inject } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { createAccountAndKey, type NewAccountAndKey } from '../../scripts/create-account-and-key.ts'

/** The service as `npm run dev` serves it, and a key of an account. `state` is the folder of its state. */
export type RunningService = { origin: string; state: string; key: string }

/** The service that all files of the project share, with the account of this file, which has its name. */
export function runningService(): RunningService {
  const { origin, state, keys } = inject('served')
  const key = keys[String(expect.getState().testPath)]
  if (key === undefined) throw new Error('this file has no account')
  return { origin, state, key }
}

/**
 * Adds keys of other accounts to the service: those of accounts for tests, of the tier pro and with all scopes,
 * if nothing else is wanted: `platform`, with those of a platform too. Call it once for many, because it opens the databases.
 */
export async function addKeys(
  { state }: Pick<RunningService, 'state'>,
  ...all: readonly (Partial<NewAccountAndKey> & { account: string; platform?: boolean })[]
): Promise<string[]> {
  const { db, dispose } = await openLocal(state)
  const keys: string[] = []
  for (const { platform, ...wanted } of all) {
    const scopes: NewAccountAndKey['scopes'] = platform ? ['*', 'platform:write'] : ['*']
    const whole: NewAccountAndKey = { tier: 'pro', scopes, sandbox: true, ...wanted }
    keys.push((await createAccountAndKey(db, whole, new Date())).key)
  }
  await dispose()
  return keys
}
