import { RELEASE } from '../../platform/release.ts'

/** The revision without a handshake: each request names its version and what its client can do. */
export const STATELESS = '2026-07-28'

/** Versions that begin with `initialize`, the newest first. Their messages about tools are the same. */
const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** All versions that we speak, the newest first. */
export const VERSIONS: readonly string[] = [STATELESS, ...WITH_HANDSHAKE]

/** A request of JSON-RPC 2.0. `id` null: a notification or an answer, which gets no answer. */
export type Message = {
  id: string | number | null
  method: string
  params: Readonly<Record<string, unknown>>
}

/** The codes of JSON-RPC 2.0 and of the protocol that we use. */
export const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  header: -32020,
  version: -32022,
} as const

export const META = 'io.modelcontextprotocol/'

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

export const SERVER = { name: 'tax-compliance', title: 'Tax Compliance Service', version: RELEASE }

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The version to speak after a handshake: the one that the client asked for, or the newest. */
export function versionFor(asked: unknown): string {
  return WITH_HANDSHAKE.find((version) => version === asked) ?? WITH_HANDSHAKE[0]
}

/** Whether a message is of the revision without a handshake. */
export function isStateless(message: Pick<Message, 'params'>): boolean {
  return metaOf(message)[`${META}protocolVersion`] === STATELESS
}

/** What a message says of itself: its version, and what its client can do. */
export function metaOf({ params }: Pick<Message, 'params'>): Readonly<Record<string, unknown>> {
  return isObject(params['_meta']) ? params['_meta'] : {}
}

/** A result. Without a handshake, each one names its kind and who answers. */
export function resultOf(message: Pick<Message, 'id' | 'params'>, result: object): string {
  const told = isStateless(message)
    ? { resultType: 'complete', ...result, _meta: { [`${META}serverInfo`]: SERVER } }
    : result
  return JSON.stringify({ jsonrpc: '2.0', id: message.id, result: told })
}

export function errorOf(id: Message['id'], code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}
