import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { callWith, DOWN, withDatabase } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

const PATH = '/v1/account/example-books'

/** Fails the n-th trip to the database: before it is made, or after it was, when its answer is lost. */
function failingAt(n: number, made: boolean) {
  let trips = 0
  const bindings = withDatabase(async (trip) => {
    trips += 1
    if (trips !== n) return trip()
    if (made) await trip()
    throw DOWN
  })
  return { bindings, reached: () => trips >= n }
}

it('are added in fewer trips to the database than the free plan allows', async () => {
  const { key } = await newAccount({ sandbox: true })
  let trips = 0
  const bindings = withDatabase((trip) => {
    trips += 1
    return trip()
  })
  await callWith(bindings, key, { method: 'POST', path: PATH, body: undefined })
  expect(trips).toBeLessThan(50)
})

it.each([true, false])(
  'are there in full or not at all, wherever a request is killed (after its trip: %s)',
  { timeout: 300_000 },
  async (made) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { key, account_id } = await newAccount({ sandbox: true })
    const salesOf = async () => (await call('GET', '/v1/transactions', { key })).body['total']
    const registered = async () => (await call('GET', '/v1/registrations', { key })).body['total']
    const interrupt = async (method: string, n: number) => {
      const { bindings, reached } = failingAt(n, made)
      await callWith(bindings, key, { method, path: PATH, body: undefined })
      return reached()
    }
    for (let n = 1; ; n += 1) {
      const reached = await interrupt('POST', n)
      expect([0, 64]).toContain(await salesOf())
      expect((await call('POST', PATH, { key })).status).toBe(201)
      expect([await salesOf(), await registered()]).toEqual([64, 4])
      const removing = await interrupt('DELETE', n)
      expect([0, 64]).toContain(await salesOf())
      expect((await call('DELETE', PATH, { key })).status).toBe(200)
      expect([await salesOf(), await registered()]).toEqual([0, 0])
      expect(await verifyTotals(env.DB, account_id)).toEqual([])
      if (!reached && !removing) break
    }
    const { usage } = (await call('GET', '/v1/account/usage', { key })).body
    expect(usage).toMatchObject({
      transaction_lines: { stored: 0 },
      refunds: { stored: 0 },
      customers: { stored: 0 },
      registrations: { stored: 0 },
    })
  },
)
