import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyMigrations } from '../../scripts/migrations.ts'
import { runWorker } from '../../scripts/run-worker.ts'
import {
  type BuiltWorker,
  evaluatedAtStart,
  reachableModules,
  START_MAX,
} from '../../scripts/worker-modules.ts'
import { FixedPathsFirst } from '../../src/interfaces/request/router.ts'
import { PUBLIC_ROUTES, ROUTES } from '../../src/interfaces/routes.ts'
import type { App } from '../../src/platform/http/validate.ts'
import { ROUTE_GROUPS } from '../../src/service/route-groups.ts'
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

it('keeps what it imports later, except groups of routes, which Hono keeps', () => {
  const entries = ['src/worker.ts', 'src/service/route-groups.ts', 'src/service/feature-groups.generated.ts']
  const files = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT }).filter((file) => !entries.includes(file))
  const found = files.flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8')
    return [...text.matchAll(/.*(?<!typeof )\bimport\(.*/g)].map(([line]) => ({ file, line: line.trim() }))
  })
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(({ line }) => !/\blate(<\w+>)?\(\(\) => import\('/.test(line))).toEqual([])
})

const WRITTEN_SALES = 'src/sales/transactions/served.ts'

/** A figure that rises needs a reason here. */
const KB_OF_GROUPS: Readonly<Record<string, number>> = {
  // Facts that a recorded calculation states, conditions, the VAT ids of forty more countries and their check digits,
  // and their days of returns, 22 KB: also those below that grew.
  [WRITTEN_SALES]: 226,
  'src/sales/calculation/routes.ts': 184,
  // Sellers of a sale, lines for no supply, a second tax and the deletion of refunds: also those below that grew.
  'src/sales/transactions/routes.ts': 408,
  'src/sales/nexus/routes.ts': 137,
  // With the public holidays of the filing places, 30 KB, and due days of statements: also those below that grew.
  'src/returns/recorded-sale/routes.ts': 379,
  'src/returns/registrations/routes.ts': 270,
  // With the lines whose audit events are packed.
  'src/returns/reports/routes.ts': 684,
  'src/returns/kept/routes.ts': 611,
  'src/returns/obligations/routes.ts': 446,
  // With the links of messages, the comparison of two people, and own rates in place of those of the data.
  'src/interfaces/account-routes.ts': 159,
  'src/parties/addresses/routes.ts': 202,
  'src/parties/customers/routes.ts': 256,
  'src/parties/exemptions/routes.ts': 139,
  'src/parties/vat/routes.ts': 201,
  'src/platform/audit/routes.ts': 112,
  'src/tax-data/metadata/routes.ts': 157,
  'src/tax-data/reviews/routes.ts': 146,
  // With the table of words, 32 KB.
  'src/tax-data/suggestions/routes.ts': 142,
  'src/tax-data/status/routes.ts': 121,
  'src/notices/subscriptions/routes.ts': 167,
  'src/interfaces/example-books/routes.ts': 696,
  'src/interfaces/overview/routes.ts': 874,
  'src/interfaces/pages/pages.tsx': 280,
  'src/interfaces/saleor/serve.ts': 370,
  'src/interfaces/taxjar/serve.ts': 481,
  'src/service/app.ts': 1_428,
}

/** A request for a route, with an id for each parameter. */
const requestFor = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, 'x')}`

it('imports each route with the first group whose pattern it matches', async () => {
  const groups = await Promise.all(
    ROUTE_GROUPS.map(async ({ serves, load }) => {
      const app = new Hono<App>({ router: new FixedPathsFirst() })
      ;(await load())(app)
      return { serves, served: new Set(app.routes.map(requestFor)) }
    }),
  )
  const calculation = ({ path }: { path: string }) => path.startsWith('/v1/calculate')
  for (const route of [...ROUTES, ...PUBLIC_ROUTES.map(({ path }) => ({ method: 'get', path }))]) {
    if (calculation(route)) continue
    const asked = requestFor(route)
    expect(groups.find(({ serves }) => serves.test(asked))?.served, asked).toContain(asked)
  }
  for (const { serves, served } of groups)
    expect(
      [...served].filter((asked) => serves.test(asked)),
      String(serves),
    ).not.toEqual([])
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

  it('evaluates so many KB at most before it answers a checkout', () => {
    const text = evaluatedAtStart(built.modules)
      .map(({ contents }) => contents)
      .join('')
    expect(text.length).toBeGreaterThan(100_000)
    expect(Buffer.byteLength(text)).toBeLessThan(START_MAX.bytes)
    expect(gzipSync(text).length).toBeLessThan(START_MAX.gzipped)
  })

  /** What is evaluated later than a start. Each pattern is of files that the Worker has. */
  const LATE = {
    'no collector, report or parser': [
      /^collectors/,
      /^src\/returns\//,
      /^src\/notices\//,
      /^src\/interfaces\/pages\//,
      /node_modules\/fast-xml/,
      /node_modules\/papaparse/,
      /node_modules\/htmlparser2/,
      /node_modules\/fflate/,
    ],
    'nothing of the view of an invoice': [
      /^src\/engine\/einvoice\//,
      /^src\/sales\/calculation\/einvoice\./,
      /^src\/sales\/calculation\/stored-numbers\./,
      /^src\/sales\/calculation\/invoice-texts\./,
      /^data\/einvoice/,
    ],
    'no comparison of totals and no sentence of an explanation': [
      /^src\/engine\/words\//,
      /^src\/sales\/calculation\/comparison\./,
      /^src\/sales\/calculation\/expected-total\./,
      /^src\/sales\/calculation\/tax-difference\./,
    ],
    'no form and no check digit of VAT ids': [
      /^src\/parties\/vat\/formats\./,
      /^src\/parties\/vat\/check-digits\./,
      /^src\/parties\/vat\/validators\./,
      /^src\/parties\/vat\/vat-id\./,
      /node_modules\/stdnum/,
    ],
    'no rule, no schema and no zod': [
      /^src\/sales\/nexus/,
      /^src\/sales\/calculation\/(routes|rates|thresholds|decision)\./,
      /schemas\.ts$/,
      /\/answers\.ts$/,
      /node_modules\/zod\//,
      /node_modules\/@hono\//,
    ],
  }

  it.each(Object.entries(LATE))('evaluates %s before it answers a checkout', (_, patterns) => {
    const all = [...built.later.values()].flatMap((evaluated) => [...evaluated.keys()])
    for (const late of patterns) {
      expect(
        all.some((path) => late.test(path)),
        String(late),
      ).toBe(true)
      expect([...built.sources.keys()].filter((path) => late.test(path))).toEqual([])
    }
  })

  it('evaluates no zod before it answers a written sale', () => {
    const evaluated = [...(built.later.get(WRITTEN_SALES)?.keys() ?? [])]
    expect(evaluated).toContain(WRITTEN_SALES)
    expect(evaluated.filter((path) => /schemas\.ts$|node_modules\/(zod|@hono)\//.test(path))).toEqual([])
  })

  it('evaluates so many KB at most, after a start, for the first request of a group', () => {
    const found = Object.keys(KB_OF_GROUPS).map((path) => {
      const own = [...(built.later.get(path) ?? [])].filter(([source]) => !built.sources.has(source))
      return [path, Math.ceil(own.reduce((sum, [, bytes]) => sum + bytes, 0) / 1_000)] as const
    })
    for (const [path, kb] of found) {
      expect(kb, path).toBeGreaterThan(0)
      expect(kb, path).toBeLessThanOrEqual(KB_OF_GROUPS[path] ?? 0)
    }
  })

  it('is one module and its entry at a start: each further one would be resolved apart', () => {
    expect(evaluatedAtStart(built.modules).length).toBe(2)
  })

  it('has no module that it never imports', () => {
    expect(reachableModules(built.modules).length).toBe(built.modules.length)
  })
})
