import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EncryptionKeys, keyIdOf } from '../src/notices/delivery/secrets.ts'
import { readOptions } from '../scripts/options.ts'
import { aloud } from '../scripts/progress.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { writeModules } from '../scripts/worker-modules.ts'
import { copyDatabases, fileWith, restoreDatabase } from './copy-databases.ts'
import { type Drilled, startDrilled } from './drilled.ts'

/**
 * Rehearses the procedures of docs/operations.md for a restore. Copies all databases while sales are recorded
 * and before accounts move, restores some of them, and checks: maintenance refuses writes, `verify-shards`
 * finds what contradicts, its repair leaves no fault, the totals are right, and every sale exists that was
 * acknowledged before the copy, and every later one whose database was not restored. In the last procedure,
 * ENCRYPTION_KEY was replaced after the copy: webhooks must go on to sign with the secrets of the copy.
 * Customers that were erased after the copy must be gone after each procedure. At the end, a backup is loaded
 * into an empty installation: all rows must be equal, and all sales there.
 */
const options = readOptions({
  sales: { type: 'string', default: '60' },
  serve: { type: 'boolean', default: false },
})
const SALES = Number(options.sales)
const SHARDS = 3
const folder = mkdtempSync(join(tmpdir(), 'drill-restore-'))
const worker = join(folder, 'worker')
const state = join(folder, 'data')
const copy = join(folder, 'copy')
const later = join(folder, 'later')

type Account = {
  key: string
  account_id: string
  home: number
  webhook?: { id: string; secret: string }
  /** Is erased after the copy. */
  customer?: string
}
type Sale = { account: Account; external_id: string; before_copy: boolean }
const accounts: Account[] = []
const sales: Sale[] = []
let made = 0
let copied = false
let faults = 0

/** `restored`: databases, by the numbers of their shards. `replaced`: the key was replaced after the copy. */
type Procedure = { name: string; restored: readonly number[]; replaced: boolean }
const PROCEDURES: readonly Procedure[] = [
  { name: 'control database alone', restored: [0], replaced: false },
  { name: 'one shard alone', restored: [1], replaced: false },
  { name: 'all to one moment', restored: [0, 1, 2], replaced: false },
  { name: 'after the encryption key was replaced', restored: [0, 1, 2], replaced: true },
]

const [KEY, NEXT_KEY, LAST_KEY] = ['a key for the drill', 'the key that replaces it', 'the key afterwards']
const receiver = await startReceiver()

