import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstAnswer } from '../../scripts/first-answer.ts'

const MINUTE_MS = 60_000
const NEVER = new Promise<never>(() => undefined)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sees the outcome of a wait without awaiting it. */
function watched<Result>(wait: Promise<Result>) {
  const seen: { outcome: Result | 'waiting' | Error } = { outcome: 'waiting' }
  wait.then(
    (result) => (seen.outcome = result),
    (error: Error) => (seen.outcome = error),
  )
  return seen
}

/** Never answers, and fails when it is aborted, as fetch() does. */
function hanging(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
}

describe('waiting for the first answer of a service', () => {
  it('succeeds if the service first answers after five minutes', async () => {
    const began = Date.now()
    const probe = async () => {
      if (Date.now() - began < 5 * MINUTE_MS) throw new Error('connection refused')
      return 200
    }
    const wait = watched(firstAnswer(probe, NEVER))
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS - 1)
    expect(wait.outcome).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(wait.outcome).toBe(200)
  })

  it('leaves one slow probe the time that it needs', async () => {
    const probe = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 100_000, 200)))
    const wait = watched(firstAnswer(probe, NEVER))
    await vi.advanceTimersByTimeAsync(100_000)
    expect(wait.outcome).toBe(200)
    expect(probe).toHaveBeenCalledTimes(1)
  })

  it('aborts a probe that hangs, and asks again', async () => {
    const probe = vi.fn((signal: AbortSignal) => hanging(signal))
    const wait = watched(firstAnswer(probe, NEVER))
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
    expect(probe).toHaveBeenCalledTimes(3)
    expect(wait.outcome).toBe('waiting')
  })

  it('never has two probes under way', async () => {
    let open = 0
    let most = 0
    const probe = async (signal: AbortSignal) => {
      open += 1
      most = Math.max(most, open)
      await hanging(signal).finally(() => (open -= 1))
    }
    void firstAnswer(probe, NEVER)
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(most).toBe(1)
  })

  it('fails at once if the server ends while a probe hangs, and asks no more', async () => {
    const probe = vi.fn((signal: AbortSignal) => hanging(signal))
    const ended = new Promise((resolve) => setTimeout(resolve, MINUTE_MS))
    const wait = watched(firstAnswer(probe, ended))
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(wait.outcome).toEqual(new Error('The server ended before its first answer'))
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(probe).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('fails with the error of a server that cannot be started', async () => {
    const wait = watched(firstAnswer(hanging, Promise.reject(new Error('no such program'))))
    await vi.advanceTimersByTimeAsync(0)
    expect(wait.outcome).toEqual(new Error('no such program'))
  })
})
