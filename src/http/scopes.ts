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
  'registrations:read',
  'registrations:write',
  'keys:read',
  'keys:write',
  'audit:read',
  'vat:write',
  'sync:write',
  'operator',
] as const
export type Scope = (typeof SCOPES)[number]

/** Whether a key with these scopes may call a route that needs `scope`. `*` does not contain `operator`. */
export function allows(scopes: ReadonlySet<string>, scope: Scope): boolean {
  return scopes.has(scope) || (scopes.has('*') && scope !== 'operator')
}
