import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { BudgetSpent, withBudget } from '../../../src/platform/invocation-budget.ts'
import { runJobs } from '../../../src/service/jobs.ts'
import { encryptSecret, keyIdOf } from '../../../src/notices/delivery/secrets.ts'
import { countSealedOtherwise } from '../../../src/notices/subscriptions/reseal-store.ts'
import { newAccount } from '../../support/account.ts'
import { D1_BATCH_MAX, statementsOf } from '../../support/platform-limits.ts'
import { listening } from '../../support/queues.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
const WEBHOOKS = 2_500

const quiet = () => ({ ...env, WORK: listening().queue, WEBHOOK_EVENTS: listening().queue })

/** Many webhooks with secrets under the key of the tests. */
async function fillWebhooks(): Promise<void> {
  await loadTestData()
  const { account_id } = await newAccount()
  await env.DB.prepare('DELETE FROM webhooks').run()
  const ids = Array.from({ length: WEBHOOKS }, (_, index) => `wh_${index}`)
  const rows = await Promise.all(
    ids.map(async (id) => ({ id, secret: await encryptSecret(env, id, 'whsec_x') })),
  )
  await env.DB.prepare(
    `INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
     SELECT value ->> 'id', ?2, 'https://x.example.com/', '["*"]', 'active', value ->> 'secret', '', ''
     FROM json_each(?1)`,
  )
    .bind(JSON.stringify(rows), account_id)
    .run()
}

it('a tick stays below the statements of an invocation while the encryption key is replaced', async () => {
  await fillWebhooks()
  const next = 'the next key'
  const bindings = { ...quiet(), ENCRYPTION_KEY_NEXT: next }
  const left = async () => countSealedOtherwise(env.DB, await keyIdOf(next))
  for (let ticks = 0; (await left()) > 0; ticks += 1) {
    expect(ticks).toBeLessThan(3)
    const counted = await statementsOf(() => runJobs('*/5 * * * *', bindings, new Date()))
    expect(counted).toBeGreaterThan(10)
    expect(counted).toBeLessThan(D1_BATCH_MAX)
  }
})

it('a quiet tick fits into the 50 statements of the free plan', async () => {
  await runJobs('*/5 * * * *', quiet(), new Date())
  const counted = await statementsOf(() => runJobs('*/5 * * * *', quiet(), new Date()))
  expect(counted).toBeLessThan(50)
})

describe('a tick with the budget of the free plan', () => {
  const FREE = 50
  /** Runs ticks until no job is skipped any more, and returns the lines of the log of each. */
  async function ticks(bindings: Bindings, from: Date): Promise<{ job: string; outcome: string }[][]> {
    const all: { job: string; outcome: string }[][] = []
    for (let minutes = 0; minutes < 60 * 24; minutes += 5) {
      const lines: { job: string; outcome: string }[] = []
      const keep = (line: string) => void lines.push(JSON.parse(line))
      const spies = (['log', 'error'] as const).map((name) =>
        vi.spyOn(console, name).mockImplementation(keep),
      )
      const at = new Date(from.getTime() + minutes * 60_000)
      const counted = await statementsOf(() => runJobs('*/5 * * * *', bindings, at))
      for (const spy of spies) spy.mockRestore()
      expect(counted).toBeLessThanOrEqual(FREE)
      all.push(lines.filter(({ job }) => job !== undefined))
      if (all.length > 1 && lines.every(({ outcome }) => outcome !== 'skipped')) return all
    }
    throw new Error('The ticks never end')
  }

  it('skips what it does not reach with a line in the log, and later ticks do all of it', async () => {
    await fillWebhooks()
    const next = 'the key after the next'
    const bindings = { ...quiet(), ENCRYPTION_KEY_NEXT: next, OPERATIONS_OF_TICK: String(FREE) }
    const lines = await ticks(bindings, new Date())
    const skipped = lines.flat().filter(({ outcome }) => outcome === 'skipped')
    // Which jobs are skipped depends on the time, because each tick begins with another one.
    expect(skipped).not.toEqual([])
    expect(skipped.filter((line) => !('level' in line) || line.level !== 'warn')).toEqual([])
    expect(lines.flat().filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1)
    expect(await countSealedOtherwise(env.DB, await keyIdOf(next))).toBe(0)
  })

  it('counts a batch by its statements, and does none of one that is too long', async () => {
    const { DB } = withBudget(env, 3)
    const one = () => DB.prepare('SELECT count(*) AS n FROM accounts WHERE id = ?').bind('none')
    expect(await one().first('n')).toBe(0)
    await expect(DB.batch([one(), one(), one()])).rejects.toThrow(BudgetSpent)
    expect(await DB.batch([one(), one()])).toHaveLength(2)
    await expect(one().first('n')).rejects.toThrow(BudgetSpent)
  })
})
