import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessageDue } from '../../../lab/daily-message.ts'
import { type Drilled, startDrilled } from '../../../lab/drilled.ts'
import { type Outside, startOutside, variablesIn } from '../../../lab/outside.ts'
import type { TripFault } from '../../../lab/trip-fault.ts'
import { buildWorker } from '../../../scripts/run-worker.ts'
import { writeModules } from '../../../scripts/worker-modules.ts'
import { type Ask, type Writer, WRITERS } from './writers.ts'

/**
 * The process of the service is killed (SIGKILL) while each writer waits for the answer of a trip to a store
 * that was made: of the first trip of each, then of the second, and so on. What is stored is then the same as
 * before the next trip. A queue and two ticks stand at the same time. Then the service starts on what is left,
 * each request is sent again, and nothing may be lost, or done twice.
 */
const folder = mkdtempSync(join(tmpdir(), 'killed-writers-'))
const worker = join(folder, 'worker')
const SHARDS = 2
const MINUTE_MS = 60_000
const EVERY_FIVE_MINUTES = '*/5 * * * *'
const NIGHTLY = '17 3 * * *'
/** A tick makes more trips than a request, so the tick of each life stands so much later than that before. */
const STRIDE = 7

let outside: Outside
let service: Drilled
let ahead_ms = 0
let kills = 0
const faults: string[] = []

