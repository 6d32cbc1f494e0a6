import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  ApiError,
  createClient,
  TaxConnectionError,
  type TransactionRequest,
} from '../../client/src/client.ts'
import { createRecorder, gatherSales, type OutboxEntry } from '../../client/src/shop.ts'

type Sent = TransactionRequest & { external_id: string }
type Trouble = 'none' | 'lost_before' | 'lost_after' | 'busy' | 'limited'
/** `plain` is recorded. `refused` is refused alone, and `poisoned` with its whole request. */
type Kind = 'plain' | 'refused' | 'poisoned'

const SINGLE = '/v1/transactions'
const REFUSED = { error_code: 'VALIDATION_ERROR', reason: 'invalid_request', message: 'refused' }
const TAKEN = { error_code: 'VALIDATION_ERROR', reason: 'external_id_taken', message: 'taken' }
const POISON = { error_code: 'VALIDATION_ERROR', reason: 'nesting_too_deep', message: 'too deep' }

/** A service with books in memory, which fails as told and then works. */
function madeService(troubles: readonly Trouble[]) {
  const recorded: Sent[] = []
  const bodies: { sales: Sent[]; bytes: number; path: string }[] = []
  const kept = new Map<string, { status: number; body: object }>()
  let turn = 0
  const record = (sale: Sent) => {
    if (sale.metadata?.['kind'] === 'refused') return REFUSED
    if (recorded.some(({ external_id }) => external_id === sale.external_id)) return TAKEN
    recorded.push(sale)
    return { id: `txn_${sale.external_id}`, external_id: sale.external_id, amount: amountOf(sale) }
  }
  const answer = (path: string, sales: Sent[]): { status: number; body: object } => {
    if (sales.some(({ metadata }) => metadata?.['kind'] === 'poisoned')) return { status: 400, body: POISON }
    if (path === SINGLE) {
      const [data] = sales.map((sale) => record(sale))
      return { status: data !== undefined && 'error_code' in data ? 400 : 201, body: data ?? {} }
    }
    const results = sales.map((sale, index) => {
      const data = record(sale)
      return 'error_code' in data ? { index, success: false, error: data } : { index, success: true, data }
    })
    return { status: 200, body: { results, summary: {}, queried_at: '2026-11-20T12:00:00.000Z' } }
  }
  const fetch = async (request: Request): Promise<Response> => {
    const text = await request.text()
    const trouble = troubles[turn++] ?? 'none'
    if (trouble === 'lost_before') throw new TypeError('connection refused')
    if (trouble === 'busy') return json(503, { error_code: 'INTERNAL_ERROR', reason: 'database_busy' })
    if (trouble === 'limited') return json(429, { error_code: 'RATE_LIMIT_EXCEEDED', reason: 'rate_limited' })
    const path = new URL(request.url).pathname
    const body = JSON.parse(text)
    const sales: Sent[] = path === SINGLE ? [body] : body.transactions
    const key = request.headers.get('Idempotency-Key') ?? ''
    const given = kept.get(key) ?? answer(path, sales)
    if (!kept.has(key)) bodies.push({ sales, bytes: new TextEncoder().encode(text).length, path })
    if (given.status < 300) kept.set(key, given)
    if (trouble === 'lost_after') throw new TypeError('connection reset')
    return json(given.status, given.body)
  }
  return { fetch, recorded, bodies }
}

function json(status: number, body: object): Response {
  const headers = { 'Content-Type': 'application/json', ...(status > 428 && { 'Retry-After': '1' }) }
  return new Response(JSON.stringify(body), { status, headers })
}

function saleOf(external_id: string, amount: number, kind: Kind = 'plain', text = ''): Sent {
  const line_items = [{ amount, product_type: 'saas' as const }]
  const customer = { address: { country: 'DE' } }
  return { external_id, currency: 'EUR', customer, line_items, metadata: { kind, text } }
}

function amountOf({ line_items }: TransactionRequest): number {
  return line_items?.[0]?.amount ?? 0
}

function clientOf(fetch: (request: Request) => Promise<Response>, retries: number) {
  const wait = async () => undefined
  return createClient({ baseUrl: 'https://service.test', apiKey: 'key', fetch, retries, wait })
}

const SALES = fc.uniqueArray(
  fc.record({
    number: fc.integer({ min: 1, max: 999 }),
    amount: fc.integer({ min: 1, max: 1_000_000 }),
    kind: fc.constantFrom<Kind>('plain', 'plain', 'plain', 'refused', 'poisoned'),
    text: fc.string({ unit: 'grapheme', maxLength: 40 }),
  }),
  { selector: ({ number }) => number, minLength: 1, maxLength: 130 },
)
const TROUBLES = fc.array(fc.constantFrom<Trouble>('none', 'lost_before', 'lost_after', 'busy', 'limited'), {
  maxLength: 12,
})

/** Whether a shop sends the sale again: it does not know whether it was recorded. */
function isUnknown(error: unknown): boolean {
  return error instanceof TaxConnectionError || (error instanceof ApiError && error.status >= 429)
}

