import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
 * acknowledged before the copy, and every later one whose database was not restored.
 */
const options = readOptions({ sales: { type: 'string', default: '60' } })
const SALES = Number(options.sales)
const SHARDS = 3
const folder = mkdtempSync(join(tmpdir(), 'drill-restore-'))
const worker = join(folder, 'worker')
const state = join(folder, 'data')
const copy = join(folder, 'copy')
const later = join(folder, 'later')

type Account = { key: string; account_id: string; home: number }
type Sale = { account: Account; external_id: string; before_copy: boolean }
const accounts: Account[] = []
const sales: Sale[] = []
let made = 0
let copied = false
let faults = 0

/** The restored databases of a procedure, by the numbers of their shards. */
const PROCEDURES: readonly { name: string; restored: readonly number[] }[] = [
  { name: 'control database alone', restored: [0] },
  { name: 'one shard alone', restored: [1] },
  { name: 'all to one moment', restored: [0, 1, 2] },
]

try {
  writeModules(worker, await aloud('Building the Worker', () => buildWorker('src/worker.ts')))
  const service = await start(state, false)
  for (let number = 0; number < 2 * SHARDS; number += 1) {
    const home = number % SHARDS
    accounts.push({ ...(await service.newAccount(`Restore ${number}`, home)), home })
  }
  await sellUntil(service, SALES, () => copyDatabases(state, copy))
  copied = true
  // One account leaves the control database, and one shard 1. Their old copies are deleted.
  for (const account of accounts.slice(0, 2)) await moveAway(service, account)
  await service.deleteOldCopies()
  await sellUntil(service, 2 * SALES, () => Promise.resolve())
  await service.kill()
  cpSync(state, later, { recursive: true })
  const files = Array.from({ length: SHARDS }, (_, shard) => fileOf(shard))
  for (const procedure of PROCEDURES) await rehearse(procedure, files)
  console.log(`${PROCEDURES.length} procedures, ${sales.length} sales, ${faults} faults`)
  process.exitCode = faults === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function start(data: string, maintenance: boolean): Promise<Drilled> {
  const variables = {
    ENVIRONMENT: 'test',
    ENCRYPTION_KEY: 'a key for the drill',
    RATE_LIMITS: 'off',
    ...(maintenance && { MAINTENANCE: 'on' }),
  }
  return startDrilled({ worker, state: data, shards: SHARDS - 1, variables })
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

async function rehearse(
  { name, restored }: (typeof PROCEDURES)[number],
  files: readonly string[],
): Promise<void> {
  rmSync(state, { recursive: true, force: true })
  cpSync(later, state, { recursive: true })
  for (const shard of restored) restoreDatabase(state, copy, files[shard] ?? '')
  const resting = await start(state, true)
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
  const service = await start(state, false)
  const lost = await missingSales(service, restored)
  expect(name, lost.length === 0, `${lost.length} sales are missing: ${lost.slice(0, 5).join(', ')}`)
  await service.kill()
  console.log(`${name}: ${found.length} accounts repaired, ${lost.length} sales missing`)
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
