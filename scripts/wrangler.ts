import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { mergeConfig, type Section } from './merge-config.ts'
import { writeIfOther } from './write-if-other.ts'

export const PROJECT = join(import.meta.dirname, '..')

const WRANGLER = join(PROJECT, 'node_modules/wrangler/bin/wrangler.js')

const DatabaseOfConfig = z.object({ binding: z.string(), database_name: z.string() })

const Config = z.object({
  name: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  /** The control database first, then the shards. */
  d1_databases: z.tuple([DatabaseOfConfig], DatabaseOfConfig),
  r2_buckets: z.array(
    z.object({ binding: z.string(), bucket_name: z.string(), jurisdiction: z.string().optional() }),
  ),
  vars: z.record(z.string(), z.unknown()),
  triggers: z.object({ crons: z.array(z.string()) }),
  kv_namespaces: z.array(z.object({ binding: z.string() })),
  send_email: z.array(z.object({ name: z.string() })),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })),
    consumers: z.array(z.object({ queue: z.string(), max_batch_size: z.int(), max_batch_timeout: z.int() })),
  }),
  ratelimits: z.array(
    z.object({
      name: z.string(),
      namespace_id: z.string(),
      simple: z.object({ limit: z.int(), period: z.literal(60) }),
    }),
  ),
})

export const CONFIG_PATH = join(PROJECT, 'wrangler.toml')

/** What the operator sets: routes, buckets, variables, shards. It is in no release, so no pull touches it. */
export const OWN_CONFIG_PATH = join(PROJECT, 'wrangler.own.toml')

/** The package of wrangler. Reading it takes a second, so no command does it for its `--help`. */
export function wranglerPackage(): typeof import('wrangler') {
  return createRequire(import.meta.url)('wrangler')
}

/** wrangler.toml with what the operator has set, as wrangler reads both. */
export function wholeConfig(): Section {
  const [config = {}, own = {}] = [CONFIG_PATH, OWN_CONFIG_PATH].filter(existsSync).map((path): Section => ({
    ...wranglerPackage().experimental_readRawConfig({ config: path }).rawConfig,
  }))
  return mergeConfig(config, own)
}

/** The file with that: wrangler.toml itself if the operator has set nothing. */
export function configPath(): string {
  if (!existsSync(OWN_CONFIG_PATH)) return CONFIG_PATH
  const path = join(PROJECT, 'wrangler.whole.json')
  writeIfOther(path, JSON.stringify(wholeConfig(), null, 2))
  return path
}

/** The used parts of the configuration, for production or the named environment. */
export function readConfig(environment = ''): z.infer<typeof Config> {
  return Config.parse(wranglerPackage().unstable_readConfig({ config: configPath(), env: environment }))
}

/**
 * Turns off telemetry and the look-up of this machine's location: only --remote needs a network. Also turns
 * off what wrangler serves beside the Worker: a shell for SQL without a key, and records of all requests.
 */
export const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
}

/**
 * Starts wrangler with the Node of this process. The default environment is production, and the default
 * configuration that of `configPath`. Without an input, wrangler asks no questions.
 */
export function startWrangler(
  args: readonly string[],
  output: 'inherit' | 'pipe',
  input: 'inherit' | 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const named = args.some((arg) => /^(-e|--env)(=|$)/.test(arg))
  const configured = args.some((arg) => /^(-c|--config)(=|$)/.test(arg)) || !existsSync(OWN_CONFIG_PATH)
  const more = [...(named ? [] : ['--env=']), ...(configured ? [] : ['--config', configPath()])]
  return spawn(process.execPath, [WRANGLER, ...args, ...more], {
    cwd: PROJECT,
    env: { ...process.env, ...QUIET },
    stdio: [input, output, output],
  })
}

/**
 * Runs a command of wrangler to its end and returns its standard output. If it fails, throws an Error with
 * all of its output.
 */
export async function runWrangler(args: readonly string[], input?: string): Promise<string> {
  const child = startWrangler(args, 'pipe', input === undefined ? 'ignore' : 'pipe')
  child.stdin?.end(input)
  let stdout = ''
  let all = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    all += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => (all += chunk.toString()))
  const code = await exitOf(child)
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${all.trim()}`)
  return stdout
}

/** Runs a command of wrangler on this terminal, so that it can ask for a login. Throws if it fails. */
export async function showWrangler(args: readonly string[]): Promise<void> {
  const code = await exitOf(startWrangler(args, 'inherit', 'inherit'))
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed. Its output is above`)
}

/** The exit code of a process; 1 if a signal ended it. */
export function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
