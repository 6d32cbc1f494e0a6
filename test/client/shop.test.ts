import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ApiError, createClient } from '../../client/src/client.ts'
import {
  createCheckout,
  createRecorder,
  type OnFailure,
  type OutboxEntry,
  recordOf,
  TaxUnavailableError,
  type Trouble,
  type Unrecorded,
} from '../../client/src/shop.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' as const }],
}

type State = 'up' | 'away' | 'answer lost' | 'refund lost' | 'silent'

/** A client of the service under test, whose connection a test can cut before or after the work. */
async function service() {
  const { key } = await newAccount()
  const line: { state: State; calls: number } = { state: 'up', calls: 0 }
  const fetch = async (request: Request) => {
    line.calls += 1
    if (line.state === 'away') throw new TypeError('connection refused')
    if (line.state === 'silent')
      return new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
      })
    const response = await exports.default.fetch(request)
    const refunds = request.url.endsWith('/refund')
    if (line.state === 'answer lost' || (line.state === 'refund lost' && refunds))
      throw new TypeError('connection reset')
    return response
  }
  const tax = createClient({ baseUrl: 'https://service.test', apiKey: key, fetch, retries: 0 })
  return { tax, line }
}

async function checkout(on_failure: OnFailure) {
  const { tax, line } = await service()
  const clock = { ms: 0 }
  const troubles: Trouble[] = []
  const limits = { time_limit_ms: 30_000, memo_ms: 1_000, last_known_ms: 60_000 }
  const onTrouble = (trouble: Trouble) => void troubles.push(trouble)
  const shop = createCheckout({ tax, on_failure, onTrouble, now: () => clock.ms, ...limits })
  return { tax, shop, line, clock, troubles }
}

describe('a checkout while the service is away', () => {
  it('refuses by the policy refuse, also what it knew', async () => {
    const { shop, line, clock, troubles } = await checkout('refuse')
    expect(await shop.calculate(SALE)).toMatchObject({ source: 'service', answer: { tax_amount: 1_900 } })
    line.state = 'away'
    clock.ms = 1_000
    const refusal = await shop.calculate(SALE).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(TaxUnavailableError)
    // A shopper may read it, so it has no address of the service.
    expect(String(refusal)).toMatch(/: The tax of this sale [^:]* service is away$/)
    expect(troubles).toMatchObject([{ outcome: 'refused' }])
  })

  it('gives the last answer to the same question by the policy last_known', async () => {
    const { shop, line, clock, troubles } = await checkout('last_known')
    await shop.calculate(SALE)
    line.state = 'away'
    clock.ms = 5_000
    const known = await shop.calculate(SALE)
    expect(known).toMatchObject({ source: 'last_known', age_ms: 5_000, answer: { tax_amount: 1_900 } })
    expect(troubles).toMatchObject([{ outcome: 'last_known', age_ms: 5_000 }])
  })

  it('refuses a question that it does not know, and an answer that is too old', async () => {
    const { shop, line, clock, troubles } = await checkout('last_known')
    await shop.calculate(SALE)
    line.state = 'away'
    const other = { ...SALE, line_items: [{ amount: 10_001, product_type: 'physical_goods' as const }] }
    await expect(shop.calculate(other)).rejects.toThrow(TaxUnavailableError)
    clock.ms = 60_001
    await expect(shop.calculate(SALE)).rejects.toThrow(TaxUnavailableError)
    expect(troubles.map(({ outcome }) => outcome)).toEqual(['refused', 'refused'])
    line.state = 'up'
    expect(await shop.calculate(SALE)).toMatchObject({ source: 'service' })
  })

  it('does not wait longer than the time limit', async () => {
    const { tax, line } = await service()
    const troubles: Trouble[] = []
    const onTrouble = (trouble: Trouble) => void troubles.push(trouble)
    const shop = createCheckout({ tax, on_failure: 'refuse', onTrouble, time_limit_ms: 20 })
    line.state = 'silent'
    await expect(shop.calculate(SALE)).rejects.toThrow(TaxUnavailableError)
    expect(troubles).toHaveLength(1)
  })

  it('hides no refusal of the service, and tells nobody of it', async () => {
    const { shop, troubles } = await checkout('last_known')
    await expect(shop.calculate({ ...SALE, currency: 'XXX1' })).rejects.toThrow(ApiError)
    expect(troubles).toEqual([])
  })

  it('does not depend on the callback', async () => {
    const { tax, line } = await service()
    const onTrouble = () => {
      throw new Error('The pager is broken')
    }
    const shop = createCheckout({ tax, on_failure: 'refuse', onTrouble })
    line.state = 'away'
    await expect(shop.calculate(SALE)).rejects.toThrow(TaxUnavailableError)
  })
})

