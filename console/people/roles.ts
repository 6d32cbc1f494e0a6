import type { Role } from '../../src/platform/database/values/roles.ts'

/** The roles with what they are for. What each allows is in its scopes. */
const ROLE_WORDS: Readonly<Record<Role, readonly [name: string, purpose: string]>> = {
  owner: ['Owner', 'may do everything, also for people, keys and settings'],
  accountant: ['Accountant', 'keeps the books, registrations and returns'],
  filer: ['Filer', 'reads the books, and files returns'],
  support: ['Support', 'helps customers with their sales and certificates, and sees no returns'],
  developer: ['Developer', 'connects shops and apps: sales, keys and webhooks'],
  auditor: ['Auditor', 'reads everything, and changes nothing'],
}

const WORDS: ReadonlyMap<string, readonly [string, string]> = new Map(Object.entries(ROLE_WORDS))

/** `accountant` is `Accountant`. A role of a later release has its own word. */
export function roleName(role: string): string {
  return WORDS.get(role)?.[0] ?? role
}

/** What a role is for; nothing of a role of a later release. */
export function rolePurpose(role: string): string {
  const purpose = WORDS.get(role)?.[1]
  return purpose === undefined ? '' : `${roleName(role)}: ${purpose}`
}
