import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countryModules } from '../../scripts/country-files.ts'
import { migrationsIn, releaseBefore } from '../../scripts/kept-release.ts'
import { WORKER_FOLDER } from '../../scripts/built-worker.ts'
import { writeModules } from '../../scripts/worker-modules.ts'
import { PROJECT, readConfig } from '../../scripts/wrangler.ts'
import { changeConfig, freshCheckout } from './checkout.ts'
import type { CloudflareAccount } from './cloudflare-account.ts'
import type { CloudflareApi } from './cloudflare-api.ts'

export const NAME = 'tax-compliance-service'

/** Everything but the data: wrangler writes it through a Worker of its own, which only Cloudflare can run. */
export const CODE = '--without-data'

/** What a command printed, and its exit code. */
export type Ended = { code: number; printed: string }

/** A checkout with built modules, so that no run builds them again. Its commands run the real wrangler. */
export class DeployProject {
  readonly folder = freshCheckout()

  constructor() {
    writeModules(join(this.folder, WORKER_FOLDER), releaseBefore().modules)
    // The command makes them before it starts the script.
    for (const [path, text] of countryModules()) writeFileSync(join(this.folder, path), text)
    changeConfig(this.folder, (text) =>
      text.replace('upload_source_maps = true', 'upload_source_maps = false'),
    )
  }

  /** Runs a script of `scripts/`, e.g. `deploy.ts`, against the account of the test. */
  async run(api: CloudflareApi, script: string, ...args: string[]): Promise<Ended> {
    const child = spawn(process.execPath, [`scripts/${script}`, ...args], {
      cwd: this.folder,
      env: {
        ...process.env,
        CI: 'true',
        CLOUDFLARE_API_BASE_URL: api.url,
        CLOUDFLARE_API_TOKEN: 'a token for tests',
        CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)))
    return { code, printed }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }
}

/** The Worker of an account. Throws an Error if it was not uploaded. */
export function workerOf(account: CloudflareAccount) {
  const found = account.scripts.get(NAME)
  if (found === undefined) throw new Error('The Worker was not uploaded')
  return found
}

/** What a deploy made in an account, without ids. */
export function madeIn(account: CloudflareAccount) {
  const { databases, namespaces, queues } = account
  return {
    databases: databases.map(({ name }) => name),
    namespaces: namespaces.map(({ title }) => title),
    queues: queues.map(({ queue_name }) => queue_name).toSorted(),
    consumers: queues.map(({ consumers }) => consumers.length),
    migrations: databases.map(({ data }) =>
      data
        .prepare('SELECT name FROM d1_migrations ORDER BY name')
        .all()
        .map(({ name }) => String(name)),
    ),
    secrets: [...workerOf(account).secrets.keys()],
  }
}

const QUEUES = readConfig().queues.producers.map(({ queue }) => queue)
const MIGRATIONS = migrationsIn(PROJECT).map(({ name }) => name)

/** What a whole deploy makes. `shards`: the names of the databases beside the control database. */
export function wholeDeploy(shards: readonly string[] = []): ReturnType<typeof madeIn> {
  const databases = [`${NAME}-db`, ...shards]
  return {
    databases,
    namespaces: [`${NAME}-kv`],
    queues: QUEUES.toSorted(),
    consumers: QUEUES.map(() => 1),
    migrations: databases.map(() => MIGRATIONS),
    secrets: ['ENCRYPTION_KEY'],
  }
}