try {
  writeModules(worker, await aloud('Building the Worker', () => buildWorker('src/worker.ts')))
  const service = await start(state, false)
  for (let number = 0; number < 2 * SHARDS; number += 1) {
    const home = number % SHARDS
    accounts.push({ ...(await service.newAccount(`Restore ${number}`, home)), home })
  }
  for (const account of accounts) await subscribe(service, account)
  for (const account of accounts) account.customer = await newCustomer(service, account)
  await sellUntil(service, SALES, () => copyDatabases(state, copy))
  copied = true
  for (const account of accounts)
    await ask(service.origin, account, 'DELETE', `/v1/customers/${account.customer}`)
  // Takes the erasures out of the databases.
  await service.tick('*/5 * * * *')
  // One account leaves the control database, and one shard 1. Their old copies are deleted.
  for (const account of accounts.slice(0, 2)) await moveAway(service, account)
  await service.deleteOldCopies()
  await sellUntil(service, 2 * SALES, () => Promise.resolve())
  await service.kill()
  cpSync(state, later, { recursive: true })
  const files = Array.from({ length: SHARDS }, (_, shard) => fileOf(shard))
  for (const procedure of PROCEDURES) await rehearse(procedure, files)
  await rehearseBackup()
  console.log(`${PROCEDURES.length} procedures, ${sales.length} sales, ${faults} faults`)
  process.exitCode = faults === 0 ? 0 : 1
} finally {
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function start(data: string, maintenance: boolean, keys: EncryptionKeys = {}): Promise<Drilled> {
  const variables = {
    ENVIRONMENT: 'test',
    ENCRYPTION_KEY: KEY,
    ...keys,
    ALLOW_LOCAL_WEBHOOKS: 'true',
    RATE_LIMITS: 'off',
    ...(maintenance && { MAINTENANCE: 'on' }),
    // The drill has no network. The tick also starts collectors, and with these addresses they fail at once.
    ...Object.fromEntries(
      ['EU_RATES', 'UK_RATES', 'CA_RATES', 'AU_GST'].map((name) => [`SOURCE_${name}`, 'http://127.0.0.1:9/']),
    ),
  }
  return startDrilled({ worker, state: data, shards: SHARDS - 1, variables, served: options.serve })
}

/** Makes a backup of all databases, loads it into an empty installation, and compares all rows. */
async function rehearseBackup(): Promise<void> {
  const name = 'a backup in an empty installation'
  rmSync(state, { recursive: true, force: true })
  cpSync(later, state, { recursive: true })
  const first = await start(state, true)
  const run = await first.backup()
  const before = await rowsOf(first)
  await first.kill()
  const empty = join(folder, 'empty')
  for (const bucket of globSync('**/r2', { cwd: state }))
    cpSync(join(state, bucket), join(empty, bucket), { recursive: true })
  const second = await start(empty, true)
  const rows = await second.restoreBackup(run)
  const after = await rowsOf(second)
  for (const [table, expected] of before)
    expect(name, after.get(table) === expected, `the rows of ${table} differ`)
  await second.kill()
  const service = await start(empty, false)
  const lost = await missingSales(service, [])
  expect(name, lost.length === 0, `${lost.length} sales are missing: ${lost.slice(0, 5).join(', ')}`)
  await expectSigned(name, service)
  await service.kill()
  console.log(`${name}: ${rows} rows, ${before.size} tables equal, ${lost.length} sales missing`)
}

/** All rows of each table of each database, but for those that say how far jobs are. */
async function rowsOf(service: Drilled): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf*'
    AND name NOT GLOB 'sqlite_*' AND name NOT IN ('d1_migrations', 'job_cursors')`
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const [names = []] = await service.batch(shard, [{ sql: tables, values: [] }])
    for (const { name } of names) {
      const [rows = []] = await service.batch(shard, [{ sql: `SELECT * FROM "${String(name)}"`, values: [] }])
      found.set(
        `${shard} ${String(name)}`,
        rows
          .map((row) => JSON.stringify(row))
          .toSorted()
          .join('\n'),
      )
    }
  }
  return found
}

async function newCustomer({ origin }: Drilled, account: Account): Promise<string> {
  const made = await ask(origin, account, 'POST', '/v1/customers', { name: 'Ada Lovelace' })
  const { id }: { id: string } = Object(await made.json())
  return id
}

/** A tick queues the jobs of the shards, so what they erase is gone some moments later. */
async function expectErased(where: string, service: Drilled): Promise<void> {
  await service.tick('*/5 * * * *')
  for (const account of accounts) {
    let status = 0
    for (let tries = 0; tries < 100 && status !== 404; tries += 1) {
      if (tries > 0) await sleep(200)
      const path = `/v1/customers/${account.customer}`
      status = (await ask(service.origin, account, 'GET', path)).status
    }
    expect(`${where}: ${account.account_id}`, status === 404, 'an erased customer is back')
  }
}

async function moveAway(service: Drilled, account: Account): Promise<void> {
  account.home = SHARDS - 1
  await service.move(account.account_id, account.home)
}

/** Records sales until there are `count`, and does something in the middle, under load. */
async function sellUntil(service: Drilled, count: number, inside: () => Promise<void>): Promise<void> {
  const half = sales.length + (count - sales.length) / 2
  const stream = async () => {
    while (sales.length < count) await sell(service)
  }
  const streams = Promise.all([stream(), stream(), stream()])
  while (sales.length < half) await sleep(5)
  const known = sales.length
  await inside()
  await streams
  // Sales that were acknowledged while the databases were copied may be in the copy or not.
  if (!copied) for (const sale of sales.slice(0, known)) sale.before_copy = true
}

async function sell({ origin }: Drilled): Promise<void> {
  const external_id = `restore-${made}`
  const account = accounts[made % accounts.length]
  made += 1
  if (account === undefined) throw new Error('There is no account')
  const response = await ask(origin, account, 'POST', '/v1/transactions', {
    external_id,
    customer: { address: { country: 'DE', postal_code: '10115' } },
    currency: 'EUR',
    line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  sales.push({ account, external_id, before_copy: false })
}

function ask(
  origin: string,
  { key }: Account,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(origin + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** The file of a shard: the control database has the rates, and each further one the home of an account. */
function fileOf(shard: number): string {
  if (shard === 0) return fileWith(state, 'SELECT 1 FROM api_keys')
  const account = accounts.find(({ home }) => home === shard)
  return fileWith(
    state,
    `SELECT 1 FROM accounts WHERE id = '${account?.account_id}' AND home = 'open'
       AND NOT EXISTS (SELECT 1 FROM api_keys)`,
  )
}

async function rehearse({ name, restored, replaced }: Procedure, files: readonly string[]): Promise<void> {
  rmSync(state, { recursive: true, force: true })
  cpSync(later, state, { recursive: true })
  if (replaced) await replaceKey(KEY, NEXT_KEY)
  const key = { ENCRYPTION_KEY: replaced ? NEXT_KEY : KEY }
  for (const shard of restored) restoreDatabase(state, copy, files[shard] ?? '')
  const resting = await start(state, true, key)
  const [account] = accounts
  if (account === undefined) throw new Error('There is no account')
  const refused = await ask(resting.origin, account, 'GET', '/v1/transactions')
  expect(name, refused.status === 503 && refused.headers.has('Retry-After'), 'maintenance does not refuse')
  const found = await resting.verifyShards()
  // What is certain is repaired. Else the database that was not restored is right.
  for (const { account_id, keep } of found) {
    const home = accounts.find((each) => each.account_id === account_id)?.home ?? 0
    await resting.keep(account_id, keep ?? home)
  }
  const left = await resting.verifyShards()
  expect(name, left.length === 0, `${JSON.stringify(left).slice(0, 300)} is left`)
  const differences = await resting.verifyTotals()
  expect(name, differences.length === 0, `${differences.length} totals differ`)
  await resting.kill()
  const service = await start(state, false, key)
  const lost = await missingSales(service, restored)
  await expectErased(name, service)
  expect(name, lost.length === 0, `${lost.length} sales are missing: ${lost.slice(0, 5).join(', ')}`)
  await expectSigned(name, service)
  await service.kill()
  if (replaced) {
    await replaceKey(NEXT_KEY, LAST_KEY)
    const last = await start(state, false, { ENCRYPTION_KEY: LAST_KEY })
    await expectSigned(`${name} again`, last)
    await last.kill()
  }
  console.log(`${name}: ${found.length} accounts repaired, ${lost.length} sales missing`)
}

/**
 * Replaces the encryption key as `npm run encryption-key` does: ticks seal all secrets under the next one.
 */
async function replaceKey(key: string, next: string): Promise<void> {
  const service = await start(state, false, { ENCRYPTION_KEY: key, ENCRYPTION_KEY_NEXT: next })
  const others = `SELECT count(*) AS others FROM webhooks JOIN accounts home ON home.id = account_id
    WHERE home.home = 'open' AND substr(secret, -8) <> ?`
  const values = [await keyIdOf(next)]
  for (let left = 1; left > 0; await sleep(200)) {
    await service.tick('*/5 * * * *')
    left = 0
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const [rows] = await service.batch(shard, [{ sql: others, values }])
      left += Number(rows?.[0]?.['others'])
    }
  }
  await service.kill()
}

/** Makes a webhook of an account. Its secret is known only here, and sealed in the databases. */
async function subscribe({ origin }: Drilled, account: Account): Promise<void> {
  const { port } = Object(receiver.address())
  const body = { url: `http://127.0.0.1:${port}/${account.account_id}`, events: ['rate.updated'] }
  const response = await ask(origin, account, 'POST', '/v1/webhooks', body)
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  const { id, secret }: { id: string; secret: string } = Object(await response.json())
  account.webhook = { id, secret }
}

