import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_PATH, PROJECT } from './wrangler.ts'

/** The boundaries of Georgia, the largest file, take some 6 s of CPU time on our machine. */
const CPU_MS = 120_000

/**
 * How the configuration of a deploy differs from wrangler.toml. `boundaries`: with a limit of CPU time, and
 * the variable that lets the worker read boundary files. `namespace`: the id of the KV namespace of an
 * environment; null: there is none yet. `jurisdiction`: where its buckets are made; null: anywhere.
 */
type Changes = {
  boundaries: boolean
  environment: string
  namespace: string | null
  jurisdiction: string | null
}

/** wrangler.toml with a limit of CPU time and the variable that lets the worker read boundary files. */
export function withBoundaries(config: string): string {
  const limited = config.replace('[vars]\n', `[limits]\ncpu_ms = ${CPU_MS}\n\n[vars]\n`)
  return limited.replaceAll(/^ENVIRONMENT = .*$/gm, (line) => `${line}\nLOCAL_BOUNDARIES = "on"`)
}

/**
 * wrangler.toml with the id of the namespace. Without one, wrangler makes the namespace of a new Worker. If a
 * first deploy stopped after that, wrangler would make it again, and Cloudflare refuses a second one of its
 * name. An id that is in the file already stays.
 */
function withNamespace(config: string, environment: string, id: string): string {
  const head = `[[${environment === '' ? '' : `env.${environment}.`}kv_namespaces]]\nbinding = "KV"\n`
  return config.replace(`${head}\n`, `${head}id = "${id}"\n\n`)
}

/** wrangler.toml with a jurisdiction for each bucket of an environment that names none. */
function withJurisdiction(config: string, environment: string, jurisdiction: string): string {
  const head = `[[${environment === '' ? '' : `env.${environment}.`}r2_buckets]]\n`
  const [before = '', ...buckets] = config.split(head)
  const placed = buckets.map((bucket) =>
    /^(?:(?!\[).*\n)*?jurisdiction/.test(bucket) ? bucket : `jurisdiction = "${jurisdiction}"\n${bucket}`,
  )
  return [before, ...placed].join(head)
}

/** Writes the configuration beside wrangler.toml, because its paths are relative. Returns its path. */
export function writeDeployConfig({ boundaries, environment, namespace, jurisdiction }: Changes): string {
  const plain = readFileSync(CONFIG_PATH, 'utf8')
  const placed = jurisdiction === null ? plain : withJurisdiction(plain, environment, jurisdiction)
  const named = namespace === null ? placed : withNamespace(placed, environment, namespace)
  const path = join(PROJECT, 'wrangler.deploy.toml')
  writeFileSync(path, boundaries ? withBoundaries(named) : named)
  return path
}
