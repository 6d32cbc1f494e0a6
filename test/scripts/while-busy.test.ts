import { expect, it } from 'vitest'
import { whileBusy } from '../../scripts/while-busy.ts'

const busy = (message = 'D1_ERROR: database is locked: SQLITE_BUSY') => {
  throw new Error(message)
}

it.each([
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'D1_ERROR: Failed to get session commit token: internal error; reference = 7u',
])('reads again while the service writes: %s', async (message) => {
  let reads = 0
  const read = async () => {
    reads += 1
    return reads < 3 ? busy(message) : 'the books'
  }
  expect(await whileBusy(read, async () => {})).toBe('the books')
  expect(reads).toBe(3)
})

it('gives up if the database stays busy, and at once for another fault', async () => {
  let waits = 0
  const wait = async () => void (waits += 1)
  await expect(whileBusy(async () => busy(), wait)).rejects.toThrow('SQLITE_BUSY')
  expect(waits).toBeGreaterThan(10)
  const broken = async () => {
    throw new Error('no such table')
  }
  await expect(whileBusy(broken, wait)).rejects.toThrow('no such table')
})
