import type { CurrentApiKeyAnswer, Scope } from '../client/src/schema.ts'
import { read } from './api.ts'
import { setZone } from './format.ts'
import { Store } from './store.ts'

/** An account, with what needs attention. */
export type Account = NonNullable<CurrentApiKeyAnswer['account']>

/** Who is signed in. `account` is null if it may not be read, and `person` if a key is signed in. */
type Session = Pick<CurrentApiKeyAnswer, 'id' | 'account' | 'scopes' | 'sandbox' | 'person'>

/** Null: nobody is signed in. */
export const SESSION = new Store<Session | null>(null)

/** Reads who is signed in. Throws the Failure of a key or a person that is not accepted. */
export async function readSession(): Promise<Session> {
  const { id, account, scopes, sandbox, person } = await read('/v1/api-keys/current')
  setZone(account?.time_zone ?? null)
  return { id, account, scopes, sandbox, person }
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

/** Who may do something or not, at the beginning of a sentence. */
export function who(): 'You' | 'This key' {
  return SESSION.get()?.person ? 'You' : 'This key'
}

/** Whether a key with these scopes has one: `*` contains all of the account, and none of other accounts. */
export function hasScope(scopes: readonly string[], scope: Scope): boolean {
  const of_others = scope === 'operator' || scope === 'platform:write'
  return scopes.includes(scope) || (!of_others && scopes.includes('*'))
}

/** Whether the key that is signed in has a scope. What it may not do is not offered. */
export function may(scope: Scope): boolean {
  return hasScope(SESSION.get()?.scopes ?? [], scope)
}
