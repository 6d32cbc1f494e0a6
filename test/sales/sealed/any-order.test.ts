import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyAudit } from '../../../scripts/verify/audit.ts'
import { thawSales } from '../../../src/sales/sealed/thaw.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import {
  accountWith,
  askSealed,
  BUCKET,
  putAway,
  saleOf,
  seal,
  sellMany,
  wholeLog,
  WITH_CHESTS,
} from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)
await loadTestData()

const SIZES = { chest: 4, block: 2, slice: 1 }

const STEP = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('sell' as const), which: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('seal' as const, 'put away' as const),
      which: fc.constant(0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('refund' as const, 'credit' as const, 'thaw' as const, 'replace' as const),
      which: fc.nat(40),
    }),
  },
)

it('keeps each sale once and the totals right, whatever the order of what happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 6, maxLength: 14 }), async (steps) => {
      const { key, account_id } = await accountWith(5)
      let sold = 5
      let notes = 0
      for (const { does, which } of steps) {
        const name = `order-${which % sold}`
        if (does === 'sell') {
          await sellMany(key, sold, which)
          sold += which
        } else if (does === 'seal') await Promise.all([seal({}, SIZES), seal({}, SIZES)])
        else if (does === 'put away') {
          await putAway({}, 0)
          const log = await wholeLog(key, 100)
          await Promise.all([putAway(), putAway()])
          expect(await wholeLog(key, 9)).toEqual(log)
        } else if (does === 'thaw')
          await thawSales(
            { env: WITH_CHESTS, books: env.DB, principal: { account_id } },
            { ids: [], external_ids: [name] },
          )
        else if (does === 'refund') {
          const { body } = await askSealed('GET', `/v1/transactions/external/${name}`, key)
          const before = Number(body['amount_refunded'])
          const refund = { amount: 7, reason: 'partial' }
          const made = await askSealed('POST', `/v1/transactions/${String(body['id'])}/refund`, key, refund)
          const { body: after } = await askSealed('GET', `/v1/transactions/external/${name}`, key)
          expect(Number(after['amount_refunded'])).toBe(before + (made.status === 200 ? 7 : 0))
          expect([200, 400], made.text).toContain(made.status)
        } else if (does === 'credit') {
          notes += 1
          const made = await askSealed('POST', '/v1/transactions', key, {
            ...saleOf(which % sold),
            external_id: `note-${notes}`,
            invoice_number: `N-${notes}`,
            transaction_date: '2026-09-01',
            line_items: [{ amount: -5, product_type: 'saas' }],
            credit_note_for: { external_id: name },
          })
          expect(made.status, made.text).toBe(201)
        } else {
          const body = { ...saleOf(which % sold), line_items: [{ amount: 777, product_type: 'saas' }] }
          const made = await askSealed('PUT', `/v1/transactions/external/${name}`, key, body)
          expect([200, 400], made.text).toContain(made.status)
        }
        await env.DB.prepare('UPDATE transactions SET searchable = 1').run()
        expect(await differencesOfMonths(account_id), does).toEqual([])
      }
      await everySaleOnce(key, sold, notes)
      const at = new Date(Date.now() + 3_600_000)
      expect((await verifyAudit(env.DB, account_id, at, null, { chests: BUCKET })).faults).toEqual([])
    }),
    { numRuns: 12 },
  )
}, 300_000)

/** Each sale is on the list once, and is what its external id leads to. */
async function everySaleOnce(key: string, sold: number, notes: number): Promise<void> {
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await askSealed('GET', `/v1/transactions?limit=3${cursor}`, key)
    for (const { external_id } of body['transactions'] as { external_id: string | null }[])
      if (external_id !== null) seen.push(external_id)
    const next = body['next_cursor']
    cursor = typeof next === 'string' ? `&cursor=${encodeURIComponent(next)}` : ''
  } while (cursor !== '')
  const expected = [
    ...Array.from({ length: sold }, (_, index) => `order-${index}`),
    ...Array.from({ length: notes }, (_, index) => `note-${index + 1}`),
  ]
  expect(seen.toSorted()).toEqual(expected.toSorted())
  for (const name of expected)
    expect((await askSealed('GET', `/v1/transactions/external/${name}`, key)).body['external_id']).toBe(name)
  expect((await askSealed('POST', '/v1/transactions', key, saleOf(0))).body['reason']).toBe(
    'external_id_taken',
  )
}
