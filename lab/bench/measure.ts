import autocannon, { type Result } from 'autocannon'
import type { RunningWorker } from '../service.ts'
import type { MeasuredWorker } from './in-turn.ts'
import { processorUs } from './workerd.ts'

export type Target = { name: string; method: 'GET' | 'POST'; path: string; body?: string }

/** `cpu_us`: processor time of all threads of workerd for an answer, which a busy machine changes least. */
export type Round = {
  answers: number
  requests_per_second: number
  p50_ms: number
  p99_ms: number
  cpu_us: number
}

export const CONNECTIONS = 20
/** A worker on a busy machine may be slow, so only a request that hangs is an error. */
export const ANSWER_SECONDS_MAX = 120

/** One round of load over 20 connections in a closed loop. Throws if any answer is not a success. */
export async function measure(worker: MeasuredWorker, target: Target, seconds: number): Promise<Round> {
  const times: number[] = []
  const before = processorUs(worker.pid)
  const result = await load(worker, target, { duration: seconds }, (ms) => times.push(ms))
  const cpu_us = (processorUs(worker.pid) - before) / result['2xx']
  times.sort((a, b) => a - b)
  return {
    answers: result['2xx'],
    requests_per_second: result['2xx'] / result.duration,
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
    cpu_us,
  }
}

/** Sends so many requests: V8 optimises what was called often, however long that took on a busy machine. */
export async function warmUp(worker: RunningWorker, target: Target, requests: number): Promise<void> {
  await load(worker, target, { amount: requests }, () => {})
}

async function load(
  worker: RunningWorker,
  target: Target,
  much: { duration: number } | { amount: number },
  answered: (ms: number) => void,
): Promise<Result> {
  const run = autocannon({
    url: worker.origin + target.path,
    method: target.method,
    headers: { authorization: `Bearer ${worker.key}`, 'content-type': 'application/json' },
    ...(target.body !== undefined && { body: target.body }),
    connections: CONNECTIONS,
    ...much,
    timeout: ANSWER_SECONDS_MAX,
  })
  run.on('response', (_client, _status, _bytes, ms) => answered(ms))
  const result = await run
  if (result.non2xx + result.errors + result.timeouts > 0 || result['2xx'] === 0) {
    const { '2xx': successes, non2xx, errors, timeouts } = result
    throw new Error(
      `${target.name}: ${successes} successes, ${non2xx} refusals, ${errors} errors, ${timeouts} timeouts`,
    )
  }
  return result
}

/** The median of each figure over several rounds. */
export function medianRound(rounds: readonly Round[]): Round {
  return {
    answers: median(rounds.map((round) => round.answers)),
    requests_per_second: median(rounds.map((round) => round.requests_per_second)),
    p50_ms: median(rounds.map((round) => round.p50_ms)),
    p99_ms: median(rounds.map((round) => round.p99_ms)),
    cpu_us: median(rounds.map((round) => round.cpu_us)),
  }
}

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

/** The percentile of sorted values: the given share of them is at most as large. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