it('answers each caller, and records each sale once, wherever the connection breaks', async () => {
  const property = fc.asyncProperty(
    SALES,
    TROUBLES,
    fc.integer({ min: 0, max: 3 }),
    async (all, troubles, retries) => {
      const service = madeService(troubles)
      const { transactions } = gatherSales(clientOf(service.fetch, retries), { wait: 0 })
      let open = all
      for (let tries = 0; open.length > 0; tries += 1) {
        expect(tries).toBeLessThan(30)
        const outcomes = await Promise.allSettled(
          open.map(({ number, amount, kind, text }) =>
            transactions.create(saleOf(`${number}`, amount, kind, text)),
          ),
        )
        open = open.filter(({ number, amount, kind }, at) => {
          const outcome = outcomes[at]
          if (outcome?.status === 'fulfilled') {
            expect(outcome.value).toMatchObject({ external_id: `${number}`, amount })
            expect(kind).toBe('plain')
            return false
          }
          if (isUnknown(outcome?.reason)) return true
          const reason = { plain: TAKEN, refused: REFUSED, poisoned: POISON }[kind].reason
          expect(outcome?.reason).toMatchObject({ reason, status: 400 })
          // Its own number is taken only by an attempt before, whose answer was lost.
          if (kind === 'plain') expect(troubles).toContain('lost_after')
          return false
        })
      }
      const told = (number: string, amount: number) => `${number} for ${amount}`
      const sold = all.filter(({ kind }) => kind === 'plain')
      const expected = sold.map(({ number, amount }) => told(`${number}`, amount))
      const books = service.recorded.map((sale) => told(sale.external_id, amountOf(sale)))
      expect(books.toSorted()).toEqual(expected.toSorted())
      for (const { sales, bytes } of service.bodies) {
        expect(sales.length).toBeLessThanOrEqual(50)
        expect(bytes).toBeLessThan(1_048_576)
      }
    },
  )
  await fc.assert(property, { numRuns: 150 })
})

it('keeps the order of the calls, and what the shop changes later is not sent', async () => {
  const lists = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 2, maxLength: 120 })
  const property = fc.asyncProperty(lists, fc.integer({ min: 1, max: 80 }), async (amounts, most) => {
    const service = madeService([])
    const { transactions } = gatherSales(clientOf(service.fetch, 0), { wait: 0, most })
    const calls = amounts.map((amount, index) => {
      const sale = saleOf(`${index}`, amount)
      const call = transactions.create(sale)
      sale.line_items?.splice(0)
      return call
    })
    await Promise.all(calls)
    expect(service.bodies.flatMap(({ sales }) => sales.map((sale) => amountOf(sale)))).toEqual(amounts)
    expect(Math.max(...service.bodies.map(({ sales }) => sales.length))).toBeLessThanOrEqual(
      Math.min(most, 50),
    )
  })
  await fc.assert(property, { numRuns: 50 })
})

it('sends one request of the largest sales, of all scripts, below 1 MiB', async () => {
  const service = madeService([])
  const { transactions } = gatherSales(clientOf(service.fetch, 0), { wait: 0 })
  const text = '税'.repeat(5_700)
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => transactions.create(saleOf(`${at}`, 1, 'plain', text))),
  )
  expect(service.bodies).toHaveLength(1)
  expect(service.bodies[0]?.bytes).toBeLessThan(1_048_576)
})

it('sends a sale alone that no other one joins', async () => {
  const service = madeService([])
  const { transactions } = gatherSales(clientOf(service.fetch, 0), { wait: 0 })
  await transactions.create(saleOf('a', 1))
  expect(service.bodies.map(({ path }) => path)).toEqual([SINGLE])
})

it('rejects what is no JSON, and does not throw', async () => {
  const { transactions } = gatherSales(clientOf(madeService([]).fetch, 0), { wait: 0 })
  const circular: Record<string, unknown> = { ...saleOf('a', 1) }
  circular['metadata'] = circular
  const call = transactions.create(circular as Sent)
  await expect(call).rejects.toBeInstanceOf(TypeError)
})

/** A recorder of the service with an outbox in memory, in which these sales wait. */
function recorderOf(service: ReturnType<typeof madeService>, entries: readonly OutboxEntry[]) {
  const kept = new Map(entries.map((entry) => [entry.id, entry]))
  const told: string[] = []
  const recorder = createRecorder({
    tax: clientOf(service.fetch, 0),
    outbox: {
      put: async (entry) => void kept.set(entry.id, entry),
      list: async () => [...kept.values()],
      delete: async (id) => void kept.delete(id),
    },
    onUnrecorded: ({ entry, why }) => told.push(`${entry.id} ${why}`),
  })
  return { recorder, kept, told }
}

it('flushes up to 50 sales in one request, until the service is away', async () => {
  const service = madeService(['none', 'busy'])
  const entries = Array.from({ length: 120 }, (_, at) => ({
    id: `sale ${at}`,
    kind: 'sale' as const,
    sale: saleOf(`${at}`, at + 1, at === 7 ? 'refused' : 'plain'),
  }))
  const { recorder, kept, told } = recorderOf(service, entries)
  expect(await recorder.flush()).toBe(49)
  expect(told).toEqual(['sale 7 refused', 'sale 50 away'])
  expect(await recorder.flush()).toBe(70)
  expect([...kept.keys()]).toEqual(['sale 7'])
  expect(service.recorded.map(({ external_id }) => external_id)).toEqual(
    entries.filter(({ id }) => id !== 'sale 7').map(({ sale }) => sale.external_id),
  )
  expect(service.bodies.map(({ sales }) => sales.length)).toEqual([50, 50, 21])
})

it('flushes a credit note after the sales before it', async () => {
  const service = madeService([])
  const sale = (number: string, fields = {}): OutboxEntry => ({
    id: `sale ${number}`,
    kind: 'sale',
    sale: { ...saleOf(number, 1), ...fields },
  })
  const note = sale('note', { credit_note_for: { transaction_id: 'txn_a' } })
  const { recorder } = recorderOf(service, [sale('a'), sale('b'), note, sale('c')])
  expect(await recorder.flush()).toBe(4)
  expect(service.bodies.map(({ sales }) => sales.map(({ external_id }) => external_id))).toEqual([
    ['a', 'b'],
    ['note'],
    ['c'],
  ])
})
