import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { thawSales } from '../../../src/sales/sealed/thaw.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { accountWith, askSealed, count, seal, shownOf, WITH_CHESTS } from './sealed.ts'

keepAccountsIn(0)
await loadTestData()

/** Texts near the bytes that a sale may have: as they are sent to the database, they are much longer. */
it.each([
  ['letters of three bytes', '税'.repeat(5_000), { chest: 128, block: 64, slice: 1 }],
  ['characters that are escaped', '"'.repeat(7_500), { chest: 64, block: 64, slice: 1 }],
])('reads and thaws sealed sales with long texts of %s', async (_, text, sizes) => {
  const { key, account_id } = await accountWith(sizes.chest)
  await env.DB.prepare(
    "UPDATE transactions SET facts = json_set(facts, '$.metadata', json_object('note', ?))",
  )
    .bind(text)
    .run()
  const list = '/v1/transactions?limit=100'
  const before = shownOf(await askSealed('GET', list, key))
  await seal({}, sizes)
  expect(await count('transactions', account_id)).toBe(0)
  const sealed = shownOf(await askSealed('GET', list, key))
  expect(sealed.slice(0, 200)).toBe(before.slice(0, 200))
  expect(sealed === before).toBe(true)
  const external_ids = Array.from({ length: sizes.chest }, (_each, index) => `order-${index}`)
  const source = { env: WITH_CHESTS, books: env.DB, principal: { account_id } }
  await thawSales(source, { ids: [], external_ids })
  expect(await count('transactions', account_id)).toBe(sizes.chest)
  expect(shownOf(await askSealed('GET', list, key)) === before).toBe(true)
})
