import { appendFileSync } from 'node:fs'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readArguments } from './options.ts'
import { writeDeployConfig } from './deploy-config.ts'
import { deployedJurisdiction } from './jurisdiction.ts'
import { readShardSize } from '../src/platform/database/shard-sizes.ts'
import { type NewShard, newShard } from './shard-config.ts'
import { OWN_CONFIG_PATH, readConfig, runWrangler, showWrangler } from './wrangler.ts'

/**
 * Adds a database for the books of further accounts, or lists all with their fill. Without --remote, `add`
 * writes wrangler.own.toml and makes the local database. `--local-boundaries` is that of the deploy, which
 * otherwise would remove the limit of CPU time.
 */
const { values, positionals } = readArguments({
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
  'local-boundaries': { type: 'boolean', default: false },
})
/** The most bytes of a D1 database. */
const BYTES_MAX = 10_000_000_000
const environment = `--env=${values.env}`

try {
  if (positionals.length === 1 && positionals[0] === 'list') await list()
  else if (positionals.length === 1 && positionals[0] === 'add') await add()
  else
    throw new Error(
      'Usage: npm run shards -- add|list [--remote] [--dry-run] [--env NAME] [--persist-to DIR]',
    )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function list(): Promise<void> {
  const { shards, dispose } = await openDatabases()
  try {
    for (const shard of shards) {
      const { bytes, accounts } = await readShardSize(shard)
      const fill = ((100 * bytes) / BYTES_MAX).toFixed(1)
      console.log(`shard ${shard.number}: ${accounts} accounts, ${bytes} bytes, ${fill} % full`)
    }
  } finally {
    await dispose()
  }
}

function openDatabases() {
  return values.remote ? openRemote(values.env) : openLocal(values['persist-to'])
}

async function add(): Promise<void> {
  const { d1_databases, name } = readConfig(values.env)
  const added = newShard(d1_databases, values.env, name)
  const { binding, database_name, section } = added
  if (values['dry-run']) {
    console.log(
      `The dry run changed nothing. A real run binds ${database_name} as ${binding} in wrangler.own.toml.`,
    )
    // A rehearsal asks no account, so it does not know whether the control database has a jurisdiction.
    if (values.remote) for (const step of remoteSteps(added, null)) console.log(`wrangler ${step.join(' ')}`)
    return
  }
  if (values.remote) {
    const jurisdiction = await deployedJurisdiction(values.env)
    const steps = remoteSteps(added, jurisdiction)
    for (const step of steps.slice(0, 1)) await runWrangler(step)
    appendFileSync(OWN_CONFIG_PATH, section)
    // From the new configuration, so that it has the new shard.
    const boundaries = values['local-boundaries']
    const changes = { boundaries, environment: values.env, namespace: null, jurisdiction }
    const config = boundaries || jurisdiction !== null ? ['--config', writeDeployConfig(changes)] : []
    for (const step of steps.slice(1)) await showWrangler([...step, ...config])
  } else {
    appendFileSync(OWN_CONFIG_PATH, section)
    await (await openDatabases()).dispose()
  }
  console.log(`${binding} is bound to ${database_name}. New accounts go to the emptiest shard.`)
}

/**
 * The migrations come before the code, so that the service never meets a database without tables. The books
 * are in the jurisdiction of the control database.
 */
function remoteSteps({ binding, database_name }: NewShard, jurisdiction: string | null): string[][] {
  const place = jurisdiction === null ? [] : ['--jurisdiction', jurisdiction]
  return [
    ['d1', 'create', database_name, ...place, environment],
    ['d1', 'migrations', 'apply', binding, '--remote', environment],
    ['deploy', environment],
  ]
}
