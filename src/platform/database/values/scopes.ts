export const SCOPES = [
  '*',
  'tax:read',
  'customers:read',
  'customers:write',
  'transactions:read',
  'transactions:write',
  'webhooks:read',
  'webhooks:write',
  'reports:read',
  'reports:write',
  'registrations:read',
  'registrations:write',
  'keys:read',
  'keys:write',
  'people:read',
  'people:write',
  'audit:read',
  'vat:write',
  'platform:write',
  'operator',
] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes that a request can grant. Only the command line grants `operator`. */
export const GRANTABLE_SCOPES = SCOPES.filter((scope) => scope !== 'operator')

/**
 * Whether a key with these scopes may call a route that needs `scope`. `*` contains every scope of a tenant.
 * It contains neither `operator` nor `platform:write`, because their deeds concern other tenants.
 */
export function allows(scopes: ReadonlySet<string>, scope: Scope): boolean {
  return scopes.has(scope) || (scope !== 'operator' && scope !== 'platform:write' && scopes.has('*'))
}
