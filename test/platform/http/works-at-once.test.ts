import { afterEach, expect, it, vi } from 'vitest'
import { ROUTES } from '../../../src/interfaces/routes.ts'
import { longWorkOf } from '../../../src/platform/http/route.ts'
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

afterEach(() => {
  forgetAll()
  vi.restoreAllMocks()
})

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
  const alive = later.at(-3)
  end()
  const endNext = await next
  await alive
  endNext()
  await later.at(-1)
})

const takeWrite = (account: string, work: 'writes' | 'writes_batch', waits_ms = 0) =>
  takePlace(account, work, NOW, (done) => void later.push(done), waits_ms)

it('lets an account have sixteen writes under way and four batches, and says how to batch', async () => {
  const [end] = await Promise.all(Array.from({ length: 16 }, () => takeWrite('acct_a', 'writes')))
  await expect(takeWrite('acct_a', 'writes')).rejects.toMatchObject({
    reason: 'too_many_at_once',
    message:
      'The account has 16 such requests under way already: wait for their answers. ' +
      'POST /v1/transactions/batch records up to 50 sales in one request',
  })
  await takeWrite('acct_b', 'writes')
  for (let batch = 0; batch < 4; batch += 1) await takeWrite('acct_a', 'writes_batch')
  await expect(takeWrite('acct_a', 'writes_batch')).rejects.toThrow(/has 4 such requests/)
  end?.()
  await takeWrite('acct_a', 'writes')
})

it('lets what waits go on in its order, and nothing overtake it', async () => {
  const ends = await Promise.all(Array.from({ length: 16 }, () => takeWrite('acct_a', 'writes')))
  const order: string[] = []
  const wait = async (name: string) => {
    const end = await takeWrite('acct_a', 'writes', 60_000)
    order.push(name)
    end()
  }
  const waiting = ['first', 'second', 'third'].map((name) => wait(name))
  ends[0]?.()
  // There is a place, but others came before.
  await expect(takeWrite('acct_a', 'writes')).rejects.toMatchObject({ reason: 'too_many_at_once' })
  await Promise.all(waiting)
  expect(order).toEqual(['first', 'second', 'third'])
  await takeWrite('acct_a', 'writes')
})

it('lets go on what waits behind a request that was ended without a word', async () => {
  const ends = await Promise.all(Array.from({ length: 16 }, () => takeWrite('acct_a', 'writes')))
  // The platform ends it while it waits: nothing of it runs again.
  vi.spyOn(scheduler, 'wait').mockReturnValueOnce(new Promise(() => undefined))
  void takeWrite('acct_a', 'writes', 5_000)
  ends[0]?.()
  await expect(takeWrite('acct_a', 'writes')).rejects.toMatchObject({ reason: 'too_many_at_once' })
  const after = new Date(NOW.getTime() + 10_000)
  await takePlace('acct_a', 'writes', after, (done) => void later.push(done), 0)
})

it.each([
  ['POST /v1/transactions', 'writes'],
  ['POST /v1/transactions/batch', 'writes_batch'],
  ['POST /v1/transactions/:id/refund', 'writes'],
  ['POST /v1/customers', 'writes'],
  ['POST /v1/calculate', null],
  ['POST /v1/calculate/batch', null],
  ['GET /v1/transactions', null],
  ['GET /v1/overview', 'adds_up'],
])('counts %s as %s', (name, work) => {
  const route = ROUTES.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name)
  expect(route && longWorkOf(route)).toBe(work)
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
