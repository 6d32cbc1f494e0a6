import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { unchecked } from '../../../src/platform/database/databases.ts'
import { readNow } from '../../../src/sales/sealed/seal-store.ts'
import { booksOfBlocks } from '../../../src/sales/sealed/sealed-books-store.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { accountWith } from './sealed.ts'

keepAccountsIn(0)
await loadTestData()

it.each([
  [
    'one that defines a table',
    'WITH own AS (SELECT external_id FROM transactions WHERE account_id = ?) SELECT * FROM own WHERE external_id <> ? ORDER BY 1',
  ],
  [
    'one that defines a table on a line of its own',
    '\n WITH\n own AS (SELECT external_id FROM transactions WHERE account_id = ?) SELECT * FROM own WHERE external_id <> ? ORDER BY 1',
  ],
  [
    'a recursive one',
    'WITH RECURSIVE names (name) AS (SELECT min(external_id) FROM transactions WHERE account_id = ?1 UNION ALL SELECT (SELECT min(external_id) FROM transactions WHERE account_id = ?1 AND external_id > name) FROM names WHERE name IS NOT NULL) SELECT name AS external_id FROM names WHERE name <> ?2',
  ],
  [
    'one that names an index, with text like a parameter',
    "SELECT external_id FROM transactions INDEXED BY transactions_by_external_id WHERE account_id = ? AND '?9 it''s ?' <> '' AND external_id <> ? ORDER BY 1",
  ],
  [
    'numbered parameters in another order',
    'SELECT external_id FROM transactions WHERE external_id <> ?2 AND account_id = ?1 ORDER BY 1',
  ],
])('asks of sealed sales what it asks of the books: %s', async (_, sql) => {
  const { account_id } = await accountWith(3)
  const ask = async (books: typeof env.DB) =>
    (await unchecked(books).prepare(sql).bind(account_id, 'order-1').all()).results
  const before = await ask(env.DB)
  expect(before).toEqual([{ external_id: 'order-0' }, { external_id: 'order-2' }])
  const { results } = await env.DB.prepare('SELECT id FROM transactions WHERE account_id = ?')
    .bind(account_id)
    .all<{ id: string }>()
  const ids = results.map(({ id }) => id)
  const { transactions, transaction_lines } = await readNow(env.DB, account_id, ids)
  const tableOf = (rows: Record<string, string | number | null>[]) => {
    const columns = Object.keys(rows[0] ?? {})
    return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) }
  }
  await env.DB.batch(
    ['transaction_lines', 'transactions'].map((table) =>
      unchecked(env.DB).prepare(`DELETE FROM ${table} WHERE account_id = ?`).bind(account_id),
    ),
  )
  const block = { transactions: tableOf(transactions), transaction_lines: tableOf(transaction_lines) }
  const sealed = await booksOfBlocks(env.DB, [block])
  expect(
    (
      await sealed
        .prepare(sql as never)
        .bind(account_id, 'order-1')
        .all()
    ).results,
  ).toEqual(before)
})
