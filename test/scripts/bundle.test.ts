import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyMigrations } from '../../scripts/migrations.ts'
import { runWorker } from '../../scripts/run-worker.ts'
import { type BuiltWorker, evaluatedAtStart, reachableModules } from '../../scripts/worker-modules.ts'
import { builtWorker } from './built.ts'

const PROJECT = join(import.meta.dirname, '../..')

it('imports zod as a namespace in the worker: the object z brings all its languages along, 320 KB', () => {
  const files = globSync(['src/**/*.{ts,tsx}', 'collectors/**/*.ts'], { cwd: PROJECT })
  const lines = files.flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8')
    return [...text.matchAll(/^import (.*) from 'zod'$/gm)].map(([, names]) => `${file}: ${names}`)
  })
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter((line) => !/: (type )?\* as z$/.test(line))).toEqual([])
})

describe('the Worker as it is deployed', () => {
  let built: BuiltWorker
  let miniflare: Miniflare
  let origin = ''

  beforeAll(async () => {
    built = await builtWorker()
    const variables = { ENVIRONMENT: 'test', ENCRYPTION_KEY: 'a key for tests' }
    ;({ miniflare, origin } = await runWorker(built.modules, { variables, offline: true, limits: false }))
    await applyMigrations(await miniflare.getD1Database('DB'))
  })
  afterAll(() => miniflare.dispose())

  it('imports the routes beyond the checkout at the first request for one of them', async () => {
    const statuses = async (...paths: string[]) =>
      Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`)).status))
    expect(await statuses('/v1/rates', '/v1/customers', '/status', '/nowhere')).toEqual([401, 401, 200, 404])
  })

  it('imports the jobs at the first cron tick', async () => {
    const worker = await miniflare.getWorker()
    expect(await worker.scheduled({ cron: '*/5 * * * *' })).toMatchObject({ outcome: 'ok' })
  })

  it('evaluates at most 310 KB, or 105 KB gzipped, before it answers a checkout', () => {
    const text = evaluatedAtStart(built.modules)
      .map(({ contents }) => contents)
      .join('')
    expect(text.length).toBeGreaterThan(100_000)
    expect(Buffer.byteLength(text)).toBeLessThan(310_000)
    expect(gzipSync(text).length).toBeLessThan(105_000)
  })

  it('evaluates no collector, report or parser before it answers a checkout', () => {
    const evaluated = [...built.sources.keys()]
    expect(evaluated.length).toBeGreaterThan(100)
    const heavy =
      /^collectors|^src\/(returns|webhooks|interfaces\/pages)\/|node_modules\/(fast-xml|papaparse|htmlparser2|fflate)/
    expect(evaluated.filter((path) => heavy.test(path))).toEqual([])
  })

  it('evaluates nothing of the view of an invoice before it answers a checkout', () => {
    const evaluated = [...built.sources.keys()]
    const late =
      /^src\/engine\/einvoice\/|^src\/sales\/calculation\/(einvoice|stored-numbers|invoice-texts)\.|^data\/einvoice/
    expect(evaluated.filter((path) => late.test(path))).toEqual([])
  })

  it('evaluates no form and no check digit of VAT ids before it answers a checkout', () => {
    const late =
      /^src\/parties\/vat\/(formats|check-digits|validators|vat-id)\.|^data\/vat-formats|node_modules\/stdnum/
    expect([...built.sources.keys()].filter((path) => late.test(path))).toEqual([])
  })

  it('evaluates no rule, no schema and no zod before it answers a checkout', () => {
    const late =
      /^src\/sales\/(nexus|calculation\/(routes|rates|thresholds|decision)\.)|schemas\.ts$|\/answers\.ts$|node_modules\/(zod|@hono)\//
    expect([...built.sources.keys()].filter((path) => late.test(path))).toEqual([])
  })

  it('has no module that it never imports', () => {
    expect(reachableModules(built.modules).length).toBe(built.modules.length)
  })
})
