import { describe, expect, it } from 'vitest'
import { simulateDay } from '../../lab/edge-map/day.ts'
import { after, before, type Isolate, type Location } from '../../lab/edge-map/stores.ts'

const coldIsolate = (): Isolate => ({ key_at: null, book_at: null })
const coldLocation = (): Location => ({ trip_ms: 100, pointer_at: null, book_at: null })
/** What requests at these seconds wait for, in one isolate. */
function waits(reading: typeof before, seconds: readonly number[]): number[] {
  const isolate = coldIsolate()
  const location = coldLocation()
  return seconds.map((at) => reading.answer(at, isolate, location))
}

describe('the simulated stores', () => {
  it('cost a first answer four trips before, and one now', () => {
    expect([waits(before, [0]), waits(after, [0])]).toEqual([[400], [100]])
  })

  it('cost a later answer a trip when a copy was old, and none now', () => {
    const every20 = [0, 20, 40, 60, 80, 100]
    expect(waits(before, every20)).toEqual([400, 0, 5, 200, 100, 0])
    expect(waits(after, every20)).toEqual([100, 0, 0, 0, 0, 0])
  })

  it('cost an answer after a pause one trip', () => {
    expect(waits(after, [0, 120, 500])).toEqual([100, 100, 100])
  })
})

it('a simulated day is the same for the same seed, and another one for another', () => {
  const day = { requests: 2_000, locations: 30, isolate_seconds: 300, seed: 7 }
  const first = simulateDay(day, [50, 200], after)
  expect(simulateDay(day, [50, 200], after)).toEqual(first)
  expect(simulateDay({ ...day, seed: 8 }, [50, 200], after)).not.toEqual(first)
})
