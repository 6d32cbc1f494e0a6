import { COLLECTORS } from '../collectors/all.ts'
import { subjectOf } from '../collectors/kinds.ts'
import { differenceOf } from '../collectors/pipeline.ts'
import { runRegion } from '../collectors/run.ts'
import { underLease } from '../src/status/lease-store.ts'
import { isRegionId, REGION_IDS } from '../src/regions.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readArguments } from './options.ts'

/** Runs one collector by hand and prints its findings and changes. With --dry-run it writes nothing. */
const { values, positionals } = readArguments({
  'dry-run': { type: 'boolean', default: false },
  accept: { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})

const region = (positionals[0] ?? '').toUpperCase()
const collector = isRegionId(region) ? COLLECTORS[region] : undefined
if (collector === undefined) {
  console.error(
    `Usage: npm run collect -- REGION [--dry-run] [--accept]
  [--persist-to DIR] [--remote [--env NAME]]
Regions: ${REGION_IDS.join(', ')}`,
  )
  process.exit(1)
}

const { db, kv, dispose } = values.remote
  ? await openRemote(values.env)
  : await openLocal(values['persist-to'])
try {
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
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}
