import { SESSION } from './account.ts'
import type { Scope } from '../src/http/scopes.ts'

/** Whether a key with these scopes has one: `*` contains all but `operator`. */
export function hasScope(scopes: readonly string[], scope: Scope): boolean {
  return scopes.includes(scope) || (scope !== 'operator' && scopes.includes('*'))
}

/** Whether the key that is signed in has a scope. What it may not do is not offered. */
export function may(scope: Scope): boolean {
  return hasScope(SESSION.get()?.scopes ?? [], scope)
}
