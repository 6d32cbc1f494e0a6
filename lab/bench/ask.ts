import type { RunningWorker } from '../service.ts'
import type { Target } from './measure.ts'

/** One request to a worker, and its answer. Throws an Error if the answer is no success. */
export async function ask(
  { origin, key }: RunningWorker,
  { name, method, path, body }: Target,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} answers ${response.status}: ${text}`)
  return { text, headers: response.headers }
}
