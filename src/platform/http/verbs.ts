/**
 * The verbs with which the name of an operation begins, as of a method of a client in any language. Methods
 * of HTTP are none of them, but for `get`.
 */
export const VERBS = [
  'calculate',
  'check',
  'complete',
  'create',
  'decide',
  'delete',
  'download',
  'export',
  'file',
  'get',
  'list',
  'reconcile',
  'record',
  'recover',
  'redeliver',
  'refund',
  'reopen',
  'revoke',
  'rotate',
  'sync',
  'test',
  'update',
  'validate',
  'verify',
  'void',
] as const

/** The name of an operation, such as `getCustomer`. */
export type OperationName = `${(typeof VERBS)[number]}${string}`
