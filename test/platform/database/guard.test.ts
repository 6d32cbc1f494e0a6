import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { guarded, guardFailure } from '../../../src/platform/database/guard.ts'
import { ApiError } from '../../../src/platform/errors.ts'

await env.DB.exec(
  'CREATE TABLE counter (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, taken INTEGER NOT NULL) STRICT',
)

const take = (id: number) =>
  env.DB.prepare('UPDATE counter SET amount = amount - 1 WHERE id = ? AND amount > 0').bind(id)
const record = (id: number) => env.DB.prepare('UPDATE counter SET taken = taken + 1 WHERE id = ?').bind(id)
const takeAndRecord = (id: number) =>
  env.DB.batch([...guarded(env.DB, take(id), 'api_key_not_active'), record(id)])

it('rolls the batch back when the update changed nothing, and names the reason in the words that commit() looks for', async () => {
  await env.DB.exec('INSERT INTO counter VALUES (1, 0, 0)')
  const failure = await takeAndRecord(1).catch((thrown: unknown) => thrown)
  expect(failure).toMatchObject({ message: expect.stringContaining('guard api_key_not_active') })
  expect(guardFailure(failure)).toMatchObject({ reason: 'api_key_not_active' })
  expect(guardFailure(failure)).toBeInstanceOf(ApiError)
  expect(await env.DB.prepare('SELECT taken FROM counter WHERE id = 1').first('taken')).toBe(0)
})

it('lets exactly as many of 30 at once through as there is something left', async () => {
  await env.DB.exec('INSERT INTO counter VALUES (2, 10, 0)')
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => takeAndRecord(2)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await env.DB.prepare('SELECT amount, taken FROM counter WHERE id = 2').first()).toEqual({
    amount: 0,
    taken: 10,
  })
})

it('leaves any other failure as it is', () => {
  const failure = new Error('no such table: guard')
  expect(guardFailure(failure)).toBe(failure)
  expect(guardFailure(new Error('guard no_such_reason'))).not.toBeInstanceOf(ApiError)
})
