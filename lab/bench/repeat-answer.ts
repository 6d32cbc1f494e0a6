import type { RunningWorker } from '../service.ts'
import { ask } from './ask.ts'
import type { Constant } from './constant-worker.ts'
import type { Target } from './measure.ts'

/** Headers that the platform sets itself. */
const OF_PLATFORM = new Set(['content-length', 'transfer-encoding', 'date', 'connection', 'keep-alive'])

/** Makes the worker of constant-worker.ts repeat an answer of the service. */
export async function repeatAnswer(
  constant: RunningWorker,
  service: RunningWorker,
  target: Target,
): Promise<void> {
  const { text, headers: given } = await ask(service, target)
  const headers = Object.fromEntries([...given].filter(([header]) => !OF_PLATFORM.has(header)))
  const answer: Constant = { text, headers }
  const taken = await fetch(constant.origin, { method: 'PUT', body: JSON.stringify(answer) })
  if (!taken.ok) throw new Error(`The constant worker answers ${taken.status}`)
}
