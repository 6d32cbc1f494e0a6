import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openRemote } from './bindings.ts'
import { type Deed, deployPlan, describeStep, rollbackPlan, type Step } from './deploy-plan.ts'
import { firstKey } from './first-key.ts'
import { loadShippedData } from './load-data.ts'
import { readArguments } from './options.ts'
import { readConfig, runWrangler, showWrangler } from './wrangler.ts'

const { values } = readArguments({
  env: { type: 'string', default: '' },
  'dry-run': { type: 'boolean', default: false },
  rollback: { type: 'boolean', default: false },
})
const environment = `--env=${values.env}`

try {
  const bindings = readConfig(values.env).d1_databases.map(({ binding }) => binding)
  const plan = values.rollback
    ? rollbackPlan()
    : deployPlan(values['dry-run'] || (await databasesExist()), bindings)
  if (values['dry-run']) await rehearse(plan)
  else await follow(plan)
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
  await showWrangler(['deploy', environment, '--dry-run'])
  console.log('The dry run changed nothing. A real run does this, and stops at the first failure:')
  for (const [index, step] of plan.entries()) console.log(`${index + 1}. ${describeStep(step, environment)}`)
}

async function follow(plan: readonly Step[]): Promise<void> {
  for (const step of plan) {
    if ('wrangler' in step) await showWrangler([...step.wrangler, environment])
    else await DEEDS[step.deed]()
  }
}

const DEEDS: Readonly<Record<Deed, () => Promise<void>>> = { makeEncryptionKey, loadData }

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
