import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../client/src/client.ts'
import {
  createRecorder,
  type OutboxEntry,
  type ShopRefundLine,
  type Unrecorded,
} from '../../client/src/shop.ts'
import { metadataOfLines } from '../../client/src/shop/refund-by-line.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const SALE = { currency: 'EUR', seller: { country: 'DE' }, customer: { address: { country: 'DE' } } }

/** The books of a new account, and what the recorder told. */
async function books() {
  const { key } = await newAccount()
  const fetch = (request: Request) => exports.default.fetch(request)
  const tax = createClient({ baseUrl: 'https://service.test', apiKey: key, fetch, retries: 0 })
  const kept = new Map<string, OutboxEntry>()
  const outbox = {
    put: async (entry: OutboxEntry) => void kept.set(entry.id, entry),
    list: async () => [...kept.values()],
    delete: async (id: string) => void kept.delete(id),
  }
  const unrecorded: Unrecorded[] = []
  const recorder = createRecorder({ tax, outbox, onUnrecorded: (each) => void unrecorded.push(each) })
  const saleOf = (number: string) => tax.transactions.getByExternalId(number)
  return { recorder, unrecorded, saleOf }
}

type Books = Awaited<ReturnType<typeof books>>

/** A lamp with 19 % and three books with 7 %, and shipping. The order of the lines is that of the shop. */
async function soldBooks(): Promise<Books> {
  const made = await books()
  await made.recorder.sale({
    ...SALE,
    external_id: 'o-1',
    line_items: [
      { amount: 10_000, product_type: 'physical_goods' },
      { amount: 2_999, quantity: 3, product_type: 'books' },
      { amount: 500, product_type: 'shipping' },
    ],
    shop_lines: ['lamp 1', 'book/2'],
    metadata: { shop: 'main' },
  })
  return made
}

/** What each refund of the sale gives back of the lines, by their position. */
async function refundsOf({ saleOf }: Books) {
  const { line_items, refunds } = await saleOf('o-1')
  return refunds.map(
    (refund) =>
      refund.line_items?.map((line) => [
        line_items.findIndex(({ id }) => id === line.id),
        line.net_amount + line.tax_amount,
      ]) ?? refund.reason,
  )
}

const refund = (external_id: string, amount: number, shop_lines: readonly ShopRefundLine[] = []) => ({
  external_id,
  amount,
  reason: 'Back',
  shop_lines,
})

