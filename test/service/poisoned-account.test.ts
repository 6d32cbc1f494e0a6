import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { copyAccount, fillFirst } from '../../lab/accounts/copies.ts'
import { jobsOf, NIGHT, runJob, runMessages, TICK } from '../../lab/accounts/run-job.ts'
import { wholeDb } from '../../src/platform/database/databases.ts'
import { encryptSecret, keyIdOf } from '../../src/notices/delivery/secrets.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'
import { putErasures } from '../../src/service/erasures/list.ts'
import { newAccount } from '../support/account.ts'
import { cleanStores } from '../support/clean-stores.ts'
import { D1_BATCH_MAX } from '../support/platform-limits.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'
import { rowsIn } from './shards/moving.ts'

/*
 * Small accounts are copies of one. The rows of the first copy are damaged: its id is the first that a job
 * meets. Each job must do for the others what it does without that account.
 */

const COPIES = 4
const db = wholeDb(env.DB)
const NEXT = 'the next key'
const BINDINGS = { ...env, ENCRYPTION_KEY_NEXT: NEXT }

type World = { rows: Record<string, Record<string, number>>; left: unknown; failed: string[] }

/** What damages the account with an id, so that the jobs cannot do their work for it. */
const DAMAGES: readonly (readonly [string, (id: string) => readonly string[]])[] = [
  [
    'has an unknown time zone, damaged facts of sales, a lost secret, and a person who cannot be erased',
    (id) => [
      `UPDATE accounts SET time_zone = 'x/y' WHERE id = '${id}'`,
      `UPDATE transactions SET facts = '{' WHERE account_id = '${id}'`,
      `UPDATE webhooks SET secret = 'x' WHERE account_id = '${id}'`,
      ...refusals('customers', 'account_id', id),
    ],
  ],
  [
    'asked for the days of an unknown time zone, has damaged reasons, and takes neither events nor checks',
    (id) => [
      `UPDATE day_changes SET time_zone = 'x/y' WHERE account_id = '${id}'`,
      `UPDATE transactions SET reasons = '{' WHERE account_id = '${id}'`,
      ...refusals('events', 'owner_account_id', id),
      ...refusals('return_checks', 'account_id', id),
    ],
  ],
  [
    'has damaged establishments, an unknown place and currency, and takes no new secrets',
    (id) => [
      `UPDATE accounts SET establishments = '{' WHERE id = '${id}'`,
      `UPDATE registrations SET jurisdiction_id = 'XX' WHERE account_id = '${id}'`,
      `UPDATE tax_totals SET currency = 'XXXX' WHERE account_id = '${id}'`,
      ...refusals('accounts', 'id', id),
      ...refusals('webhooks', 'account_id', id),
    ],
  ],
]

const WAYS = [
  ['INSERT', 'NEW'],
  ['UPDATE', 'NEW'],
  ['DELETE', 'OLD'],
] as const

/** Triggers that let each write to the rows of an account fail, as a constraint does. */
function refusals(table: string, account: string, id: string): string[] {
  return WAYS.map(
    ([way, row]) =>
      `CREATE TRIGGER damage_${table}_${way} BEFORE ${way} ON ${table} WHEN ${row}.${account} = '${id}'
       BEGIN SELECT RAISE(ABORT, 'damaged'); END`,
  )
}

async function dropRefusals(): Promise<void> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'damage_*'" as 'SELECT 1')
    .all<{ name: string }>()
  for (const { name } of results) await db.exec(`DROP TRIGGER ${name}`)
}

