import type { CurrentApiKeyAnswer, Scope } from '../client/src/schema.ts'
import { read } from './api.ts'
import { setZone } from './format.ts'
import { Store } from './store.ts'

/** An account, with what needs attention. */
type Account = NonNullable<CurrentApiKeyAnswer['account']>

/** Who is signed in. `account` is null if the key may not read it. */
type Session = Pick<CurrentApiKeyAnswer, 'account' | 'scopes' | 'sandbox'>

/** Null: nobody is signed in. */
export const SESSION = new Store<Session | null>(null)

/** Reads who the key belongs to. Throws the Failure of a key that is not accepted. */
export async function readSession(): Promise<Session> {
  const { account, scopes, sandbox } = await read('/v1/api-keys/current')
  setZone(account?.time_zone ?? null)
  return { account, scopes, sandbox }
}

/** Shows the account as it was saved. */
export function accountChanged(account: Account): void {
  const session = SESSION.get()
  setZone(account.time_zone)
  if (session !== null) SESSION.set({ ...session, account })
}

/** The country of the seller; null if the key may not read it, or if it is not set. */
export function homeCountry(): string | null {
  return SESSION.get()?.account?.country ?? null
}

/** Whether a key with these scopes has one: `*` contains all but `operator`. */
export function hasScope(scopes: readonly string[], scope: Scope): boolean {
  return scopes.includes(scope) || (scope !== 'operator' && scopes.includes('*'))
}

/** Whether the key that is signed in has a scope. What it may not do is not offered. */
export function may(scope: Scope): boolean {
  return hasScope(SESSION.get()?.scopes ?? [], scope)
}
