import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { askSealed, count, seal, shownOf } from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)
await loadTestData()

const PATH = '/v1/account/example-books'
const LIST = '/v1/transactions?limit=100&sort=oldest'

it('seals example books as all others, and then removes none of them', async () => {
  const { key, account_id } = await newAccount({ sandbox: true })
  expect((await askSealed('POST', PATH, key)).body).toMatchObject({ transactions: 64 })
  await env.DB.prepare('DELETE FROM day_changes').run()
  const before = await askSealed('GET', LIST, key)
  for (let ticks = 0; ticks < 3; ticks += 1) await seal()
  // A chest is sealed when it is full, and sales with a refund stay.
  expect(await count('transactions', account_id)).toBeLessThan(30)
  expect(shownOf(await askSealed('GET', LIST, key))).toBe(shownOf(before))
  expect((await askSealed('POST', PATH, key)).body).toMatchObject({ already_there: true })
  const { status, body } = await askSealed('DELETE', PATH, key)
  expect([status, body['reason']]).toEqual([400, 'transaction_not_replaceable'])
  expect(shownOf(await askSealed('GET', LIST, key))).toBe(shownOf(before))
  expect(await differencesOfMonths(account_id)).toEqual([])
})
