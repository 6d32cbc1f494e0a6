import { z } from 'zod'
import { isHeadOfBook } from '../src/tax-data/records/book-names.ts'
import { type DeployedVersion, type Deployment, ROLLBACK_MESSAGE } from './release-to-run-again.ts'
import type { FoundInAccount } from './deploy-outlook.ts'
import { migrationsIn } from './kept-release.ts'
import { PROJECT, readConfig, runWrangler } from './wrangler.ts'

/** What wrangler says about the deployed service. `environment` is e.g. `staging`; '' is production. */

const Databases = z.array(z.object({ name: z.string() }))
const Database = z.object({ jurisdiction: z.string().nullish() })
const Namespaces = z.array(z.object({ id: z.string(), title: z.string() }))
const Secrets = z.array(z.object({ name: z.string() }))
const Keys = z.array(z.object({ name: z.string() }))
const Annotations = z.record(z.string(), z.string()).optional()
const Deployments = z.array(
  z.object({
    created_on: z.string(),
    annotations: Annotations,
    versions: z.array(z.object({ version_id: z.string() })).min(1),
  }),
)
const Version = z.object({
  annotations: Annotations,
  resources: z.object({
    bindings: z.array(z.object({ name: z.string(), type: z.string() })),
    script: z.object({ etag: z.string() }),
  }),
})

/** Runs a command that prints JSON. */
async function ask<Answer>(
  schema: z.ZodType<Answer>,
  environment: string,
  ...args: string[]
): Promise<Answer> {
  return schema.parse(JSON.parse(await runWrangler([...args, `--env=${environment}`])))
}

/** The databases of wrangler.toml that do not exist. The first deploy of the Worker makes them. */
export async function missingDatabases(environment: string): Promise<string[]> {
  const listed = await ask(Databases, environment, 'd1', 'list', '--json')
  const named = readConfig(environment).d1_databases.map(({ database_name }) => database_name)
  return named.filter((database_name) => !listed.some(({ name }) => name === database_name))
}

const Applied = z.tuple([z.object({ results: z.array(z.object({ name: z.string() })) })])

/** What the account has of the service. Throws an Error if nobody is logged in. */
export async function readAccount(environment: string): Promise<FoundInAccount> {
  const missing = await missingDatabases(environment)
  const pending = []
  for (const { database_name } of readConfig(environment).d1_databases)
    if (!missing.includes(database_name))
      pending.push({ database_name, names: await pendingIn(database_name, environment) })
  // Without a Worker of the name, wrangler fails.
  const deployments = await readDeployments(environment).catch(() => [])
  return { deployments, missing, pending }
}

/** The migrations that a database lacks. */
async function pendingIn(database_name: string, environment: string): Promise<string[]> {
  const applied = await appliedIn(database_name, environment)
  return migrationsIn(PROJECT).flatMap(({ name }) => (applied.includes(name) ? [] : [name]))
}

/** None if the database has no list of them: the first deploy stopped before. */
async function appliedIn(database_name: string, environment: string): Promise<string[]> {
  const sql = 'SELECT name FROM d1_migrations'
  const asked = ['d1', 'execute', database_name, '--remote', '--json', '--command', sql]
  try {
    const [{ results }] = await ask(Applied, environment, ...asked)
    return results.map(({ name }) => name)
  } catch {
    return []
  }
}

/** A database that exists. `jurisdiction` is null if it was made without one. */
export type Placed = { name: string; jurisdiction: string | null }

/** The databases of wrangler.toml that exist, with their jurisdictions. */
export async function readJurisdictions(environment: string): Promise<Placed[]> {
  const missing = await missingDatabases(environment)
  const placed: Placed[] = []
  for (const { database_name: name } of readConfig(environment).d1_databases) {
    if (missing.includes(name)) continue
    const { jurisdiction = null } = await ask(Database, environment, 'd1', 'info', name, '--json')
    placed.push({ name, jurisdiction })
  }
  return placed
}

/** The id of the KV namespace that the first deploy made; null: there is none. */
export async function namespaceId(environment: string): Promise<string | null> {
  const title = `${readConfig(environment).name}-kv`
  const listed = await ask(Namespaces, environment, 'kv', 'namespace', 'list')
  return listed.find((each) => each.title === title)?.id ?? null
}

export async function hasSecret(environment: string, wanted: string): Promise<boolean> {
  const listed = await ask(Secrets, environment, 'secret', 'list', '--format', 'json')
  return listed.some(({ name }) => name === wanted)
}

/** The last deployments, newest first. */
export async function readDeployments(environment: string): Promise<Deployment[]> {
  const listed = await ask(Deployments, environment, 'deployments', 'list', '--json')
  const newest = listed.toSorted((a, b) => b.created_on.localeCompare(a.created_on))
  const deployments = []
  for (const { annotations, created_on, versions } of newest) {
    // All traffic goes to one version, because nothing here splits it.
    const version = await readVersion(environment, versions[0]?.version_id ?? '')
    deployments.push({ version, created_on, rollback: annotations?.['workers/message'] === ROLLBACK_MESSAGE })
  }
  return deployments
}

async function readVersion(environment: string, id: string): Promise<DeployedVersion> {
  const { annotations, resources } = await ask(Version, environment, 'versions', 'view', id, '--json')
  return {
    id,
    release: annotations?.['workers/message'] ?? null,
    code: resources.script.etag,
    // A deploy keeps the secrets.
    bindings: resources.bindings.flatMap(({ name, type }) => (type === 'secret_text' ? [] : [name])),
    by_secret: annotations?.['workers/triggered_by'] === 'secret',
  }
}

/** Deletes the books in force of all releases from KV. Each release makes its own again from the database. */
export async function forgetBooks(environment: string): Promise<void> {
  const id = await namespaceId(environment)
  if (id === null) return
  const namespace = ['--namespace-id', id, '--remote']
  for (const prefix of ['ratebook', 'local']) {
    const keys = await ask(Keys, environment, 'kv', 'key', 'list', '--prefix', prefix, ...namespace)
    for (const { name } of keys)
      if (isHeadOfBook(name))
        await runWrangler(['kv', 'key', 'delete', name, ...namespace, `--env=${environment}`])
  }
}
