import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFiledRows } from '../../../src/returns/archive/returns-store.ts'
import { pagesOfLines, readLineEntries } from '../../../src/returns/rows/report-lines-store.ts'
import { readLinesIn } from '../../../src/returns/archive/reconcile-store.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { seal, WITH_CHESTS } from '../../sales/sealed/sealed.ts'
import { file, linesInBooks, saleOn, sealLines, seller, sellMany, sent } from './sealing.ts'

keepAccountsIn(0)
await loadTestData()

const DAYS = { from: '2026-01-01', to: '2026-03-31' }

it('gives the same pages and the same late lines from the books and from blocks of any size', async () => {
  const size = (max: number) => fc.integer({ min: 1, max })
  const cases = fc.record({
    sales: size(9),
    late: fc.integer({ min: 0, max: 4 }),
    block: size(7),
    slice: size(6),
    limit: size(8),
    with_sales: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ sales, late, block, slice, limit, with_sales }) => {
      const { key, account_id } = await seller()
      await sellMany(key, 0, sales)
      const id = await file(key, '2026-Q1')
      const source = { env: WITH_CHESTS, books: env.DB, principal: { account_id } }
      const asked = { id, row_count: 2 * sales }
      const pages = async () => {
        const found = []
        for (let from = 0; from <= 2 * sales; from += 1)
          found.push(await readFiledRows(source, asked, from, limit))
        return found
      }
      const before = await pages()
      await sealLines({}, { block, slice })
      expect(await linesInBooks(account_id)).toBe(0)
      expect(await pages()).toEqual(before)
      for (let index = 0; index < late; index += 1)
        await sent('POST', '/v1/transactions', key, saleOn(`2026-02-0${index + 1}`, 50 + index))
      if (with_sales) await seal({}, { chest: 4, block: 2, slice: 1 })
      const scope = { ...DAYS, keys: null, not_in: [id] }
      const found = []
      for await (const page of pagesOfLines(source, scope)) found.push(...page)
      expect(found.map(({ external_id }) => String(external_id)).toSorted()).toEqual(
        Array.from({ length: late }, (_, index) => [`order-${50 + index}`, `order-${50 + index}`]).flat(),
      )
      const first = await readLineEntries(source, scope, {}, null, limit)
      expect(first).toEqual(found.slice(0, limit))
      const last = first.at(-1) ?? null
      if (last !== null)
        expect(await readLineEntries(source, scope, {}, last, limit)).toEqual(found.slice(limit, 2 * limit))
      const sums = await readLinesIn(source, DAYS, [id])
      const netOf = (rows: { net_amount: number }[]) => rows.reduce((sum, row) => sum + row.net_amount, 0)
      expect([sums.reduce((sum, { lines }) => sum + lines, 0), netOf(sums)]).toEqual([2 * late, netOf(found)])
      expect(sums.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(late)
    }),
    { numRuns: 10 },
  )
}, 240_000)
