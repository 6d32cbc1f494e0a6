import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { openLocal } from '../../scripts/bindings.ts'
import { firstKey } from '../../scripts/first-key.ts'
import { CONFIG_PATH, readConfig, runWrangler } from '../../scripts/wrangler.ts'

describe.each(['', 'staging'])('the logs of "%s"', (env) => {
  it('have no line of the platform, which would have addresses with tokens and external ids', () => {
    const { observability } = unstable_readConfig({ config: CONFIG_PATH, env })
    expect(observability).toMatchObject({ redact_query_string: true, logs: { invocation_logs: false } })
  })
})

describe('staging', () => {
  it('has every binding of production, and shares none of them', () => {
    const read = (env: string) => {
      const { d1_databases, kv_namespaces, queues, ratelimits, triggers, assets, compatibility_flags, vars } =
        unstable_readConfig({
          config: CONFIG_PATH,
          env,
        })
      return {
        d1_databases,
        kv_namespaces,
        queues,
        ratelimits,
        triggers,
        assets,
        compatibility_flags,
        vars: Object.keys(vars),
      }
    }
    const alike = JSON.stringify(read('staging')).replaceAll('staging-', '').replaceAll('"42', '"41')
    expect(JSON.parse(alike)).toEqual(JSON.parse(JSON.stringify(read(''))))
    const names = (env: string) => {
      const { name, d1_databases, queues, ratelimits } = readConfig(env)
      return [
        name,
        d1_databases[0].database_name,
        ...queues.producers.map(({ queue }) => queue),
        ...ratelimits.map((each) => each.namespace_id),
      ]
    }
    expect(new Set([...names(''), ...names('staging')]).size).toBe(names('').length * 2)
  })

  it('can be built for a deploy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'staging-'))
    const printed = await runWrangler(['deploy', '--env=staging', '--dry-run', '--outdir', folder])
    rmSync(folder, { recursive: true })
    expect(printed).toContain('tax-compliance-service-staging-db')
    expect(printed).toContain('"staging"')
  })
})

describe('the first key', () => {
  const state = mkdtempSync(join(tmpdir(), 'first-key-'))
  let bindings: Awaited<ReturnType<typeof openLocal>>
  beforeAll(async () => {
    bindings = await openLocal(state)
  })
  afterAll(async () => {
    await bindings.dispose()
    rmSync(state, { recursive: true })
  })
  const keys = async () =>
    (await bindings.db.prepare('SELECT count(*) AS n FROM api_keys').first<{ n: number }>())?.n

  it('is never written into a log, made on a terminal, and made once', async () => {
    expect(await firstKey(bindings.db, false, new Date())).not.toContain('tcs_')
    expect(await keys()).toBe(0)
    expect(await firstKey(bindings.db, true, new Date())).toMatch(/tcs_live_\w{30,}/)
    expect(await keys()).toBe(1)
    expect(await firstKey(bindings.db, true, new Date())).not.toContain('tcs_')
    expect(await keys()).toBe(1)
  })
})
