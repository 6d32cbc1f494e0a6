import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openRemote } from './bindings.ts'
import { firstKey } from './first-key.ts'
import { loadShippedData } from './load-data.ts'
import { readArguments } from './options.ts'
import { runWrangler, showWrangler } from './wrangler.ts'

const { values } = readArguments({
  env: { type: 'string', default: '' },
  'dry-run': { type: 'boolean', default: false },
})
const environment = `--env=${values.env}`

try {
  if (values['dry-run']) await rehearse()
  else await deploy()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function rehearse(): Promise<void> {
  await showWrangler(['deploy', environment, '--dry-run'])
  console.log(
    'The dry run changed nothing. A real deploy also applies the migrations, loads the tax data and ' +
      'makes the first key.',
  )
}

/**
 * The Worker comes first, because its deploy makes the database for the migrations. Until then, /health
 * answers 503.
 */
async function deploy(): Promise<void> {
  await showWrangler(['deploy', environment])
  await showWrangler(['d1', 'migrations', 'apply', 'DB', '--remote', environment])
  await makeEncryptionKey()
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
