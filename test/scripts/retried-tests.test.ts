import { expect, it } from 'vitest'
import { retriedTests } from '../support/retried-tests.ts'

it('the report of a run names each test that was tried again, whatever became of it', () => {
  const test = (fullName: string, retryCount: number | null) => ({
    fullName,
    diagnostic: () => (retryCount === null ? undefined : { retryCount }),
  })
  const tests = [test('passes', 0), test('was skipped', null), test('passes late', 1), test('fails', 2)]
  const modules = [{ moduleId: 'a.test.ts', children: { allTests: () => tests } }]
  expect(retriedTests(modules)).toEqual([
    'a.test.ts: passes late (retried: 1)',
    'a.test.ts: fails (retried: 2)',
  ])
})
