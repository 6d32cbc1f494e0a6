import type { RunningWorker } from '../service.ts'
import type { Constant } from './constant-worker.ts'
import type { Target } from './measure.ts'

/** Headers that the platform sets itself. */
const OF_PLATFORM = new Set(['content-length', 'transfer-encoding', 'date', 'connection', 'keep-alive'])

/** Makes the constant worker repeat an answer of the service. Throws an Error if the answer is no success. */
export async function repeatAnswer(
  constant: RunningWorker,
  service: RunningWorker,
  { name, method, path, body }: Target,
): Promise<void> {
  const asked = await fetch(service.origin + path, {
    method,
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  const text = await asked.text()
  if (!asked.ok) throw new Error(`${name} answers ${asked.status}: ${text}`)
  const headers = Object.fromEntries([...asked.headers].filter(([header]) => !OF_PLATFORM.has(header)))
  const answer: Constant = { text, headers }
  const taken = await fetch(constant.origin, { method: 'PUT', body: JSON.stringify(answer) })
  if (!taken.ok) throw new Error(`The constant worker answers ${taken.status}`)
}
