import { keepAccountsIn } from '../../../support/shards.ts'
import { expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { CALCULATED, created, GIVEN } from '../sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

it('finds nothing in books that agree, and says every difference in books that do not', async () => {
  const { key, account_id } = await newAccount()
  const id = await created(key, { ...CALCULATED, transaction_date: '2026-03-31' })
  await created(key, { ...GIVEN, transaction_date: '2026-04-01' })
  await created(key, { ...GIVEN, transaction_date: '2026-04-01', status: 'pending' })
  await call('POST', `/v1/transactions/${id}/refund`, { key, body: { amount: 333, reason: 'returned' } })
  expect(await verifyTotals(books, account_id)).toEqual([])

  await books
    .prepare(
      "UPDATE tax_totals SET net_amount = net_amount + 1 WHERE account_id = ? AND period = '2026-04-01'",
    )
    .bind(account_id)
    .run()
  await books
    .prepare("DELETE FROM tax_totals WHERE account_id = ? AND period = '2026-03'")
    .bind(account_id)
    .run()
  await books
    .prepare(
      "UPDATE transaction_counts SET transactions = 7 WHERE account_id = ? AND status = 'pending' AND span = 'month'",
    )
    .bind(account_id)
    .run()
  await books
    .prepare(
      "INSERT INTO transaction_counts (account_id, span, period, jurisdiction_id, status, transactions) VALUES (?, 'day', '2024-05-06', 'FR', 'voided', 3)",
    )
    .bind(account_id)
    .run()
  const found = await verifyTotals(books, account_id)
  expect(found).toContainEqual(
    expect.objectContaining({ table: 'tax_totals', column: 'net_amount', kept: 10_001, recomputed: 10_000 }),
  )
  expect(found).toContainEqual(
    expect.objectContaining({ table: 'tax_totals', column: 'tax_amount', kept: null, recomputed: 2_995 }),
  )
  expect(found).toContainEqual(
    expect.objectContaining({ table: 'transaction_counts', kept: 7, recomputed: 1 }),
  )
  expect(found).toContainEqual({
    table: 'transaction_counts',
    key: 'day | 2024-05-06 | FR | voided',
    column: 'transactions',
    kept: 3,
    recomputed: null,
  })
})