describe('equal questions of a checkout', () => {
  it('are one call, in whatever order their fields are', async () => {
    const { shop, line } = await checkout('refuse')
    const { currency, ...rest } = SALE
    const [first, second] = await Promise.all([shop.calculate(SALE), shop.calculate({ ...rest, currency })])
    first.answer.tax_amount = 0
    expect(second.answer.tax_amount).toBe(1_900)
    expect(await shop.calculate(SALE)).toMatchObject({ source: 'memo', answer: { tax_amount: 1_900 } })
    expect(line.calls).toBe(1)
  })

  it('are asked again when the memo is old', async () => {
    const { shop, line, clock } = await checkout('refuse')
    await shop.calculate(SALE)
    clock.ms = 1_000
    expect(await shop.calculate(SALE)).toMatchObject({ source: 'service' })
    expect(line.calls).toBe(2)
  })
})

async function books() {
  const { tax, line } = await service()
  const kept = new Map<string, OutboxEntry>()
  const outbox = {
    put: async (entry: OutboxEntry) => void (kept.has(entry.id) || kept.set(entry.id, entry)),
    list: async () => [...kept.values()],
    delete: async (id: string) => void kept.delete(id),
  }
  const unrecorded: Unrecorded[] = []
  const recorder = createRecorder({ tax, outbox, onUnrecorded: (each) => void unrecorded.push(each) })
  const sales = async () => {
    const found = []
    for await (const sale of tax.transactions.list()) found.push(sale)
    return found
  }
  return { recorder, line, kept, unrecorded, sales, tax }
}

describe('options that are missing or misspelt', () => {
  const nothing = {} as never
  it('are told when the shop starts, and not at its first sale', async () => {
    const { tax } = await service()
    const outbox = { put: async () => {}, list: async () => [], delete: async () => {} }
    const onTrouble = () => {}
    expect(() => createRecorder(nothing)).toThrow('createRecorder: tax.transactions.create is missing')
    expect(() => createRecorder({ tax, outbox } as never)).toThrow('onUnrecorded is missing')
    expect(() => createCheckout(nothing)).toThrow('createCheckout: tax.calculate is missing')
    expect(() => createCheckout({ tax, on_failure: 'refuse' } as never)).toThrow('onTrouble is missing')
    for (const on_failure of [undefined, 'zero'])
      expect(() => createCheckout({ tax, onTrouble, on_failure } as never)).toThrow(
        'on_failure must be one of refuse, last_known, snapshot',
      )
  })
})

