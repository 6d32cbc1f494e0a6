import { type Scope, SCOPES } from './scopes.ts'

export const ROLE_IDS = ['owner', 'accountant', 'filer', 'support', 'developer', 'auditor'] as const
export type Role = (typeof ROLE_IDS)[number]

const SALES: readonly Scope[] = [
  'tax:read',
  'customers:read',
  'customers:write',
  'transactions:read',
  'transactions:write',
]

/** What a person of each role may do. No role has `operator`, as `*` does not contain it. */
export const ROLES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ['*'],
  accountant: [
    ...SALES,
    'registrations:read',
    'registrations:write',
    'reports:read',
    'reports:write',
    'webhooks:read',
    'vat:write',
    'people:read',
    'audit:read',
  ],
  filer: [
    'tax:read',
    'customers:read',
    'transactions:read',
    'registrations:read',
    'reports:read',
    'reports:write',
    'people:read',
    'audit:read',
  ],
  support: [...SALES, 'vat:write'],
  developer: [
    ...SALES,
    'registrations:read',
    'reports:read',
    'webhooks:read',
    'webhooks:write',
    'keys:read',
    'keys:write',
    'vat:write',
    'audit:read',
  ],
  auditor: SCOPES.filter((scope) => scope.endsWith(':read')),
}
