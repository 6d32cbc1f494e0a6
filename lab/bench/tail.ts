import { Agent, request } from 'node:http'
import { percentile, type Target } from './measure.ts'

/** More than wait during any stop of a worker: 0.3 s at 1,500 requests a second. */
const CONNECTIONS_MAX = 500

/** The times of answers. `slowest_ms`: the mean of the slowest hundredth. */
export type Tail = {
  answers: number
  p50_ms: number
  p90_ms: number
  p99_ms: number
  p999_ms: number
  slowest_ms: number
}

export type EvenLoad = { seconds: number; per_second: number }

/**
 * Sends requests at even distances, also while earlier ones are not answered yet, as many independent buyers
 * would. A closed loop would send nothing while the worker stops, so it would hardly see a stop. Returns the
 * milliseconds from each request to the end of its answer. Throws if an answer is not a success.
 */
export async function sendEvenly(
  { origin, key }: { origin: string; key: string },
  { method, path, body, name }: Target,
  { seconds, per_second }: EvenLoad,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body ?? ''),
  }
  const total = Math.round(seconds * per_second)
  const times: number[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      let count = 0
      const fail = (fault: Error): void => {
        count = total
        reject(fault)
      }
      const send = (): void => {
        const began = performance.now()
        const sent = request(origin + path, { method, headers, agent }, (answer) => {
          if (answer.statusCode !== 200) fail(new Error(`${name} answers ${answer.statusCode}`))
          answer.on('error', fail)
          answer.on('end', () => {
            times.push(performance.now() - began)
            if (times.length === total) resolve()
          })
          answer.resume()
        })
        sent.on('error', fail)
        sent.end(body)
      }
      const began = performance.now()
      const sendDue = (): void => {
        const due = Math.min(total, Math.ceil(((performance.now() - began) / 1_000) * per_second))
        for (; count < due; count += 1) send()
        if (count < total) setTimeout(sendDue, 1)
      }
      sendDue()
    })
    return times
  } finally {
    agent.destroy()
  }
}

export function tailOf(times: readonly number[]): Tail {
  const sorted = times.toSorted((one, other) => one - other)
  const slowest = sorted.slice(-Math.ceil(sorted.length / 100))
  return {
    answers: sorted.length,
    p50_ms: percentile(sorted, 0.5),
    p90_ms: percentile(sorted, 0.9),
    p99_ms: percentile(sorted, 0.99),
    p999_ms: percentile(sorted, 0.999),
    slowest_ms: slowest.reduce((sum, time) => sum + time, 0) / slowest.length,
  }
}
