import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { openRemote } from './bindings.ts'
import { accessOf, checkToken, type CloudflareAccess } from './cloudflare-access.ts'
import { writeDeployConfig } from './deploy-config.ts'
import { type Deed, deployPlan, describeStep, rollbackPlan, type Step } from './deploy-plan.ts'
import { outlookOf } from './deploy-outlook.ts'
import {
  forgetBooks,
  hasSecret,
  missingDatabases,
  namespaceId,
  readAccount,
  readDeployments,
} from './deployed.ts'
import { firstKey } from './first-key.ts'
import { deployedJurisdiction, jurisdictionNamed } from './jurisdiction.ts'
import { loadShippedData } from './load-data.ts'
import { readArguments } from './options.ts'
import { releaseOf } from './release.ts'
import { unsetAddressesOf } from './unset-addresses.ts'
import { versionToRunAgain } from './release-to-run-again.ts'
import { sessionsAnswer, setReplication, switchOnReplicas } from './replicas.ts'
import { PROJECT, readConfig, runWrangler, showWrangler } from './wrangler.ts'

const { values } = readArguments({
  env: { type: 'string', default: '' },
  'dry-run': { type: 'boolean', default: false },
  rollback: { type: 'boolean', default: false },
  to: { type: 'string' },
  'without-data': { type: 'boolean', default: false },
  'local-boundaries': { type: 'boolean', default: false },
  replicas: { type: 'boolean', default: false },
  url: { type: 'string' },
  jurisdiction: { type: 'string' },
})
const environment = `--env=${values.env}`
const release = releaseOf(PROJECT)
/** Longer than an isolate keeps an answer of `/health`. */
const PROBE_MS = 30_000
const boundaries = values['local-boundaries']
/** The key that this run has made; null: none. */
let made_key: string | null = null
const DEEDS: Readonly<Record<Deed, () => Promise<void>>> = {
  checkAccess,
  makeEncryptionKey,
  loadData,
  forgetBooks: () => forgetBooks(values.env),
}

