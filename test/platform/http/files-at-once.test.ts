import { afterEach, expect, it } from 'vitest'
import { endAfter, takeFilePlace } from '../../../src/platform/http/files-at-once.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const MANY = expect.objectContaining({ reason: 'too_many_files' })

afterEach(forgetAll)

it('lets an account have two files under way, and its neighbours too', () => {
  const end = takeFilePlace('acct_a', false, NOW)
  takeFilePlace('acct_a', true, NOW)
  expect(() => takeFilePlace('acct_a', false, NOW)).toThrow(MANY)
  takeFilePlace('acct_b', false, NOW)
  end()
  // Whoever gives a place back twice gives no other one back.
  end()
  takeFilePlace('acct_a', false, NOW)
  expect(() => takeFilePlace('acct_a', false, NOW)).toThrow(MANY)
})

it('takes six files of all accounts, which it has in memory as a whole, and says so to the next', () => {
  const ends = ['acct_a', 'acct_b', 'acct_c'].flatMap((account) => [
    takeFilePlace(account, true, NOW),
    takeFilePlace(account, true, NOW),
  ])
  expect(() => takeFilePlace('acct_d', true, NOW)).toThrow(/All accounts together send 6 files/)
  takeFilePlace('acct_d', false, NOW)
  ends[0]?.()
  takeFilePlace('acct_d', true, NOW)
})

it('frees the place of a request that was ended without a word after five minutes', () => {
  takeFilePlace('acct_a', false, NOW)
  takeFilePlace('acct_a', false, new Date(NOW.getTime() + 60_000))
  expect(() => takeFilePlace('acct_a', false, new Date(NOW.getTime() + 299_999))).toThrow(MANY)
  takeFilePlace('acct_a', false, new Date(NOW.getTime() + 300_000))
  expect(() => takeFilePlace('acct_a', false, new Date(NOW.getTime() + 300_000))).toThrow(MANY)
})

const ENDS: readonly [string, (body: ReadableStream) => Promise<unknown>, UnderlyingSource][] = [
  ['is sent', (body) => new Response(body).text(), { start: (to) => (to.enqueue(bytes()), to.close()) }],
  [
    'fails',
    (body) => new Response(body).text().catch(() => null),
    { pull: () => Promise.reject(new Error()) },
  ],
  ['is not read to its end', (body) => body.cancel(), { start: (to) => to.enqueue(bytes()) }],
]

it.each(ENDS)('ends a file when it %s', async (_, read, source) => {
  const ended: string[] = []
  const work: Promise<void>[] = []
  const later = (each: Promise<void>) => void work.push(each)
  const body = endAfter(new ReadableStream(source), null, () => ended.push('ended'), later)
  expect(ended).toEqual([])
  await read(body)
  await Promise.all(work)
  expect(ended).toEqual(['ended'])
})

function bytes(): Uint8Array {
  return new TextEncoder().encode('a file')
}
