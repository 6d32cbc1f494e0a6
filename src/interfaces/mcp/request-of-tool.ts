import type { Tool } from './tools.ts'

/** The arguments of a call are not what its route can be asked. The message is for the agent. */
export class ArgumentError extends Error {}

type Arguments = Readonly<Record<string, unknown>>

const PARAM_MAX = 200

/**
 * The request of our own route that a call of a tool means. Only parameters of the path are looked at: the
 * route checks all else. Throws an ArgumentError.
 */
export function requestOfTool(
  { route, required = [], fixed = {} }: Tool,
  given: Arguments,
  { origin, headers }: { origin: string; headers: Record<string, string> },
): Request {
  for (const name of required)
    if (typeof given[name] !== 'string' || given[name] === '') throw new ArgumentError(`${name}: is required`)
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => paramOf(given, name))
  const rest = { ...fixed, ...Object.fromEntries(fieldsBeside(route.params, given)), ...fixed }
  if (route.body !== null)
    return new Request(origin + path, {
      method: route.method.toUpperCase(),
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(rest),
    })
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, textOf(name, value)]))
  return new Request(`${origin}${path}${query.size > 0 ? `?${query.toString()}` : ''}`, { headers })
}

function fieldsBeside(params: Readonly<Record<string, string>>, given: Arguments): [string, unknown][] {
  return Object.entries(given).filter(([name, value]) => !Object.hasOwn(params, name) && value !== null)
}

/** A parameter of the path. Dots alone would name another path, and half a character (`\ud800`) no text. */
function paramOf(given: Arguments, name: string): string {
  const value = given[name]
  if (typeof value !== 'string' || value.length > PARAM_MAX || /^\.*$/.test(value) || !value.isWellFormed())
    throw new ArgumentError(`${name}: must be a text of 1 to ${PARAM_MAX} characters`)
  return encodeURIComponent(value)
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new ArgumentError(`${name}: must be a text, a number or a boolean`)
}