try {
  for (const told of unsetAddressesOf(readConfig(values.env))) console.log(told)
  const replicas = values.replicas ? replicaOptions() : null
  if (values['dry-run']) await rehearse()
  else {
    // Before the first question of wrangler, whose refusal would not name the permission.
    await checkAccess()
    const jurisdiction = await placeOf()
    await follow(values.rollback ? await planOfRollback() : await planOfDeploy(jurisdiction), jurisdiction)
    if (made_key !== null) console.log(keyText(made_key))
    if (replicas !== null) await replicate(replicas)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function bindingsOfDatabases(): string[] {
  return readConfig(values.env).d1_databases.map(({ binding }) => binding)
}

async function planOfDeploy(jurisdiction: string | null): Promise<readonly Step[]> {
  const make = await missingDatabases(values.env)
  if (make.length > 0 && jurisdiction === null)
    console.log(
      'The databases are made without a jurisdiction (--jurisdiction eu|us). None can be set later.',
    )
  const databases = { exist: make.length === 0, make, jurisdiction }
  return deployPlan(databases, bindingsOfDatabases(), release, !values['without-data'])
}

/** The jurisdiction of the databases that exist, or of those to be made. Throws if it had to change. */
async function placeOf(): Promise<string | null> {
  return deployedJurisdiction(values.env, jurisdictionNamed(values.jurisdiction))
}

/** A rehearsal asks no account. With a jurisdiction, it shows a first deploy. */
function rehearsed() {
  const jurisdiction = jurisdictionNamed(values.jurisdiction)
  const names = readConfig(values.env).d1_databases.map(({ database_name }) => database_name)
  return { exist: jurisdiction === null, make: jurisdiction === null ? [] : names, jurisdiction }
}

async function planOfRollback(): Promise<readonly Step[]> {
  if (values.to !== undefined) return rollbackPlan(values.to)
  const deployments = await readDeployments(values.env)
  return rollbackPlan(versionToRunAgain(deployments, bindingsOfDatabases()).id)
}

/**
 * Builds the Worker, checks its configuration, and prints the steps of a real run. It needs no account. If
 * somebody is logged in, it ends with what the run would change there.
 */
async function rehearse(): Promise<void> {
  const jurisdiction = jurisdictionNamed(values.jurisdiction)
  const changes = { boundaries, environment: values.env, namespace: null, jurisdiction }
  const config = boundaries || jurisdiction ? ['--config', writeDeployConfig(changes)] : []
  await showWrangler(['deploy', ...config, environment, '--dry-run'])
  const plan = values.rollback
    ? rollbackPlan(values.to ?? 'VERSION')
    : deployPlan(rehearsed(), bindingsOfDatabases(), release, !values['without-data'])
  console.log('The dry run changed nothing. A real run does this, and stops at the first failure:')
  for (const [index, step] of plan.entries()) console.log(`${index + 1}. ${describeStep(step, environment)}`)
  for (const line of await outlook()) console.log(`- ${line}`)
}

async function outlook(): Promise<string[]> {
  const { name, d1_databases, r2_buckets, kv_namespaces, queues, ratelimits, send_email, vars } = readConfig(
    values.env,
  )
  const bound = [...d1_databases, ...r2_buckets, ...kv_namespaces, ...queues.producers]
  const named = [...ratelimits, ...send_email].map((each) => each.name)
  const bindings = [...bound.map(({ binding }) => binding), ...named, ...Object.keys(vars)]
  if (boundaries) bindings.push('LOCAL_BOUNDARIES')
  try {
    const found = await readAccount(values.env)
    return outlookOf(found, { name, release, bindings, databases: bindingsOfDatabases() })
  } catch {
    return ['Nobody is logged in, so the account was not looked at: npx wrangler login']
  }
}

async function follow(plan: readonly Step[], jurisdiction: string | null): Promise<void> {
  const namespace = await namespaceId(values.env)
  // The free plan refuses a limit of CPU time, so only a request writes a configuration with one.
  const changed = boundaries || namespace !== null || jurisdiction !== null
  const changes = { boundaries, environment: values.env, namespace, jurisdiction }
  const config = changed ? ['--config', writeDeployConfig(changes)] : []
  for (const step of plan) {
    if ('wrangler' in step) await showWrangler([...step.wrangler, ...config, environment])
    else await DEEDS[step.deed]()
  }
}

async function checkAccess(): Promise<void> {
  const access = accessOf(process.env)
  if (access !== null) await checkToken(access)
}

/** What `--replicas` needs. Throws an Error that names what is missing, before anything is changed. */
function replicaOptions(): { access: CloudflareAccess; url: string } {
  const access = accessOf(process.env)
  if (values.url === undefined || access === null)
    throw new Error(
      '--replicas needs --url with the address of the service, and the variables CLOUDFLARE_ACCOUNT_ID ' +
        'and CLOUDFLARE_API_TOKEN (D1: edit)',
    )
  return { access, url: values.url }
}

/** Only the control database is read through sessions. */
async function replicate({ access, url }: { access: CloudflareAccess; url: string }): Promise<void> {
  const { database_name } = readConfig(values.env).d1_databases[0]
  const printed = await runWrangler(['d1', 'info', database_name, '--json', environment])
  const { uuid } = z.object({ uuid: z.string() }).parse(JSON.parse(printed))
  const stays = await switchOnReplicas({
    setMode: (mode) => setReplication(access, uuid, mode),
    probe: () => sessionsAnswer(url),
    wait: () => sleep(PROBE_MS),
    report: (line) => console.log(line),
  })
  if (!stays) process.exitCode = 1
}

async function loadData(): Promise<void> {
  const { db, kv, dispose } = await openRemote(values.env)
  try {
    await loadShippedData(db, kv, new Date())
    console.log(`\nDeployed with the tax data. ${await firstKey(db, process.stdout.isTTY, new Date())}\n`)
  } finally {
    await dispose()
  }
}

/** Makes the key that encrypts the secrets of webhooks. Never replaces one: the secrets would be lost. */
async function makeEncryptionKey(): Promise<void> {
  if (await hasSecret(values.env, 'ENCRYPTION_KEY')) return
  const key = randomBytes(32).toString('base64url')
  await runWrangler(['secret', 'put', 'ENCRYPTION_KEY', environment], key)
  made_key = key
}

/** Cloudflare shows it to nobody. Without a terminal, other people may read the log. */
function keyText(key: string): string {
  const use = 'Without it, a backup cannot be loaded elsewhere with its webhooks'
  return process.stdout.isTTY
    ? `ENCRYPTION_KEY, shown only once. Keep it outside of this account. ${use}:\n\n  ${key}\n`
    : `ENCRYPTION_KEY is set and was not shown, because this is no terminal. ${use}`
}
