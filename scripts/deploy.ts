import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { openRemote } from './bindings.ts'
import { type Deed, deployPlan, describeStep, rollbackPlan, type Step } from './deploy-plan.ts'
import { firstKey } from './first-key.ts'
import { loadShippedData } from './load-data.ts'
import { readArguments } from './options.ts'
import { writePaidConfig } from './paid-config.ts'
import { type CloudflareAccess, sessionsAnswer, setReplication, switchOnReplicas } from './replicas.ts'
import { readConfig, runWrangler, showWrangler } from './wrangler.ts'

const { values } = readArguments({
  env: { type: 'string', default: '' },
  'dry-run': { type: 'boolean', default: false },
  rollback: { type: 'boolean', default: false },
  'local-boundaries': { type: 'boolean', default: false },
  replicas: { type: 'boolean', default: false },
  url: { type: 'string' },
})
const environment = `--env=${values.env}`
/** Longer than an isolate keeps an answer of `/health`. */
const PROBE_MS = 30_000
/** The free plan refuses a limit of CPU time, so only a request writes a configuration with one. */
const CONFIG = values['local-boundaries'] ? ['--config', writePaidConfig()] : []
/** Before the first step, which reads it: the steps run while this module is evaluated. */
const DEEDS: Readonly<Record<Deed, () => Promise<void>>> = { makeEncryptionKey, loadData }

try {
  const replicas = values.replicas ? replicaOptions() : null
  const bindings = readConfig(values.env).d1_databases.map(({ binding }) => binding)
  const plan = values.rollback
    ? rollbackPlan()
    : deployPlan(values['dry-run'] || (await databasesExist()), bindings)
  if (values['dry-run']) await rehearse(plan)
  else {
    await follow(plan)
    if (replicas !== null) await replicate(replicas)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Whether all databases exist. The first deploy of the Worker makes them. */
async function databasesExist(): Promise<boolean> {
  const wanted = readConfig(values.env).d1_databases
  const databases = z.array(z.object({ name: z.string() }))
  const listed = databases.parse(JSON.parse(await runWrangler(['d1', 'list', '--json', environment])))
  return wanted.every(({ database_name }) => listed.some(({ name }) => name === database_name))
}

/** Builds the Worker, checks its configuration, and prints the steps of a real run. */
async function rehearse(plan: readonly Step[]): Promise<void> {
  await showWrangler(['deploy', ...CONFIG, environment, '--dry-run'])
  console.log('The dry run changed nothing. A real run does this, and stops at the first failure:')
  for (const [index, step] of plan.entries()) console.log(`${index + 1}. ${describeStep(step, environment)}`)
}

async function follow(plan: readonly Step[]): Promise<void> {
  for (const step of plan) {
    if ('wrangler' in step) await showWrangler([...step.wrangler, ...CONFIG, environment])
    else await DEEDS[step.deed]()
  }
}

/** What `--replicas` needs. Throws an Error that names what is missing, before anything is changed. */
function replicaOptions(): { access: CloudflareAccess; url: string } {
  const { CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_BASE_URL } = process.env
  if (values.url === undefined || !CLOUDFLARE_ACCOUNT_ID || !CLOUDFLARE_API_TOKEN)
    throw new Error(
      '--replicas needs --url with the address of the service, and the variables CLOUDFLARE_ACCOUNT_ID ' +
        'and CLOUDFLARE_API_TOKEN (D1: edit)',
    )
  const access = {
    account_id: CLOUDFLARE_ACCOUNT_ID,
    token: CLOUDFLARE_API_TOKEN,
    api: CLOUDFLARE_API_BASE_URL,
  }
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
  const listed = await runWrangler(['secret', 'list', '--format', 'json', environment])
  const secrets = z.array(z.object({ name: z.string() })).parse(JSON.parse(listed))
  if (secrets.some(({ name }) => name === 'ENCRYPTION_KEY')) return
  await runWrangler(['secret', 'put', 'ENCRYPTION_KEY', environment], randomBytes(32).toString('base64url'))
}
