import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileWith } from '../copy-databases.ts'
import { makeBackup } from '../../scripts/backups/make-backup.ts'
import { restoreBackup } from '../../scripts/backups/restore.ts'
import { createAccountAndKey } from '../../scripts/create-account-and-key.ts'
import { loadShippedData } from '../../scripts/load-data.ts'
import { applyMigrations } from '../../scripts/migrations.ts'
import { buildWorker, runWorker } from '../../scripts/run-worker.ts'
import { faultsOfChests } from '../../scripts/verify/chests.ts'
import { verifyTotals } from '../../scripts/verify/totals.ts'
import type { WorkerModules } from '../../scripts/built-worker.ts'
import { wholeDb, type WholeDb } from '../../src/platform/database/databases.ts'
import { sealSales } from '../../src/sales/sealed/seal.ts'
import { firstCustomer, generateRates, generateSales } from './generate-sales.ts'
import { READS } from './growth-reads.ts'
import { report, table, thousands } from './report.ts'

const DAY_MS = 86_400_000
const PAGE = 'storage'
/** All sales before this day are sealed: eleven of the twelve months that are generated. */
const SEALED_BEFORE = Date.parse('2026-10-21')
/** A day on which those are old enough. */
const NOW = new Date(SEALED_BEFORE + 400 * DAY_MS)

const SEALED_MONTH = 'from_date=2026-03-01&to_date=2026-03-31'
/** These must find sales of sealed months. */
const SEALED_READS = [
  ['a sale by its id', '/v1/transactions/{sale}'],
  ['a sale by its id, explained', '/v1/transactions/{sale}?explain=true'],
  ['a month, first page', `/v1/transactions?${SEALED_MONTH}&limit=50`],
  ['a month, 100 sales', `/v1/transactions?${SEALED_MONTH}&limit=100`],
  ['a month by amount', `/v1/transactions?${SEALED_MONTH}&sort=largest&limit=50`],
  ['a month in one place', `/v1/transactions?${SEALED_MONTH}&jurisdiction_id=FR&limit=50`],
  ['a month of lines, first page', `/v1/reports/lines?${SEALED_MONTH}`],
  ['export of a month of sales', `/v1/reports/export?report=transactions&${SEALED_MONTH}`],
  ['export of a month of lines', `/v1/reports/export?report=lines&${SEALED_MONTH}`],
  ['export of everything', '/v1/reports/export?report=transactions&from_date=2025-11-21&to_date=2026-11-20'],
] as const

type Store = { db: WholeDb; CHESTS: R2Bucket; BACKUPS: R2Bucket; kv: KVNamespace }
type Service = Store & { origin: string; state: string; dispose: () => Promise<void> }
type Owner = { key: string; account_id: string }
type Answer = { status: number; bytes: number; rows: number; text: string; ms: number }

/** Fills an account with `size` sales, seals eleven months by the job, and measures both. */
export async function measureSealed(size: number): Promise<void> {
  const modules = await buildWorker('src/worker.ts')
  const service = await start(modules)
  try {
    const owner = await fill(service, size)
    const before = { answers: await readAll(service, owner), bytes: bytesByTable(service) }
    const sealing = await sealAll(service)
    const after = { answers: await readAll(service, owner), bytes: bytesByTable(service) }
    const lines = [
      ...tableOfBytes(before.bytes, after.bytes),
      '',
      ...sealing,
      '',
      ...tableOfReads(before.answers, after.answers),
      '',
      ...(await refundAndErase(service, owner)),
      ...(await verify('The books', service, owner)),
      ...(await restore(modules, service, owner)),
    ]
    console.log(['', ...lines].join('\n'))
    report('sealed', lines, PAGE)
  } finally {
    await service.dispose()
  }
}

async function start(modules: WorkerModules): Promise<Service> {
  const state = mkdtempSync(join(tmpdir(), 'sealed-books-'))
  const variables = { ENVIRONMENT: 'benchmark', ENCRYPTION_KEY: 'a key for benchmarks', RATE_LIMITS: 'off' }
  const { miniflare, origin } = await runWorker(modules, {
    variables,
    offline: false,
    limits: false,
    state,
    buckets: ['CHESTS', 'BACKUPS'],
  })
  // The types of miniflare and of the Workers describe the same stores.
  const bucket = async (name: string) => (await miniflare.getR2Bucket(name)) as unknown as R2Bucket
  const dispose = async () => {
    await miniflare.dispose()
    rmSync(state, { recursive: true, force: true })
  }
  const db = wholeDb(await miniflare.getD1Database('DB'))
  await applyMigrations(db)
  const kv = (await miniflare.getKVNamespace('KV')) as unknown as KVNamespace
  return {
    origin,
    state,
    db,
    kv,
    CHESTS: await bucket('CHESTS'),
    BACKUPS: await bucket('BACKUPS'),
    dispose,
  }
}

