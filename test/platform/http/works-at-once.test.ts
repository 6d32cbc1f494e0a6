import { afterEach, expect, it } from 'vitest'
import { endAfter, takePlace } from '../../../src/platform/http/works-at-once.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const MANY = expect.objectContaining({ reason: 'too_many_files' })
const later: Promise<void>[] = []
const take = (account: string, takes: boolean | 'adds_up', now = NOW, waits_ms = 0) =>
  takePlace(
    account,
    takes === 'adds_up' ? takes : takes ? 'takes_file' : 'sends_file',
    now,
    (work) => void later.push(work),
    waits_ms,
  )

afterEach(forgetAll)

it('lets an account have two files under way, and its neighbours too', async () => {
  const end = await take('acct_a', false)
  await take('acct_a', true)
  await expect(take('acct_a', false)).rejects.toEqual(MANY)
  await take('acct_b', false)
  end()
  // Whoever gives a place back twice gives no other one back.
  end()
  await take('acct_a', false)
  await expect(take('acct_a', false)).rejects.toEqual(MANY)
})

it('adds up the sales of an account for one request at a time, beside its files', async () => {
  const end = await take('acct_a', 'adds_up')
  await take('acct_a', false)
  await expect(take('acct_a', 'adds_up')).rejects.toMatchObject({ reason: 'too_many_at_once' })
  await take('acct_b', 'adds_up')
  end()
  await take('acct_a', 'adds_up')
})

it('takes six files of all accounts, which it has in memory as a whole, and says so to the next', async () => {
  const six = ['acct_a', 'acct_b', 'acct_c'].flatMap((account) => [take(account, true), take(account, true)])
  const ends = await Promise.all(six)
  await expect(take('acct_d', true)).rejects.toThrow(/All accounts together send 6 files/)
  await take('acct_d', false)
  ends[0]?.()
  await take('acct_d', true)
})

it('frees the place of a request that was ended without a word after five minutes', async () => {
  await take('acct_a', false)
  await take('acct_a', false, new Date(NOW.getTime() + 60_000))
  await expect(take('acct_a', false, new Date(NOW.getTime() + 299_999))).rejects.toEqual(MANY)
  await take('acct_a', false, new Date(NOW.getTime() + 300_000))
  await expect(take('acct_a', false, new Date(NOW.getTime() + 300_000))).rejects.toEqual(MANY)
})

it('waits for a place, and keeps the request alive until it gives it back', async () => {
  const [end] = [await take('acct_a', false), await take('acct_a', false)]
  const next = take('acct_a', false, NOW, 60_000)
  const alive = later.at(-2)
  end()
  const endNext = await next
  await alive
  endNext()
  await later.at(-1)
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
