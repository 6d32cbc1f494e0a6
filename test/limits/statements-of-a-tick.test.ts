import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { runJobs } from '../../src/jobs.ts'
import { encryptSecret, keyIdOf } from '../../src/webhooks/secrets.ts'
import { countSealedOtherwise } from '../../src/webhooks/reseal-store.ts'
import { newAccount } from '../support/account.ts'
import { D1_BATCH_MAX, statementsOf } from '../support/platform-limits.ts'
import { listening } from '../support/queues.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
const WEBHOOKS = 2_500

const quiet = () => ({ ...env, WORK: listening().queue, WEBHOOK_EVENTS: listening().queue })

it('a tick stays below the statements of an invocation while the encryption key is replaced', async () => {
  await loadTestData()
  const { account_id } = await newAccount()
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