async function fill({ db, kv }: Service, size: number): Promise<Owner> {
  const began = performance.now()
  await loadShippedData(db, kv, new Date())
  await generateRates(db)
  const asked = { account: 'Sealed', tier: 'enterprise', scopes: ['*'], sandbox: true } as const
  const owner = await createAccountAndKey(db, asked, new Date())
  await generateSales(db, owner.account_id, size, (done) => {
    if (done % 100_000 === 0) console.error(`${done} of ${size} sales, ${secondsSince(began)} s`)
  })
  await db
    .prepare('INSERT OR REPLACE INTO account_usage (account_id, transaction_lines) VALUES (?, ?)')
    .bind(owner.account_id, size)
    .run()
  return owner
}

/** Runs the job until nothing is left to seal. */
async function sealAll({ db, CHESTS, BACKUPS }: Service): Promise<string[]> {
  const began = performance.now()
  const state = () =>
    db
      .prepare("SELECT count(*) || ' ' || coalesce(sum(state = 'sealed'), 0) AS n FROM chests")
      .first<string>('n')
  for (let [last, now] = ['', await state()]; last !== now; now = await state()) {
    await sealSales({ CHESTS, BACKUPS }, { number: 0, books: db }, NOW)
    last = now ?? ''
    console.error(`chests: ${now}, ${secondsSince(began)} s`)
  }
  const found = await db
    .prepare('SELECT count(*) AS chests, sum(sales) AS sales, sum(bytes) AS bytes FROM chests')
    .first<{ chests: number; sales: number; bytes: number }>()
  const { chests = 0, sales = 0, bytes = 0 } = found ?? {}
  return [
    `The job sealed ${thousands(sales)} sales in ${thousands(chests)} chests in ${secondsSince(began)} s: ` +
      `${thousands(bytes)} bytes in the bucket, ${thousands(bytes / sales)} a sale.`,
  ]
}

async function readAll({ origin }: Service, owner: Owner): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const [name, path] of [...SEALED_READS, ...READS]) {
    const own = path
      .replace('{customer}', firstCustomer(owner.account_id))
      .replace('{sale}', saleOf(owner, 777))
    // The first read only warms up.
    if (!name.startsWith('export')) await ask(origin, owner, 'GET', own)
    answers.set(name, await ask(origin, owner, 'GET', own))
    console.error(`${name}: ${answers.get(name)?.status}, ${answers.get(name)?.ms.toFixed(1)} ms`)
  }
  return answers
}

const saleOf = ({ account_id }: Owner, index: number) =>
  `txn_${account_id.slice(-6)}${String(index).padStart(20, '0')}`

async function ask(
  origin: string,
  { key }: Owner,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const began = performance.now()
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const ms = performance.now() - began
  return {
    status: answer.status,
    bytes: Buffer.byteLength(text),
    rows: rowsIn(text),
    text: withoutOwn(text),
    ms,
  }
}

/** An answer without what each request has of its own. */
const withoutOwn = (text: string) => text.replaceAll(/"(request_id|queried_at)":"[^"]*"/g, '')

const LISTS = [
  'transactions',
  'lines',
  'records',
  'customers',
  'exemptions',
  'jurisdictions',
  'rows',
] as const

/** The rows of an answer: of its list, of its lines of CSV, or one. */
function rowsIn(text: string): number {
  if (!text.startsWith('{')) return text.trimEnd().split('\n').length - 1
  const answer = JSON.parse(text) as Record<string, unknown>
  const list = LISTS.map((name) => answer[name]).find((value) => Array.isArray(value))
  return list?.length ?? 1
}

