import { type WholeDb, wholeDb } from '../src/platform/database/databases.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Bindings as ServiceBindings } from '../src/platform/bindings.ts'
import { type Shard, shardsOf } from '../src/platform/database/shards.ts'
import { applyMigrations, pendingMigrations } from './migrations.ts'
import { type Progress, silently } from './progress.ts'
import { openServed } from './serve/open-served.ts'
import { whileBusy } from './while-busy.ts'
import { configPath, PROJECT, QUIET, readConfig, runWrangler, wranglerPackage } from './wrangler.ts'

/** The default folder for the state of `wrangler dev`. */
export const DEFAULT_STATE = '.wrangler/state'

/**
 * The service's databases and cache, opened from Node: the control database, and all shards of the books, of
 * which it is the first. Call `dispose`, or the process will not end.
 */
export type Bindings = {
  db: WholeDb
  shards: readonly Shard[]
  kv: KVNamespace
  /** The buckets that wrangler.toml binds. */
  buckets: Pick<ServiceBindings, 'BACKUPS' | 'CERTIFICATES' | 'CHESTS'>
  dispose: () => Promise<void>
}

/**
 * Opens the local database and cache that `wrangler dev --persist-to <state>` serves, even while it runs.
 * Applies missing migrations. While `npm run serve` runs, its process makes the calls.
 */
export async function openLocal(state: string, progress: Progress = silently): Promise<Bindings> {
  const served = await openServed(state)
  if (served !== null) return served
  const bindings = await progress(`Opening the database in ${state}`, () =>
    openPlatform(configPath(), { path: join(resolve(state), 'v3') }, false),
  )
  try {
    for (const shard of bindings.shards) await whileBusy(() => applyPending(shard, progress))
    return bindings
  } catch (error) {
    await bindings.dispose()
    throw error
  }
}

async function applyPending({ number, books }: Shard, progress: Progress): Promise<void> {
  const pending = await pendingMigrations(books)
  if (pending.length === 0) return
  const binding = number === 0 ? 'DB' : `BOOKS_${number}`
  await progress(`Applying ${pending.length} migrations to ${binding}`, () => applyMigrations(books))
}

/**
 * Opens the deployed database and cache of the account that wrangler is logged in to. The first `npm run
 * deploy` makes them.
 */
export async function openRemote(environment = ''): Promise<Bindings> {
  return openPlatform(await writeRemoteConfig(environment), false, true)
}

async function openPlatform(
  configPath: string,
  persist: false | { path: string },
  remoteBindings: boolean,
): Promise<Bindings> {
  Object.assign(process.env, QUIET)
  const { getPlatformProxy } = wranglerPackage()
  const proxy = await getPlatformProxy<
    Pick<ServiceBindings, 'DB' | 'KV' | 'BACKUPS' | 'CERTIFICATES' | 'CHESTS' | `BOOKS_${number}`>
  >({
    configPath,
    persist,
    remoteBindings,
    envFiles: [],
  })
  const { env } = proxy
  const { BACKUPS, CERTIFICATES, CHESTS } = env
  const buckets = {
    ...(BACKUPS && { BACKUPS }),
    ...(CERTIFICATES && { CERTIFICATES }),
    ...(CHESTS && { CHESTS }),
  }
  return { db: wholeDb(env.DB), shards: shardsOf(env), kv: env.KV, buckets, dispose: proxy.dispose }
}

const DatabaseInfo = z.object({ uuid: z.string() })
const Namespaces = z.array(z.object({ id: z.string(), title: z.string() }))

/** Remote bindings need ids, and wrangler.toml has none, so this looks them up by their names. */
async function writeRemoteConfig(environment: string): Promise<string> {
  const config = readConfig(environment)
  const d1_databases = []
  for (const { binding, database_name } of config.d1_databases) {
    const info = DatabaseInfo.parse(JSON.parse(await runWrangler(['d1', 'info', database_name, '--json'])))
    d1_databases.push({ binding, database_name, database_id: info.uuid, remote: true })
  }
  const title = `${config.name}-kv`
  const namespaces = Namespaces.parse(JSON.parse(await runWrangler(['kv', 'namespace', 'list'])))
  const namespace = namespaces.find((each) => each.title === title)
  if (namespace === undefined)
    throw new Error(`There is no KV namespace named ${title}. Run npm run deploy first`)
  const folder = join(PROJECT, '.wrangler/remote')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'wrangler.json')
  writeFileSync(
    path,
    JSON.stringify({
      name: config.name,
      compatibility_date: config.compatibility_date,
      d1_databases,
      r2_buckets: config.r2_buckets.map((bucket) => ({ ...bucket, remote: true })),
      kv_namespaces: [{ binding: 'KV', id: namespace.id, remote: true }],
    }),
  )
  return path
}
