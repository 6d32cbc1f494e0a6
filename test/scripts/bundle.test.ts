import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { applyMigrations } from '../../scripts/migrations.ts'
import { runWorker } from '../../scripts/run-worker.ts'
import { runWrangler } from '../../scripts/wrangler.ts'

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

const Metafile = z.object({
  inputs: z.record(
    z.string(),
    z.object({ imports: z.array(z.object({ path: z.string(), kind: z.string() })) }),
  ),
})

describe('the Worker as it is deployed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  let miniflare: Miniflare
  let origin = ''

  beforeAll(async () => {
    const metafile = join(folder, 'meta.json')
    await runWrangler(['deploy', '--dry-run', '--outdir', folder, '--metafile', metafile])
    const name = readdirSync(folder).find((file) => file.endsWith('.js')) ?? ''
    const variables = { ENVIRONMENT: 'test', ENCRYPTION_KEY: 'a key for tests' }
    const surroundings = { variables, offline: true, limits: false }
    ;({ miniflare, origin } = await runWorker(readFileSync(join(folder, name), 'utf8'), surroundings))
    await applyMigrations(await miniflare.getD1Database('DB'))
  })
  afterAll(async () => {
    await miniflare.dispose()
    rmSync(folder, { recursive: true })
  })

  it('imports the routes beyond the checkout at the first request for one of them', async () => {
    const statuses = async (...paths: string[]) =>
      Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`)).status))
    expect(await statuses('/v1/rates', '/v1/customers', '/status', '/nowhere')).toEqual([401, 401, 200, 404])
  })

  it('imports the jobs at the first cron tick', async () => {
    const worker = await miniflare.getWorker()
    expect(await worker.scheduled({ cron: '*/5 * * * *' })).toMatchObject({ outcome: 'ok' })
  })

  it('evaluates no collector, report or parser before it answers a checkout', () => {
    const { inputs } = Metafile.parse(JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')))
    const evaluated = new Set<string>()
    const visit = (path: string): void => {
      if (evaluated.has(path)) return
      evaluated.add(path)
      for (const { path: next, kind } of inputs[path]?.imports ?? [])
        if (kind !== 'dynamic-import') visit(next)
    }
    visit('src/worker.ts')
    expect(evaluated.size).toBeGreaterThan(100)
    const heavy =
      /^collectors|^src\/(reports|webhooks|obligations|pages)\/|node_modules\/(fast-xml|papaparse|htmlparser2|fflate)/
    expect([...evaluated].filter((path) => heavy.test(path))).toEqual([])
  })
})
