/** Versions of the protocol with the same messages about tools, the newest first. */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** A request of JSON-RPC 2.0. `id` null: a notification or an answer, which gets no answer. */
export type Message = {
  id: string | number | null
  method: string
  params: Readonly<Record<string, unknown>>
}

/** The codes of JSON-RPC 2.0 that we use. */
export const CODES = { parse: -32700, request: -32600, method: -32601, params: -32602 } as const

/** Reads a message. Null: it is none, or a batch, which the protocol no longer has. */
export function readMessage(value: unknown): Message | null {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return null
  const { id = null, method, params = {} } = value
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') return null
  // An answer to a request of ours, of which there are none.
  if (method === undefined && ('result' in value || 'error' in value))
    return { id: null, method: '', params: {} }
  return typeof method === 'string' && isObject(params) ? { id, method, params } : null
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The version to speak: the one that the client asked for, or the newest. */
export function versionFor(asked: unknown): string {
  return VERSIONS.find((version) => version === asked) ?? VERSIONS[0]
}

export function resultOf({ id }: Pick<Message, 'id'>, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function errorOf(id: Message['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
