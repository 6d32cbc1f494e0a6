import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { AUTHORITY_HOST, serveAuthority } from './test/support/authority-server.ts'
import {
  RECEIVER_DOMAIN,
  RESOLVER_HOST,
  serveReceiver,
  serveResolver,
} from './test/support/receiver-server.ts'
import { serveSource, SOURCE_HOST } from './test/support/source-server.ts'

/** Tests without a Worker run in plain Node, because workerd needs 1.2 s to start for each file. */
const PURE = ['test/{engine,data,conformance,scripts,lab,console}/**/*.test.ts', 'test/**/*.node.test.ts']

/** Tests of the pages: Chromium opens the service of `npm run dev`. */
const BROWSER = ['test/browser/**/*.test.ts']

/**
 * Whole years of books or of documents, deploys with the real wrangler, the slowest files of the worker, and
 * all pages, the console and the documentation in a browser. `npm run test:long` runs them, and `npm test`
 * leaves them out, so that it stays under 12 minutes.
 */
const LONG = {
  node: ['test/long/node/**/*.test.ts'],
  worker: [
    'test/long/worker/**/*.test.ts',
    'test/collectors/{ca,eu,nz,taxability,uk,us,us-tax}.test.ts',
    'test/service/shards/{every-statement,move}.test.ts',
  ],
  browser: ['test/browser/{console-*,docs,pages}.test.ts'],
}

/** The examples of the guides and of examples/, and clients of others, sent to the same service. */
const DOCS = ['test/docs/**/*.test.ts', 'test/clients/**/*.test.ts', 'test/examples/**/*.test.ts']

/** The client as the examples import it, before it is built. */
const CLIENT = {
  'tax-compliance/offline': join(import.meta.dirname, 'client/offline/offline.ts'),
  'tax-compliance/shop': join(import.meta.dirname, 'client/src/shop.ts'),
  'tax-compliance/verify-webhook': join(import.meta.dirname, 'client/src/verify-webhook.ts'),
  'tax-compliance': join(import.meta.dirname, 'client/src/client.ts'),
}

/**
 * One for each core of the smallest machine for the suite. By default, vitest reserves one core for itself.
 */
const WORKERS = 2

/** Only a test that hangs may fail by time. On a busy machine, a command of one second takes a minute. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

const PATIENCE_FOR_LONG = { ...PATIENCE, testTimeout: 3_600_000, maxWorkers: WORKERS }

/**
 * These tests run `npm run dev`. Two of them at once would build into the same folders, so they run one
 * after the other, after all other tests. A start has taken more than six minutes on a machine with 20 busy
 * processes. If the service ends early, the tests fail at once.
 */
const ONE_AT_A_TIME = {
  ...PATIENCE,
  environment: 'node',
  hookTimeout: 1_800_000,
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
}

/**
 * In CI, a click that came between two frames of a busy machine is tried once more, and the report names the
 * test as retried: look for the cause before it fails twice. At a desk, the first failure counts.
 */
const SECOND_LOOK = { retry: process.env['CI'] ? 1 : 0 }

// Tests import the types of the client, and serve the documentation.
execFileSync(process.execPath, [join(import.meta.dirname, 'scripts/generate.ts')], { stdio: 'inherit' })

const migrations = join(import.meta.dirname, 'migrations')

export default defineConfig(async () => ({
  test: {
    // Hides the log lines of passing tests.
    silent: 'passed-only' as const,
    projects: [
      { test: { name: 'pure', include: PURE, environment: 'node', maxWorkers: WORKERS, ...PATIENCE } },
      { test: { name: 'browser', include: BROWSER, exclude: LONG.browser, ...ONE_AT_A_TIME } },
      { test: { name: 'long-browser', include: LONG.browser, ...ONE_AT_A_TIME, ...SECOND_LOOK } },
      { resolve: { alias: CLIENT }, test: { name: 'docs', include: DOCS, ...ONE_AT_A_TIME } },
      {
        plugins: [await workerd()],
        test: {
          name: 'worker',
          maxWorkers: WORKERS,
          ...PATIENCE,
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...BROWSER, ...DOCS, ...LONG.node, ...LONG.worker],
          setupFiles: ['test/support/setup.ts'],
        },
      },
      { test: { name: 'long-node', include: LONG.node, environment: 'node', ...PATIENCE_FOR_LONG } },
      {
        plugins: [await workerd()],
        test: {
          name: 'long-worker',
          include: LONG.worker,
          setupFiles: ['test/support/setup.ts'],
          ...PATIENCE_FOR_LONG,
        },
      },
    ],
  },
}))

/** The Worker with its local database, namespace and queues. Our own servers replace all other hosts. */
async function workerd() {
  return cloudflareTest({
    main: './test/support/worker.ts',
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      // The first flag enables exports.default.queue() and .scheduled(). The tests use them, because
      // createMessageBatch() drops the delays of retries.
      compatibilityFlags: [
        'service_binding_extra_handlers',
        'global_fetch_strictly_public',
        'queue_consumer_no_wait_for_wait_until',
      ],
      // A requested collector must not run: it would start after the test, without its sources.
      // Three shards of the books: the database of wrangler.toml, and these.
      d1Databases: ['BOOKS_1', 'BOOKS_2'],
      // A test that stores files in a bucket binds it as CERTIFICATES.
      r2Buckets: ['TEST_BUCKET'],
      queueConsumers: {
        work: { maxBatchSize: 100, maxBatchTimeout: 60 },
        validations: { maxBatchSize: 100, maxBatchTimeout: 60 },
      },
      bindings: {
        ENVIRONMENT: 'test',
        ENCRYPTION_KEY: 'a key for tests',
        // The tests of challenges set it themselves.
        WEBHOOK_CHALLENGES: 'off',
        VIES_REST_URL: `https://${AUTHORITY_HOST}/any`,
        VIES_SOAP_URL: `https://${AUTHORITY_HOST}/any/soap`,
        TEST_MIGRATIONS: await readD1Migrations(migrations),
      },
      outboundService: outside,
    },
  })
}

/** No test may use the network. Our own servers replace other hosts, and any other request fails the run. */
async function outside(request: Request): Promise<Response> {
  const { hostname } = new URL(request.url)
  if (hostname === SOURCE_HOST) return serveSource(request)
  if (hostname === AUTHORITY_HOST) return serveAuthority(request)
  if (hostname === RESOLVER_HOST) return serveResolver(request)
  if (hostname.endsWith(RECEIVER_DOMAIN) || hostname === 'hooks.example.com') return serveReceiver(request)
  process.exitCode = 1
  const refusal = `A test called ${request.url}, and tests have no network. Stub fetch in the test.`
  console.error(refusal)
  throw new Error(refusal)
}