/** Lets each webhook send a test event. The receiver accepts only the signature of its secret. */
async function expectSigned(where: string, { origin }: Drilled): Promise<void> {
  for (const account of accounts) {
    const { id } = account.webhook ?? {}
    const response = await ask(origin, account, 'POST', `/v1/webhooks/${id}/test`)
    const { success, response_status }: { success?: boolean; response_status?: number } = Object(
      await response.json(),
    )
    const what = `a test event is answered with ${response.status}, ${response_status}`
    expect(`${where}: ${account.account_id}`, success === true, what)
  }
}

/** A receiver of all webhooks, which refuses what is not signed with the secret of the account. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const account = accounts.find(({ account_id }) => request.url === `/${account_id}`)
      const stamp = String(request.headers['x-service-timestamp'])
      const signature = createHmac('sha256', account?.webhook?.secret ?? '')
        .update(`${stamp}.`)
        .update(Buffer.concat(chunks))
        .digest('hex')
      response.writeHead(signature === request.headers['x-service-signature'] ? 204 : 401).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** The sales that the restored databases must still have, and have not. */
async function missingSales(service: Drilled, restored: readonly number[]): Promise<string[]> {
  const missing: string[] = []
  for (const account of accounts) {
    const wanted = sales.filter(
      (sale) => sale.account === account && (sale.before_copy || !isRestored(account, restored)),
    )
    const present = new Set(await listed(service, account))
    for (const { external_id } of wanted) if (!present.has(external_id)) missing.push(external_id)
    // The account goes on to write.
    const again = await ask(service.origin, account, 'POST', '/v1/customers', { name: 'After the restore' })
    expect(account.account_id, again.status === 201, `a write is answered with ${again.status}`)
  }
  return missing
}

/** Whether the books of an account are from the moment of the copy. */
function isRestored({ home }: Account, restored: readonly number[]): boolean {
  return restored.includes(home)
}

async function listed({ origin }: Drilled, account: Account): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ;) {
    const response = await ask(origin, account, 'GET', `/v1/transactions?limit=100${cursor}`)
    const page: { transactions?: { external_id: string }[]; next_cursor?: string | null } = Object(
      await response.json(),
    )
    ids.push(...(page.transactions ?? []).map(({ external_id }) => external_id))
    if (!page.next_cursor) return ids
    cursor = `&cursor=${page.next_cursor}`
  }
}

function expect(where: string, holds: boolean, what: string): void {
  if (holds) return
  faults += 1
  console.error(`${where}: ${what}`)
}