beforeAll(async () => {
  outside = await startOutside()
  writeModules(worker, await buildWorker('lab/drilled-worker.ts'))
  service = await start(join(folder, 'data'))
})
afterAll(async () => {
  await service?.kill()
  outside?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(state: string): Promise<Drilled> {
  const started = await startDrilled({ worker, state, shards: SHARDS - 1, variables: variablesIn(outside) })
  await started.set({ ahead_ms })
  return started
}

type Account = { key: string; account_id: string; shard: number }

const askAs =
  ({ key }: Account): Ask =>
  async ({ method, path, body }, headers = {}) => {
    const isJson = !(body instanceof FormData || body instanceof Blob)
    const isPage = path.startsWith('/certificate/')
    const response = await fetch(service.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(!isPage && { Authorization: `Bearer ${key}` }),
        ...(isJson && body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } }
  }

let accounts = 0
async function newAccount(name: string): Promise<Account> {
  accounts += 1
  const shard = accounts % SHARDS
  return { ...(await service.newAccount(`${name} ${accounts}`, shard)), shard }
}

async function audited({ account_id, shard }: Account): Promise<number> {
  const sql = 'SELECT count(*) AS n FROM audit_events WHERE account_id = ?'
  let sum = 0
  for (const each of new Set([0, shard])) {
    const [rows = []] = await service.batch(each, [{ sql, values: [account_id] }])
    sum += Number(rows[0]?.['n'])
  }
  return sum
}

/** An account whose daily message to a person is due. */
async function toBeTold(): Promise<void> {
  const account = await newAccount('Told')
  const ask = askAs(account)
  const person = { email: `told-${accounts}@example.com`, name: 'Ann', role: 'accountant' }
  const { body } = await ask({ method: 'POST', path: '/v1/people', body: person })
  const settings = { recipients: [String(body['id'])] }
  expect((await ask({ method: 'PUT', path: '/v1/account/messages', body: settings })).status).toBe(200)
  await makeMessageDue(service, account, Date.now() + ahead_ms)
}

/** A request with its account, as it is sent before the kill and after it. */
async function prepare(writer: Writer) {
  const account = await newAccount(writer.name)
  const ask = askAs(account)
  const wanted = await writer.prepare(ask)
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  return { writer, account, wanted, headers, ask, before: await audited(account), answered: false }
}

/** Kills the service when all stand at a trip, or have ended before it. Returns how many stood. */
async function killAt(trip: number): Promise<number> {
  await toBeTold()
  const lanes = []
  for (const writer of WRITERS) lanes.push(await prepare(writer))
  const standing: Omit<TripFault, 'name' | 'trip'> = { made: true, how: 'stands' }
  const tick = { name: 'tick', trip: trip * STRIDE, ...standing }
  await service.set({ tick, queue: { name: 'queue', trip, ...standing } })
  const sent = lanes.map(async (lane) => {
    const fault: TripFault = { name: lane.writer.name, trip, ...standing }
    const headers = { ...lane.headers, 'X-Drill': JSON.stringify(fault) }
    await lane.ask(lane.wanted, headers).catch(() => undefined)
    lane.answered = true
  })
  const ended = new Set<string>()
  const ticks = [EVERY_FIVE_MINUTES, NIGHTLY].map((cron) =>
    service.tick(cron).then(
      () => ended.add(cron),
      () => undefined,
    ),
  )
  let stood: string[] = []
  for (let waits = true; waits; await sleep(20)) {
    stood = await service.standing()
    const isThere = (name: string, over: boolean) => over || stood.includes(name)
    waits =
      lanes.some(({ writer, answered }) => !isThere(writer.name, answered)) ||
      [EVERY_FIVE_MINUTES, NIGHTLY].some((cron) => !isThere(cron, ended.has(cron)))
  }
  await service.kill()
  await Promise.all([...sent, ...ticks])
  ahead_ms += 11 * MINUTE_MS
  service = await start(join(folder, 'data'))
  for (const lane of lanes) await expectDoneOnce(lane, trip)
  kills += stood.length
  return lanes.filter(({ writer }) => stood.includes(writer.name)).length
}

/** What was done, and is removed again, is not found. A link that was used shows its page. */
async function expectDoneOnce(
  { writer, account, wanted, headers, ask, before }: Awaited<ReturnType<typeof prepare>>,
  trip: number,
): Promise<void> {
  const again = await ask(wanted, headers)
  const events = (await audited(account)) - before
  const isDone = again.status < 300 || (wanted.method === 'DELETE' && again.status === 404)
  if (isDone && (events === 1 || (writer.repeats === true && events === 2))) return
  const text = JSON.stringify(again.body).slice(0, 500)
  faults.push(`${writer.name}, killed after trip ${trip}: ${events} events, then ${again.status} ${text}`)
}

it('loses nothing and does nothing twice, wherever the process is killed', async () => {
  for (let trip = 1; (await killAt(trip)) > 0; trip += 1);
  console.log(`${kills} writers, queues and ticks were killed`)
  expect(faults).toEqual([])
  await settle()
  expect(await service.verifyTotals()).toEqual([])
  expect(await service.verifyShards()).toEqual([])
  expect(await service.verifyReturnsAndAudit()).toEqual([])
  await expectTold()
  await expectChecked()
  await expectBackedUp()
})

/** The ticks of an hour, after which no lease of a dead process is left. */
async function settle(): Promise<void> {
  for (let ticks = 0; ticks < 6; ticks += 1) {
    ahead_ms += 11 * MINUTE_MS
    await service.set({ ahead_ms })
    await service.tick(EVERY_FIVE_MINUTES)
    await sleep(1_000)
  }
}

async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const all = []
  for (let shard = 0; shard < SHARDS; shard += 1)
    all.push(...((await service.batch(shard, [{ sql, values: [] }]))[0] ?? []))
  return all
}

/** Each person got the message of the day, and none more than twice with one id. */
async function expectTold(): Promise<void> {
  const states = await rowsOf('SELECT state, count(*) AS n FROM messages GROUP BY state')
  expect(states.map(({ state }) => state)).toEqual(['sent'])
  const told = outside.mails.filter(({ to }) => to.startsWith('told-'))
  const times = Map.groupBy(told, ({ to, headers }) => `${to} ${headers['X-Message-Id']}`)
  expect(times.size).toBe(Number(states[0]?.['n']))
  expect([...times.values()].every(({ length }) => length <= 2)).toBe(true)
}

async function expectChecked(): Promise<void> {
  const open = await rowsOf('SELECT id FROM vat_checks WHERE finished_at IS NULL')
  expect(open).toEqual([])
}

/** The backup of the next night is whole, though those before were killed in the middle, and can be loaded. */
async function expectBackedUp(): Promise<void> {
  ahead_ms += 24 * 60 * MINUTE_MS
  await service.set({ ahead_ms })
  const run = new Date(Date.now() + ahead_ms).toISOString().slice(0, 10)
  await endBackups()
  await service.tick(NIGHTLY)
  await endBackups()
  await service.kill()
  const empty = join(folder, 'empty')
  for (const bucket of globSync('**/r2', { cwd: join(folder, 'data') }))
    cpSync(join(folder, 'data', bucket), join(empty, bucket), { recursive: true })
  service = await start(empty)
  expect(await service.restoreBackup(run)).toBeGreaterThan(1_000)
  expect(await service.verifyShards()).toEqual([])
}

/** A tick queues the jobs of the other shard, so a backup may begin there some moments later. */
async function endBackups(): Promise<void> {
  const going = "SELECT after FROM job_cursors WHERE name = 'backup'"
  do {
    await sleep(2_000)
    await service.tick(EVERY_FIVE_MINUTES)
  } while ((await rowsOf(going)).length > 0)
}