/** The bytes of each table with its indexes, as the file has them. */
function bytesByTable({ state }: Service): Map<string, number> {
  const file = join(state, fileWith(state, 'SELECT 1 FROM accounts'))
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(
      `SELECT tbl_name AS name, sum(pgsize) AS bytes
       FROM dbstat JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY tbl_name`,
    )
    .all() as { name: string; bytes: number }[]
  database.close()
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

const MEGABYTE = 1_000_000
const megabytes = (bytes = 0) => (bytes / MEGABYTE).toFixed(1)

function tableOfBytes(before: Map<string, number>, after: Map<string, number>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => Math.abs((before.get(name) ?? 0) - (after.get(name) ?? 0)) > MEGABYTE / 10)
    .toSorted((one, other) => (before.get(other) ?? 0) - (before.get(one) ?? 0))
  const sum = (bytes: Map<string, number>) => [...bytes.values()].reduce((all, each) => all + each, 0)
  return table(
    ['Table with its indexes', 'before, MB', 'after, MB'],
    [
      ...names.map((name) => [`\`${name}\``, megabytes(before.get(name)), megabytes(after.get(name))]),
      ['all tables', megabytes(sum(before)), megabytes(sum(after))],
    ],
  )
}

function tableOfReads(before: Map<string, Answer>, after: Map<string, Answer>): string[] {
  const rows = [...before].map(([name, was]) => {
    const is = after.get(name)
    const differs =
      is?.status === was.status ? (is.text === was.text ? 'the same' : 'other') : `${is?.status}`
    const changed = (one: number, two = one) =>
      one === two ? thousands(one) : `${thousands(one)} to ${thousands(two)}`
    return [
      name,
      changed(was.rows, is?.rows),
      changed(was.bytes, is?.bytes),
      was.ms.toFixed(1),
      (is?.ms ?? 0).toFixed(1),
      differs,
    ]
  })
  return table(['Read', 'rows', 'bytes', 'before, ms', 'sealed, ms', 'answer'], rows)
}

async function refundAndErase({ origin }: Service, owner: Owner): Promise<string[]> {
  const refund = { amount: 100, reason: 'partial' }
  const refunds = []
  for (const index of [800, 1_900, 800])
    refunds.push(await ask(origin, owner, 'POST', `/v1/transactions/${saleOf(owner, index)}/refund`, refund))
  const erased = await ask(origin, owner, 'DELETE', `/v1/customers/${firstCustomer(owner.account_id)}`)
  const left = await ask(origin, owner, 'GET', `/v1/transactions/${saleOf(owner, 7)}`)
  const [first, second, live] = refunds.map(({ status, ms }) => `${ms.toFixed(0)} ms (${status})`)
  return [
    `- Refund of a sealed sale: ${first}, of a second one ${second}; ` +
      `again of the first, which is back: ${live}.`,
    `- Erasure of a customer with 20 sealed sales: ${erased.ms.toFixed(0)} ms (${erased.status}). ` +
      `Its sealed sale answers ${left.status}.`,
  ]
}

async function verify(what: string, { db, CHESTS }: Store, { account_id }: Owner): Promise<string[]> {
  let began = performance.now()
  const differences = await verifyTotals(db, account_id, { chests: CHESTS })
  const totals = secondsSince(began)
  began = performance.now()
  const faults = await faultsOfChests({ env: { CHESTS }, books: db, principal: { account_id } })
  return [
    `- ${what}: \`verify-totals\` recomputes all sums in ${totals} s with ${differences.length} ` +
      `differences, and reads all chests in ${secondsSince(began)} s with ${faults.length} faults.`,
  ]
}

/** Makes a backup, and loads it into an empty installation. */
async function restore(modules: WorkerModules, from: Service, owner: Owner): Promise<string[]> {
  const { db, kv, BACKUPS } = from
  let began = performance.now()
  const run = await makeBackup({ db, kv, shards: [{ number: 0, books: db }], buckets: { BACKUPS } }, NOW)
  const made = secondsSince(began)
  const empty = await start(modules)
  try {
    began = performance.now()
    const shards = [{ number: 0, books: empty.db }]
    const rows = await restoreBackup(
      { bucket: BACKUPS, chests: empty.CHESTS, shards, report: (line) => console.error(line) },
      run,
      false,
    )
    const loaded = secondsSince(began)
    const path = `/v1/transactions?${SEALED_MONTH}&limit=100`
    const [was, is] = [
      await ask(from.origin, owner, 'GET', path),
      await ask(empty.origin, owner, 'GET', path),
    ]
    return [
      `- A backup took ${made} s, and its restore ${loaded} s: ${thousands(rows)} rows and all chests. ` +
        `A list of a sealed month is ${was.text === is.text ? 'the same' : 'ANOTHER'} there.`,
      ...(await verify('The restored books', empty, owner)),
    ]
  } finally {
    await empty.dispose()
  }
}

function secondsSince(began: number): string {
  return thousands((performance.now() - began) / 1_000)
}
