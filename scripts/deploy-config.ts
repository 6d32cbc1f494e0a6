import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { partOf, type Section, sectionsOf } from './merge-config.ts'
import { PROJECT, wholeConfig } from './wrangler.ts'

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

/**
 * Changes a configuration for a deploy. The id of the namespace: without one, wrangler makes the namespace of
 * a new Worker. If a first deploy stopped after that, wrangler would make it again, and Cloudflare refuses a
 * second one of its name. An id, and the jurisdiction of a bucket, that are set already stay.
 */
export function withChanges(config: Section, changes: Changes): Section {
  const { boundaries, environment, namespace, jurisdiction } = changes
  const changed = structuredClone(config)
  const part = partOf(changed, environment)
  if (boundaries) {
    changed['limits'] = { cpu_ms: CPU_MS }
    part['vars'] = { ...Object(part['vars']), LOCAL_BOUNDARIES: 'on' }
  }
  for (const each of sectionsOf(part, 'kv_namespaces'))
    if (namespace !== null && each['binding'] === 'KV') each['id'] ??= namespace
  for (const bucket of sectionsOf(part, 'r2_buckets'))
    if (jurisdiction !== null) bucket['jurisdiction'] ??= jurisdiction
  return changed
}

/** Writes the configuration beside wrangler.toml, because its paths are relative. Returns its path. */
export function writeDeployConfig(changes: Changes): string {
  const path = join(PROJECT, 'wrangler.deploy.json')
  writeFileSync(path, JSON.stringify(withChanges(wholeConfig(), changes), null, 2))
  return path
}