async function worldWith(damage: ((id: string) => readonly string[]) | null): Promise<World> {
  await cleanStores()
  await loadTestData()
  const { books } = keepAccountsIn(0)
  const { key, account_id } = await newAccount()
  const now = new Date()
  await fillFirst(async (method, path, body) => {
    const sent = method === 'GET' ? { key } : { key, body }
    const answer = await call(method, path, sent)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }, now)
  const night = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 3, 17))
  await copyAccount(db, account_id, { from: 1, to: COPIES + 1, now: night })
  const { results } = await db
    .prepare(
      'SELECT accounts.id, customers.id AS customer_id FROM accounts JOIN customers ON account_id = accounts.id ORDER BY 1',
    )
    .all<{ id: string; customer_id: string }>()
  const copies = results.filter(({ id }) => id !== account_id)
  await addWebhooks(copies.map(({ id }) => id))
  await putErasures(
    BINDINGS,
    now,
    copies.map(({ id, customer_id }) => ({ account_id: id, customer_id })),
  )
  const [first = '', ...others] = copies.map(({ id }) => id)
  if (damage !== null) for (const sql of damage(first)) await db.exec(sql.replaceAll('\n', ' '))
  const failed = [
    ...(await runAll(TICK, new Date(now.getTime() + 300_000))),
    ...(await runAll(NIGHT, night)),
    ...(await runAll(TICK, new Date(night.getTime() + 300_000))),
    ...(await runAll(NIGHT, new Date(night.getTime() + 13 * 86_400_000))),
  ]
  const rows = await Promise.all(
    others.map(async (id) => [id.slice(-8), await rowsIn({ number: 0, books }, id)]),
  )
  await dropRefusals()
  return { rows: Object.fromEntries(rows), left: await leftOf(others), failed }
}

async function addWebhooks(accounts: readonly string[]): Promise<void> {
  for (const id of accounts)
    await db
      .prepare(
        `INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
         VALUES (?1, ?2, 'https://hooks.example.com/', '["*"]', 'active', ?3, '2026', '2026')`,
      )
      .bind(`wh_${id}`, id, await encryptSecret(env, `wh_${id}`, 'whsec_x'))
      .run()
}

/** What the jobs should have done for these accounts, and have not. */
async function leftOf(accounts: readonly string[]): Promise<unknown> {
  const of = `IN (SELECT value FROM json_each(?1))`
  return db
    .prepare(
      `SELECT
         (SELECT count(*) FROM transactions WHERE account_id ${of} AND searchable = 0) AS hidden,
         (SELECT count(*) FROM transactions WHERE account_id ${of} AND reasons LIKE '%shared%') AS shared,
         (SELECT count(*) FROM events WHERE owner_account_id ${of}) AS events,
         (SELECT count(*) FROM day_changes WHERE account_id ${of}) AS days,
         (SELECT count(*) FROM webhooks WHERE account_id ${of} AND substr(secret, -9) <> ?2) AS secrets,
         (SELECT count(*) FROM return_checks WHERE account_id ${of} AND fault IS NULL) AS unchecked,
         (SELECT count(*) FROM customers WHERE account_id ${of}) AS customers`,
    )
    .bind(JSON.stringify(accounts), `.${await keyIdOf(NEXT)}`)
    .first()
}

/** Runs all jobs of a tick, and the messages that they send. Returns which failed. */
async function runAll(cron: string, now: Date): Promise<string[]> {
  const failed: string[] = []
  let statements = 0
  for (const job of jobsOf(cron)) {
    const { error, messages, cost } = await runJob(BINDINGS, cron, job, now)
    if (error !== null) failed.push(`${job}: ${error}`)
    statements += cost.statements
    const handled = (waiting: readonly QueueMessage[]) =>
      waiting.filter(({ kind }) => kind === 'event' || kind === 'thresholds' || kind === 'daily_messages')
    for (let waiting = handled(messages); waiting.length > 0;) {
      const ran = await runMessages(BINDINGS, waiting, now)
      if (ran.error !== null) failed.push(`messages of ${job}: ${ran.error}`)
      waiting = handled(ran.messages)
    }
  }
  if (statements > D1_BATCH_MAX) failed.push(`${statements} statements`)
  return failed
}

let whole: World
beforeAll(async () => {
  whole = await worldWith(null)
})

it('lets all jobs do their work for small accounts, within the statements of an invocation', () => {
  expect(whole.failed).toEqual([])
  expect(whole.left).toMatchObject({ hidden: 0, days: 0, secrets: 0, unchecked: 0, customers: 0 })
})

it.each(DAMAGES)('stops no job for the others if it %s', async (_name, damage) => {
  const world = await worldWith(damage)
  expect(world).toEqual(whole)
})
