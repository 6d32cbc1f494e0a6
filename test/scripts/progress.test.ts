import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aloud, silently } from '../../scripts/progress.ts'

let lines: unknown[] = []

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const after = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms, 'result'))

it('says what a step does, every ten seconds that it goes on, and how long it took', async () => {
  const step = aloud('Applying 12 migrations', after(25_400))
  await vi.advanceTimersByTimeAsync(25_400)
  expect(await step).toBe('result')
  expect(lines).toEqual([
    'Applying 12 migrations …',
    'Applying 12 migrations: 10 s so far. This is normal on a busy machine.',
    'Applying 12 migrations: 20 s so far. This is normal on a busy machine.',
    'Applying 12 migrations: done in 25.4 s',
  ])
})

it('says nothing more about a step that failed', async () => {
  await expect(aloud('Applying 12 migrations', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines).toEqual(['Applying 12 migrations …'])
})

it('is silent for a program that reads the output', async () => {
  const step = silently('Applying 12 migrations', after(25_400))
  await vi.advanceTimersByTimeAsync(25_400)
  expect(await step).toBe('result')
  expect(lines).toEqual([])
})
