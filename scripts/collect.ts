import { COLLECTORS, hasCollector } from '../collectors/all.ts'
import type { Collector } from '../collectors/collector.ts'
import type { RateSeries } from '../collectors/series.ts'
import { subjectOf } from '../collectors/kinds.ts'
import { differenceOf } from '../collectors/pipeline.ts'
import { runRegion } from '../collectors/run.ts'
import { collectState } from '../collectors/us-local/collect-state.ts'
import type { StateReading } from '../collectors/us-local/state-reading.ts'
import { listFiles } from '../collectors/us-local/due.ts'
import { COLLECTED_STATES } from '../collectors/us-local/sources.ts'
import { underLease } from '../src/tax-data/status/lease-store.ts'
import { COLLECTED_IDS, isCollected } from '../src/platform/regions.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readArguments } from './options.ts'
import { readEverySource, tableOf } from './collect-all.ts'

/** Runs one collector by hand and prints its findings and changes. With --dry-run it writes nothing. */
const { values, positionals } = readArguments({
  'dry-run': { type: 'boolean', default: false },
  accept: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})

const region = (positionals[0] ?? '').toUpperCase()
const state = (positionals[1] ?? '').toUpperCase()
const local = region === 'US-LOCAL' && (state === '' || COLLECTED_STATES.includes(state))
const collector = isCollected(region) && hasCollector(region) ? COLLECTORS[region] : null
if (collector === null && !local && !(values.all && values['dry-run'])) {
  console.error(
    `Usage: npm run collect -- REGION [STATE] [--dry-run] [--accept]
  [--persist-to DIR] [--remote [--env NAME]]
       npm run collect -- --all --dry-run [--json]
Regions: ${COLLECTED_IDS.join(', ')}
States of US-LOCAL, all without one: ${COLLECTED_STATES.join(', ')}`,
  )
  process.exit(1)
}

const { db, kv, dispose } = values.remote
  ? await openRemote(values.env)
  : await openLocal(values['persist-to'])
try {
  if (values.all) await tryAll()
  else if (collector === null) await collectLocal()
  else await collectFacts(collector)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}

/** Reads every source, writes nothing, and says in a table what a run would do. Exit code 1: look at it. */
async function tryAll(): Promise<void> {
  const rows = await readEverySource({ DB: db, KV: kv }, { now: new Date(), addresses: process.env })
  console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows))
  process.exitCode = rows.some(({ to_do }) => to_do !== null) ? 1 : 0
}

async function collectFacts(collector: Collector | RateSeries): Promise<void> {
  const dry_run = values['dry-run']
  const now = new Date()
  const collect = () =>
    runRegion({ DB: db, KV: kv }, collector, {
      now,
      addresses: process.env,
      dry_run,
      accept: values.accept,
    })
  const result = dry_run ? await collect() : await underLease(db, collector.region, now, collect)
  if (result === null)
    throw new Error(`Another run of ${collector.region} is under way. Try again in some minutes`)
  const { run, changes, held } = result
  for (const { url, bytes, sha256 } of run.documents)
    console.log(`read      ${url} (${bytes} bytes, SHA-256 ${sha256.slice(0, 12)}…)`)
  for (const { part, source, others } of run.sources) {
    console.log(`source    ${part}: ${source ?? 'not one answered'}`)
    for (const other of others) console.log(`not used  ${other.source}: ${other.error}`)
  }
  for (const { finding, before } of changes) {
    const kind = before === null ? 'new      ' : 'changed  '
    console.log(`${kind} ${subjectOf(finding)}: “${finding.evidence.slice(0, 160)}”`)
  }
  for (const each of held) console.log(`${each.status.padEnd(9)} ${differenceOf(each)}`)
  const { outcome, records_seen, records_confirmed, records_changed, records_added } = run
  console.log(
    `${outcome}: ${records_seen} records, ${records_confirmed} confirmed, ` +
      `${records_changed} changed, ${records_added} new, ${run.records_held} held`,
  )
  if (held.some(({ change }) => change.after !== null) || ('series' in collector && run.records_held > 0))
    console.log(`After a look, accept what is held: npm run collect -- ${region} --accept`)
  if (run.error !== null)
    console.error(`${run.error}\nTo find the cause, see docs/operations.md#doubtful-sources`)
  if (dry_run) console.log('Dry run: nothing was written')
  process.exitCode = run.error === null ? 0 : 1
}

/** Reads the files of a state, or of all. Boundary files are read here too, whatever the worker may do. */
async function collectLocal(): Promise<void> {
  const env = { DB: db, KV: kv }
  const [now, dry_run] = [new Date(), values['dry-run']]
  const options = {
    now,
    addresses: process.env,
    boundaries: true,
    accept: values.accept,
    dry_run,
    eager: true,
  }
  const work = async () => {
    const { errors } = await listFiles(env, options)
    for (const error of errors) console.error(error)
    for (const each of state === '' ? COLLECTED_STATES : [state])
      showState((await collectState(env, each, options)).reading)
    return true
  }
  if ((await (dry_run ? work() : underLease(db, 'US-LOCAL', now, work))) === null)
    throw new Error('Another run of US-LOCAL is under way. Try again in some minutes')
  if (dry_run) console.log('Dry run: no rate was written')
}

function showState({ state: id, documents, changes, boundaries, faults }: StateReading): void {
  for (const { url, bytes, sha256 } of documents)
    console.log(`read      ${url} (${bytes} bytes, SHA-256 ${sha256.slice(0, 12)}…)`)
  for (const { name, before, after } of changes.slice(0, 20))
    console.log(`changed   ${id} ${name}: ${millionthsInPercent(before)} → ${millionthsInPercent(after)}`)
  if (changes.length > 20) console.log(`changed   ${id}: ${changes.length - 20} more`)
  if (boundaries !== null) {
    const { rows, edition } = boundaries.found
    console.log(`placed    ${id}: ${rows} records, ${Object.keys(edition.zips).length} ZIPs`)
  }
  for (const { outcome, error } of faults) console.error(`${outcome.padEnd(11)} ${error}`)
  if (faults.length > 0) process.exitCode = 1
  else console.log(`${changes.length > 0 || boundaries !== null ? 'applied' : 'confirmed'}: ${id}`)
}

function millionthsInPercent(millionths: number | null): string {
  return millionths === null ? 'none' : `${millionths / 10_000} %`
}
