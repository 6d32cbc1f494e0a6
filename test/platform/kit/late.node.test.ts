import { beforeEach, expect, it, vi } from 'vitest'
import { evaluateLate, late } from '../../../src/platform/kit/late.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeEach(forgetAll)

it('a late module is evaluated once, at its first use, and then held', async () => {
  const evaluate = vi.fn(async () => ({ name: 'late' }))
  const { load, held } = late(evaluate)
  expect([held(), evaluate.mock.calls.length]).toEqual([null, 0])
  const loaded = await load()
  expect(await load()).toBe(loaded)
  expect(held()).toBe(loaded)
  expect(evaluate).toHaveBeenCalledOnce()
})

it('an isolate that forgets holds none, and evaluates none again', async () => {
  const evaluate = vi.fn(async () => ({ name: 'late' }))
  const { load, held } = late(evaluate)
  await evaluateLate()
  expect([held(), evaluate.mock.calls.length]).toEqual([null, 1])
  await load()
  forgetAll()
  expect(held()).toBeNull()
  expect(evaluate).toHaveBeenCalledOnce()
})
