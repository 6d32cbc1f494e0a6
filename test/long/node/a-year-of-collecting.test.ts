import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerWithPapers, live, type Year } from './year.ts'

/**
 * A year in the life of the collectors. For each seed, all of them run on 410 days of documents that move:
 * announced changes, typing errors, three outages of two weeks, one of them around a change, two changes of
 * layout and a poisoned source. On each evening every rate, threshold and rule in force is compared with the
 * truth. `SEEDS=3` lives three years.
 */
const SEEDS = Array.from({ length: Number(process.env['SEEDS'] ?? 20) }, (_, index) => index + 1)

const table: (Year & { seed: number })[] = []

beforeAll(() => void vi.stubGlobal('fetch', answerWithPapers))
afterAll(() => {
  vi.unstubAllGlobals()
  const lines = table.map(
    ({ seed, right, stale, wrong, told }) => `| ${seed} | ${right} | ${stale} | ${wrong.length} | ${told} |`,
  )
  const head = ['| Seed | Right | Stale | Wrong | Events |', '|---|---|---|---|---|']
  // The reporter shows no output of hooks.
  process.stderr.write(`${[...head, ...lines].join('\n')}\n`)
})

describe('a year of moving documents', () => {
  it('is not passed by a service that does nothing', async () => {
    const year = await live(1, { idle: true })
    expect(year.late.length).toBeGreaterThan(10)
    expect(year.events.length).toBeGreaterThan(10)
    expect(year.stale).toBeGreaterThan(1_000)
  })

  it.each(SEEDS)('seed %i: each value in force is true or stale, each change is told once', async (seed) => {
    const year = await live(seed)
    table.push({ ...year, seed })
    expect(year.wrong).toEqual([])
    expect(year.unexplained).toEqual([])
    expect(year.late).toEqual([])
    expect(year.events).toEqual([])
    expect(year.stale).toBeGreaterThan(0)
  })
})