describe('the recorder', () => {
  it('has each sale and refund once in the books, wherever the connection broke', async () => {
    const { recorder, line, kept, unrecorded, sales } = await books()
    const refund = { amount: 1_190, reason: 'Broken', external_id: 'r-1' }
    expect(await recorder.sale({ ...SALE, external_id: 'o-1' })).toBe(true)
    line.state = 'answer lost'
    expect(await recorder.sale({ ...SALE, external_id: 'o-2' })).toBe(false)
    line.state = 'away'
    expect(await recorder.sale({ ...SALE, external_id: 'o-3' })).toBe(false)
    expect(await recorder.refund('o-3', refund)).toBe(false)
    expect(unrecorded.map(({ why }) => why)).toEqual(['away', 'away', 'away'])
    expect(await recorder.flush()).toBe(0)
    line.state = 'answer lost'
    expect(await recorder.flush()).toBe(0)
    line.state = 'up'
    expect(await recorder.flush()).toBe(3)
    expect([kept.size, await recorder.flush()]).toEqual([0, 0])
    const found = await sales()
    expect(new Set(found.map(({ external_id }) => external_id))).toEqual(new Set(['o-1', 'o-2', 'o-3']))
    expect(found).toHaveLength(3)
    expect(found.find(({ external_id }) => external_id === 'o-3')).toMatchObject({
      status: 'refunded',
      total: 11_900,
    })
  })

  it('does a refund once if its answer was lost', async () => {
    const { recorder, line, kept, unrecorded, sales } = await books()
    await recorder.sale({ ...SALE, external_id: 'o-1' })
    line.state = 'refund lost'
    expect(await recorder.refund('o-1', { rest: true, reason: 'Broken', external_id: 'r-1' })).toBe(false)
    expect(unrecorded).toMatchObject([{ why: 'away' }])
    line.state = 'up'
    expect([await recorder.flush(), kept.size]).toEqual([1, 0])
    expect(await sales()).toMatchObject([{ external_id: 'o-1', amount_refunded: 11_900 }])
  })

  it('keeps what the service refuses, tells it, and goes on with the rest', async () => {
    const { recorder, line, kept, unrecorded } = await books()
    line.state = 'away'
    await recorder.sale({ ...SALE, currency: 'XXX1', external_id: 'o-1' })
    await recorder.sale({ ...SALE, external_id: 'o-2' })
    line.state = 'up'
    expect(await recorder.flush()).toBe(1)
    expect([...kept.keys()]).toEqual(['sale o-1'])
    expect(unrecorded.at(-1)).toMatchObject({ why: 'refused', entry: { id: 'sale o-1' } })
  })

  it('calls no refund recorded whose number another sale has, and keeps both apart', async () => {
    const { recorder, line, kept, unrecorded, sales } = await books()
    const refund = { amount: 1_190, reason: 'Broken', external_id: '1' }
    await recorder.sale({ ...SALE, external_id: 'A' })
    await recorder.sale({ ...SALE, external_id: 'B' })
    line.state = 'away'
    await recorder.refund('A', refund)
    await recorder.refund('B', refund)
    expect(kept.size).toBe(2)
    line.state = 'up'
    expect(await recorder.flush()).toBe(1)
    expect(unrecorded.at(-1)).toMatchObject({ why: 'taken', entry: { sale_external_id: 'B' } })
    expect([...kept.values()]).toMatchObject([{ sale_external_id: 'B' }])
    const refunded = (await sales()).map(({ external_id, amount_refunded }) => [external_id, amount_refunded])
    expect(new Map(refunded as [string, number][])).toEqual(
      new Map([
        ['A', 1_190],
        ['B', 0],
      ]),
    )
  })

  it.each([
    ['another amount', { line_items: [{ amount: 9_999, product_type: 'physical_goods' as const }] }],
    ['another currency', { currency: 'USD' }],
    ['more lines', { line_items: [...SALE.line_items, ...SALE.line_items] }],
  ])('calls no sale recorded whose number has %s in the books', async (_, other) => {
    const { recorder, kept, unrecorded } = await books()
    await recorder.sale({ ...SALE, external_id: '1001' })
    expect(await recorder.sale({ ...SALE, ...other, external_id: '1001' })).toBe(false)
    expect(unrecorded).toMatchObject([{ why: 'taken', error: { name: 'NumberTakenError' } }])
    expect([...kept.keys()]).toEqual(['sale 1001'])
  })

  it('knows a sale again with discounts, units, shipping, or as its calculation', async () => {
    const { recorder, unrecorded, tax } = await books()
    const sale = {
      ...SALE,
      line_items: [
        { amount: 10_000, quantity: 3, discount: 500, product_type: 'physical_goods' as const },
        { unit_amount: 333, quantity: 1.5, product_type: 'groceries' as const },
        { unit_amount: 333, quantity: 2, product_type: 'books' as const },
      ],
      discount_amount: 701,
      shipping_cost: { amount: 490 },
    }
    const { currency: _currency, line_items: _lines, discount_amount: _discount, ...rest } = sale
    const { shipping_cost: _shipping, ...parties } = rest
    const calculation = await tax.calculate(sale)
    for (const _ of ['first', 'repeat']) {
      expect(await recorder.sale({ ...sale, external_id: 'o-1' })).toBe(true)
      expect(await recorder.sale({ ...parties, calculation, external_id: 'o-2' })).toBe(true)
    }
    expect(unrecorded).toEqual([])
  })

  it('calls no refund recorded whose number has another amount, and knows the same again', async () => {
    const { recorder, unrecorded } = await books()
    await recorder.sale({ ...SALE, external_id: 'o-1' })
    const refund = { amount: 1_190, reason: 'Broken', external_id: 'r-1' }
    for (const _ of ['first', 'repeat']) expect(await recorder.refund('o-1', refund)).toBe(true)
    expect(await recorder.refund('o-1', { ...refund, amount: 100 })).toBe(false)
    expect(unrecorded).toMatchObject([{ why: 'taken' }])
  })

  it('neither keeps nor sends a refund of 0, and forgets one that waits', async () => {
    const { recorder, kept, unrecorded, sales } = await books()
    await recorder.sale({ ...SALE, external_id: 'o-1' })
    const refund = { amount: 0, reason: 'Kindness', external_id: 'r-1', shop_lines: [] }
    expect(await recorder.refund('o-1', refund)).toBe(true)
    kept.set('refund r-1', { id: 'refund r-1', kind: 'refund', sale_external_id: 'o-1', refund })
    expect([await recorder.flush(), kept.size]).toEqual([1, 0])
    expect((await sales())[0]?.refunds).toEqual([])
    expect(unrecorded).toEqual([])
  })

  it('cuts no character of a long reason in half', async () => {
    const { recorder, unrecorded } = await books()
    await recorder.sale({ ...SALE, external_id: 'o-1' })
    const shared = { amount: 100, reason: `${'x'.repeat(443)}${'😀'.repeat(60)}`, shop_lines: [] }
    expect(await recorder.refund('o-1', { ...shared, external_id: 'r-1' })).toBe(true)
    expect(await recorder.refund('o-1', { ...shared, reason: '😀\0'.repeat(300), external_id: 'r-2' })).toBe(
      true,
    )
    expect(unrecorded).toEqual([])
  })

  it('gives a sale that waits the day of the sale', async () => {
    const { recorder, line, kept } = await books()
    line.state = 'away'
    await recorder.sale({ ...SALE, external_id: 'o-1' })
    expect(kept.get('sale o-1')).toMatchObject({
      sale: { transaction_date: expect.stringMatching(/^20.*Z$/) },
    })
  })
})

describe('the record of a calculation', () => {
  it('has what the buyer paid, though the registration ended meanwhile, also from the outbox', async () => {
    const { tax } = await service()
    await tax.account.update({ country: 'DE' })
    const { id } = await tax.registrations.create({ jurisdiction_id: 'GB', valid_from: '2020-01-01' })
    const customer = { address: { country: 'GB' } }
    const line_items = [{ amount: 10_000, product_type: 'saas' as const }]
    const answer = await tax.calculate({ currency: 'GBP', customer, line_items, explain: true })
    await tax.registrations.update(id, { valid_to: '2020-02-01' })
    const record = recordOf(answer, { external_id: 'order-1', customer })
    expect(JSON.stringify(record)).not.toContain('"trace"')
    const outbox = { put: async () => {}, list: async () => [], delete: async () => {} }
    const recorder = createRecorder({ tax, outbox, onUnrecorded: (told) => expect(told).toBeNull() })
    expect([await recorder.sale(record), await recorder.sale(record)]).toEqual([true, true])
    expect(await tax.transactions.getByExternalId('order-1')).toMatchObject({
      tax_amount: 2_000,
      tax_variance: 2_000,
    })
  })
})
