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
  'audit:read',
  'vat:write',
  'sync:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** Whether a key with these scopes may call a route that needs `scope`. */
export function allows(scopes: ReadonlySet<string>, scope: Scope): boolean {
  return scopes.has('*') || scopes.has(scope)
}
