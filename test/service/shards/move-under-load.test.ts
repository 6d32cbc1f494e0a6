import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ownerIn, rowsIn, sell, tools } from './moving.ts'

await loadTestData()

type Page = { transactions: { external_id: string }[]; next_cursor: string | null }

it('a move ends while the account goes on writing, and keeps each acknowledged sale once', async () => {
  const owner = await ownerIn(1)
  const acknowledged: string[] = []
  const refused = new Set<string>()
  let moving = true
  const writer = async (name: string) => {
    for (let index = 0; moving || index < 5; index += 1) {
      const id = `${name}-${index}`
      const { status, body } = await sell(owner, id)
      if (status === 201) acknowledged.push(id)
      else refused.add(String(body['reason']))
    }
  }
  const writers = ['a', 'b', 'c'].map((name) => writer(name))
  await moveAccount(tools(), owner.account_id, 2).finally(() => (moving = false))
  await Promise.all(writers)
  expect([...refused].filter((reason) => reason !== 'account_moving')).toEqual([])
  expect((await rowsIn(shardOf(env, 2), owner.account_id))['transactions']).toBe(acknowledged.length)
  const found: string[] = []
  for (let cursor = ''; ;) {
    const page = await call('GET', `/v1/transactions?limit=100${cursor}`, { key: owner.key })
    const { transactions, next_cursor } = page.body as unknown as Page
    found.push(...transactions.map(({ external_id }) => external_id))
    if (next_cursor === null) break
    cursor = `&cursor=${next_cursor}`
  }
  expect(found.toSorted()).toEqual(acknowledged.toSorted())
})
