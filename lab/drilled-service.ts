import { wholeDb } from '../src/platform/database/databases.ts'
import type { Shard } from '../src/platform/database/shards.ts'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { loadShippedData } from '../scripts/load-data.ts'
import { makeBackup } from '../scripts/backups/make-backup.ts'
import { restoreBackup } from '../scripts/backups/restore.ts'
import { createAccountAndKey } from '../scripts/create-account-and-key.ts'
import { deleteOldCopies } from '../src/service/shards/delete-old-copies.ts'
import { moveAccount } from '../scripts/move-account/move-account.ts'
import { applyMigrations } from '../scripts/migrations.ts'
import { keepBooks } from '../scripts/verify/keep-books.ts'
import { verifyAudit } from '../scripts/verify/audit.ts'
import { verifyReturns } from '../scripts/verify/returns.ts'
import { verifyShards } from '../scripts/verify/shards.ts'
import { verifyTotals } from '../scripts/verify/totals.ts'
import { startAsServed, startSimulated } from './drilled-start.ts'

/**
 * The process of a drilled service: workerd with its databases in a folder, and a second port on which the
 * drill looks into these databases. Only this process opens their files: SQLite files that two processes of
 * workerd open at once answer SQLITE_BUSY. `drilled.ts` starts and kills it.
 */
const Options = z.object({
  worker: z.string(),
  state: z.string(),
  shards: z.int(),
  variables: z.record(z.string(), z.string()),
  served: z.boolean().optional(),
})
const { worker, state, shards, variables, served } = Options.parse(JSON.parse(process.argv[2] ?? '{}'))

const Value = z.union([z.string(), z.number(), z.null()])
const Wanted = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('batch'),
    shard: z.int(),
    statements: z.array(z.object({ sql: z.string(), values: z.array(Value) })),
  }),
  z.object({ do: z.literal('tick'), cron: z.string() }),
  z.object({ do: z.literal('account'), name: z.string(), shard: z.int() }),
  z.object({ do: z.literal('move'), account_id: z.string(), to: z.int(), lease_ms: z.int() }),
  z.object({ do: z.literal('delete old copies') }),
  z.object({ do: z.literal('verify shards') }),
  z.object({ do: z.literal('verify totals') }),
  z.object({ do: z.literal('verify returns and audit') }),
  z.object({ do: z.literal('clock'), ahead_ms: z.int() }),
  z.object({ do: z.literal('backup') }),
  z.object({ do: z.literal('restore backup'), run: z.string() }),
  z.object({ do: z.literal('keep'), account_id: z.string(), shard: z.int() }),
])

/** How far the clock of this service is ahead. */
let ahead_ms = 0
const now = () => new Date(Date.now() + ahead_ms)

const start = served ? startAsServed : startSimulated
const { origin, shards: databases, kv, BACKUPS, fire } = await start({ worker, state, shards, variables })
const control = wholeDb(shardOf(0).books)

const server = createServer(
  (request, response) =>
    void answerRequest(request)
      .then((value) => response.end(JSON.stringify(value ?? null)))
      .catch((error: unknown) => response.writeHead(500).end(String(error))),
)
await prepare()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
console.log(JSON.stringify({ origin, control: `http://127.0.0.1:${port}` }))

function shardOf(number: number): Shard {
  const shard = databases[number]
  if (shard === undefined) throw new Error(`There is no shard ${number}`)
  return shard
}

/** Makes the tables and loads the data, in the first life. */
async function prepare(): Promise<void> {
  for (const { books } of databases) await applyMigrations(wholeDb(books))
  if ((await control.prepare('SELECT 1 FROM data_versions LIMIT 1').first()) !== null) return
  await loadShippedData(control, kv, new Date())
}

async function answerRequest(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const wanted = Wanted.parse(JSON.parse(text))
  switch (wanted.do) {
    case 'batch': {
      const books = wholeDb(shardOf(wanted.shard).books)
      const results = await books.batch(
        wanted.statements.map(({ sql, values }) => books.prepare(sql).bind(...values)),
      )
      return results.map((result) => result.results)
    }
    case 'tick':
      return fire(wanted.cron, now())
    case 'account':
      return createAccountAndKey(
        control,
        { account: wanted.name, tier: 'enterprise', scopes: ['*'], sandbox: true },
        now(),
        shardOf(wanted.shard),
      )
    case 'move':
      return moveAccount(
        { control, shardOf, clock: now, wait: () => sleep(200), lease_ms: wanted.lease_ms },
        wanted.account_id,
        wanted.to,
      )
    case 'backup':
      return makeBackup({ db: control, shards: databases, kv, buckets: { BACKUPS } }, now())
    case 'restore backup': {
      const tools = { bucket: BACKUPS, shards: databases, report: () => undefined }
      return restoreBackup(tools, wanted.run, false)
    }
    case 'delete old copies':
      for (let number = 0; number <= shards; number += 1)
        await deleteOldCopies({ control, shardOf }, shardOf(number), new Date(now().getTime() + 7_200_000))
      return null
    case 'verify shards': {
      const faults = []
      for await (const { fault } of verifyShards(control, databases)) if (fault !== null) faults.push(fault)
      return faults
    }
    case 'verify totals':
      return differencesOfAll()
    case 'verify returns and audit':
      return faultsOfAll()
    case 'clock':
      ;({ ahead_ms } = wanted)
      return null
    case 'keep':
      return keepBooks(control, databases, wanted.account_id, wanted.shard)
  }
}

/** The differences of the totals of all accounts from their transactions. */
async function differencesOfAll(): Promise<unknown[]> {
  const all = await allAccounts()
  return (await Promise.all(all.map(({ id, books }) => verifyTotals(books, id)))).flat()
}

/** What is wrong with the filed returns and the audit logs of all accounts. */
async function faultsOfAll(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { id, books } of await allAccounts()) {
    found.push(...(await verifyReturns(books, id)))
    for (const each of new Set([control, books])) found.push(...(await verifyAudit(each, id, now())).faults)
  }
  return found
}

async function allAccounts() {
  const { results } = await control
    .prepare('SELECT id, shard FROM accounts')
    .all<{ id: string; shard: number }>()
  return results.map(({ id, shard }) => ({ id, books: shardOf(shard).books }))
}
