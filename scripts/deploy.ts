import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openRemote } from './bindings.ts'
import { loadShippedData } from './load-data.ts'
import { runWrangler, showWrangler } from './wrangler.ts'

const args = process.argv.slice(2)

try {
  if (args.includes('--dry-run')) await rehearse()
  else await deploy()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function rehearse(): Promise<void> {
  await showWrangler(['deploy', ...args])
  console.log('A real deploy then applies the migrations, loads the shipped tax data, and says how to make the first key.')
}

/** The worker comes first: its deploy makes the database that the migrations are applied to. Until then it answers 503 on /health. */
async function deploy(): Promise<void> {
  await showWrangler(['deploy', ...args])
  await showWrangler(['d1', 'migrations', 'apply', 'DB', '--remote'])
  await makeEncryptionKey()
  const bindings = await openRemote()
  try {
    await loadShippedData(bindings.db, bindings.kv, new Date())
  } finally {
    await bindings.dispose()
  }
  console.log(
    `\nDeployed, with its tax data. Make the first key:\n\n  npm run keys -- create --account "Acme" --tier pro --scopes '*' --remote\n`,
  )
}

/** The secret under which those of webhooks are kept. One that is there is never replaced: what it encrypted would be lost. */
async function makeEncryptionKey(): Promise<void> {
  const secrets = z.array(z.object({ name: z.string() })).parse(JSON.parse(await runWrangler(['secret', 'list', '--format', 'json'])))
  if (secrets.some(({ name }) => name === 'ENCRYPTION_KEY')) return
  await runWrangler(['secret', 'put', 'ENCRYPTION_KEY'], randomBytes(32).toString('base64url'))
}