describe('a refund by the lines of the shop', () => {
  it('takes the amount from the named lines, in proportion to what came back', async () => {
    const made = await soldBooks()
    const { recorder } = made
    await recorder.refund('o-1', refund('r-1', 1_070, [{ shop_line: 'book/2', quantity: 1 }]))
    const both = [{ shop_line: 'lamp 1' }, { shop_line: 'book/2', quantity: 1 }]
    await recorder.refund('o-1', { ...refund('r-2', 1_297, both), shop_shipping: 60 })
    expect(await refundsOf(made)).toEqual([
      [[1, 1_070]],
      [
        [0, 1_135],
        [1, 102],
        [2, 60],
      ].map(([at]) => [at, expect.any(Number)]),
    ])
    const { amount_refunded, metadata, refunds } = await made.saleOf('o-1')
    expect([amount_refunded, refunds[0]?.tax_amount, metadata['shop']]).toEqual([2_367, 70, 'main'])
  })

  it('is shared over all lines if the shop names none or others, and says so', async () => {
    const made = await soldBooks()
    await made.recorder.refund('o-1', refund('r-1', 1_000))
    await made.recorder.refund('o-1', refund('r-2', 1_000, [{ shop_line: 'chair' }]))
    expect(await refundsOf(made)).toEqual([
      'Back (shared over all lines, because the shop names none)',
      'Back (shared over all lines, because the books do not have the lines that the shop names)',
    ])
  })

  it('gives what the named lines do not have left to the others, and says so', async () => {
    const made = await soldBooks()
    await made.recorder.refund('o-1', refund('r-1', 3_211, [{ shop_line: 'book/2' }]))
    expect((await made.saleOf('o-1')).refunds[0]).toMatchObject({
      amount: 3_211,
      reason: 'Back (2 is more than its lines have left, and is shared over the others)',
    })
  })

  it('is sent once, and by line, after a refund that was shared', async () => {
    const made = await soldBooks()
    await made.recorder.refund('o-1', refund('r-1', 1_000))
    for (const _ of ['first', 'repeat'])
      await made.recorder.refund('o-1', refund('r-2', 500, [{ shop_line: 'lamp 1' }]))
    expect(await refundsOf(made)).toEqual([expect.any(String), [[0, 500]]])
  })

  it('is refused, and never over the sale, if it is more than all that is left', async () => {
    const { recorder, unrecorded, saleOf } = await soldBooks()
    const { total } = await saleOf('o-1')
    expect(await recorder.refund('o-1', refund('r-1', total + 1, [{ shop_line: 'lamp 1' }]))).toBe(false)
    expect(unrecorded).toMatchObject([{ why: 'refused' }])
    expect((await saleOf('o-1')).amount_refunded).toBe(0)
  })

  it('adds up to the sale and to each of its lines, in any order and parts', async () => {
    const random = seeded(11)
    for (let round = 0; round < 12; round += 1) {
      const made = await books()
      const sold = Array.from({ length: 2 + random(3) }, () => 1 + random(4))
      await made.recorder.sale({
        ...SALE,
        external_id: 'o-1',
        line_items: sold.map((quantity, at) => ({
          amount: 1 + random(9_999),
          quantity,
          product_type: at % 2 === 0 ? 'physical_goods' : 'books',
        })),
        shop_lines: sold.map((_, at) => `line ${at}`),
      })
      const sale = await made.saleOf('o-1')
      // A shop multiplies a rounded price of a piece, and gives the rest with the last piece of all.
      const pieces = sold.flatMap((quantity, at) => Array.from({ length: quantity }, () => at))
      pieces.sort(() => random(3) - 1)
      let left = sale.total
      for (const [number, at] of pieces.entries()) {
        const { net_amount = 0, tax_amount = 0 } = sale.line_items[at] ?? {}
        const price = Math.round((net_amount + tax_amount) / (sold[at] ?? 1))
        const amount = number === pieces.length - 1 ? left : Math.min(price, left)
        if (amount === 0) continue
        left -= amount
        const given = refund(`r-${number}`, amount, [{ shop_line: `line ${at}`, quantity: 1 }])
        expect(await made.recorder.refund('o-1', given)).toBe(true)
      }
      const after = await made.saleOf('o-1')
      expect([after.amount_refunded, after.tax_refunded]).toEqual([sale.total, sale.tax_amount])
      const byLine = after.refunds.flatMap(({ line_items }) => line_items ?? [])
      const sums = sale.line_items.map(({ id }) => {
        const own = byLine.filter((line) => line.id === id)
        const sum = (name: 'net_amount' | 'tax_amount') => own.reduce((total, line) => total + line[name], 0)
        return [sum('net_amount'), sum('tax_amount')]
      })
      expect(sums).toEqual(sale.line_items.map(({ net_amount, tax_amount }) => [net_amount, tax_amount]))
    }
  })
})

it('keeps as many ids of lines as the metadata of a sale can contain', () => {
  const ids = Array.from(
    { length: 500 },
    (_, at) => `0b5c41a2-7c0e-4f36-9d57-${String(at).padStart(12, '0')}`,
  )
  const metadata = metadataOfLines(ids)
  expect(Object.values(metadata).join(' ').split(' ')).toEqual(ids)
  expect(Object.keys(metadata).length).toBeLessThanOrEqual(40)
  expect(Math.max(...Object.values(metadata).map(({ length }) => length))).toBeLessThanOrEqual(500)
  expect(metadataOfLines(['a', 'b'.repeat(501), 'c'])).toEqual({ shop_lines_0: 'a' })
})

function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
