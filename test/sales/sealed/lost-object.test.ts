import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { alarmsOf } from '../../../src/tax-data/status/alarms.ts'
import { watchOperations } from '../../../src/tax-data/status/watch.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { dyingAt } from './dying.ts'
import { accountWith, askSealed, BUCKET, count, countRefs, seal, WITH_CHESTS } from './sealed.ts'

keepAccountsIn(0)
await loadTestData()

async function stateOf(account_id: string): Promise<string | null> {
  const sql = 'SELECT state FROM chests WHERE account_id = ? ORDER BY number DESC'
  return env.DB.prepare(sql).bind(account_id).first<string>('state')
}

/** An account whose chest is verified, and of which some sales have left the books. */
async function halfSealed() {
  const owner = await accountWith(10)
  const dieUntil = async (reached: () => Promise<boolean>) => {
    for (let trip = 1; !(await reached()); trip += 1)
      await seal(dyingAt(trip, true).bindings).catch(() => undefined)
  }
  await dieUntil(async () => (await stateOf(owner.account_id)) === 'verified')
  await dieUntil(async () => (await countRefs(owner.account_id)) > 0)
  expect(await stateOf(owner.account_id)).toBe('verified')
  const { objects } = await BUCKET.list({ prefix: `books/${owner.account_id}/` })
  return { ...owner, keys: objects.map(({ key }) => key) }
}

it('seals the sales of other accounts if the object of a chest is lost, and raises an alarm', async () => {
  const { account_id, keys } = await halfSealed()
  const other = await accountWith(10)
  await BUCKET.delete(keys)
  await expect(seal()).rejects.toThrow('is not as it was written')
  expect(await count('transactions', other.account_id)).toBe(0)
  expect(await stateOf(account_id)).toBe('verified')
  await watchOperations(WITH_CHESTS, new Date(Date.now() + 510 * 86_400_000))
  const kept = await env.KV.get<{ measured: object }>('operations:now', 'json')
  const alarms = alarmsOf(kept?.measured ?? {}).filter(({ name }) => name === 'stuck_chests')
  expect(alarms).toMatchObject([{ status: 'warn', value: 1 }])
})

it('takes a lost object from the backups, and goes on', async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM chests'), env.DB.prepare('DELETE FROM chest_refs')])
  const { key, account_id, keys } = await halfSealed()
  for (const name of keys) {
    const bytes = (await (await BUCKET.get(name))?.arrayBuffer()) ?? new ArrayBuffer(0)
    await BUCKET.put(`chests/${name}`, bytes)
  }
  await BUCKET.delete(keys)
  await seal({ BACKUPS: BUCKET })
  expect([await stateOf(account_id), await count('transactions', account_id)]).toEqual(['sealed', 0])
  const { body } = await askSealed('GET', '/v1/transactions?limit=50', key)
  expect(body['transactions']).toHaveLength(10)
})
