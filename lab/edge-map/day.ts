import { percentile } from '../bench/measure.ts'
import type { Isolate, Location, Reading } from './stores.ts'

/** A day of requests: how many, in how many locations, in isolates that live so many seconds on average. */
export type Day = { requests: number; locations: number; isolate_seconds: number; seed: number }

/** Milliseconds that the stores add to answers, and the share of answers that wait for none. */
export type Added = { p50: number; p90: number; p99: number; mean: number; at_once: number }

const SECONDS = 86_400

/**
 * Simulates a day. Requests of a location arrive by chance, at a rate of its own (a few locations have most
 * of them, as 1/n), and an isolate ends by chance. `trips_ms` are round trips of regions; locations are
 * spread over them, at most 30 ms further away.
 */
export function simulateDay(day: Day, trips_ms: readonly number[], reading: Reading): Added {
  const random = randomOf(day.seed)
  const weights = Array.from({ length: day.locations }, (_, index) => 1 / (index + 1))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const added: number[] = []
  for (const [index, weight] of weights.entries()) {
    const trip_ms = (trips_ms[index % trips_ms.length] ?? 0) + 30 * random()
    const location: Location = { trip_ms, pointer_at: null, book_at: null }
    const between = SECONDS / ((day.requests * weight) / all)
    let isolate: Isolate = { key_at: null, book_at: null }
    let ends_at = exponential(random, day.isolate_seconds)
    for (let at = exponential(random, between); at < SECONDS; at += exponential(random, between)) {
      if (at >= ends_at) {
        isolate = { key_at: null, book_at: null }
        ends_at = at + exponential(random, day.isolate_seconds)
      }
      added.push(reading.answer(at, isolate, location))
    }
  }
  return summaryOf(added.toSorted((a, b) => a - b))
}

function summaryOf(sorted: readonly number[]): Added {
  return {
    p50: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    mean: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    at_once: sorted.filter((ms) => ms === 0).length / sorted.length,
  }
}

function exponential(random: () => number, mean: number): number {
  return -mean * Math.log(1 - random())
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
