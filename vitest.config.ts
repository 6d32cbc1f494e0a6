import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { generateAgain } from './scripts/generate-again.ts'
import { AUTHORITY_HOST, serveAuthority } from './test/support/authority-server.ts'
import { ISSUER_DOMAIN, serveIssuer } from './test/support/issuer-server.ts'
import { OPEN_ID_DOMAIN, serveOpenId } from './test/support/open-id-server.ts'
import {
  RECEIVER_DOMAIN,
  RESOLVER_HOST,
  serveReceiver,
  serveResolver,
} from './test/support/receiver-server.ts'
import { serveSource, SOURCE_HOST } from './test/support/source-server.ts'

/** Tests without a Worker run in plain Node, because a Worker takes five seconds of CPU time to start. */
const PURE = [
  'test/{engine,data,conformance,scripts,lab,console}/**/*.test.ts',
  'test/**/*.node.test.ts',
  'examples/*.test.ts',
]

/** Chromium opens the service of `npm run dev`. */
const BROWSER = ['test/browser/**/*.test.ts']

/**
 * Whole years of books or of documents, commands that build or start the real wrangler, the slowest files of
 * the worker, all samples of the reference, and all that needs a browser. `npm run test:long` runs them, and
 * `npm test` leaves them out.
 */
const LONG = {
  node: [
    'test/long/node/**/*.test.ts',
    'test/scripts/{build,deploy,dev-build,dockerfile,import-three-files,keys,rollback,upload}.test.ts',
    'test/client/package.node.test.ts',
    'test/lab/commands.test.ts',
  ],
  worker: [
    'test/long/worker/**/*.test.ts',
    'test/collectors/{au,ca,eu,exchange-rates,nz,taxability,uk,us,us-local,us-tax}.test.ts',
    'test/service/shards/{every-statement,move}.test.ts',
  ],
  served: [...BROWSER, 'test/docs/samples.test.ts'],
}

/** Each of these has a Worker of its own, because it loads the modules of the Worker again. */
const ALONE = ['test/tax-data/metadata/uncollected-country.test.ts']

/** How far `npm run test:days` sets the clock ahead. In Node, it does so before vitest starts. */
const CLOCK_AHEAD_MS = process.env['CLOCK_AHEAD_MS'] ?? '0'

const WORKER_SETUP = ['test/support/clock-ahead.ts', 'test/support/real-globals.ts', 'test/support/setup.ts']

/** `npm test` compares an eighth of its sales, and `npm run test:long` all of them. */
const ONE_LAW = 'test/engine/one-law.test.ts'

/** The examples of the guides and of examples/, and clients of others, sent to `npm run dev`. */
const DOCS = ['test/docs/**/*.test.ts', 'test/clients/**/*.test.ts', 'test/examples/**/*.test.ts']

/** The client as the examples import it, before it is built. */
const CLIENT = {
  'tax-compliance/offline': join(import.meta.dirname, 'client/offline/offline.ts'),
  'tax-compliance/testing': join(import.meta.dirname, 'client/offline/testing.ts'),
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
 * The projects run one after the other. Files share a process or a Worker only if the next file in the queue
 * is of the same project, and in a shuffled order it rarely is.
 */
const apart = (groupOrder: number) => ({ sequence: { groupOrder } })

/**
 * All files of such a project share one service of `npm run dev`, each with an account of its own. It starts
 * before the tests of all projects. That has taken more than six minutes on a machine with 20 busy processes.
 * If the service ends early, the tests fail at once. One file at a time: some open the databases of the
 * service, which SQLite then locks for a moment.
 */
const SERVED = {
  ...PATIENCE,
  environment: 'node',
  globalSetup: ['test/support/serve-project.ts'],
  hookTimeout: 1_800_000,
  maxWorkers: 1,
  ...apart(3),
}

// Tests import the types of the client, and serve the documentation.
const generate = () => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'scripts/generate.ts')], { stdio: 'inherit' })
}
try {
  generate()
} catch {
  // The command has said what is missing.
  process.exit(1)
}

/** Each project has it, because vitest asks only projects for their plugins. */
const MADE_AGAIN = generateAgain(import.meta.dirname, generate)

const migrations = join(import.meta.dirname, 'migrations')

export default defineConfig(async () => ({
  test: {
    // Hides the log lines of passing tests.
    silent: 'passed-only' as const,
    // Files share processes and Workers, so CI runs them in another order each time. The report has its seed.
    sequence: { shuffle: { files: Boolean(process.env['CI']) } },
    projects: [
      {
        plugins: [MADE_AGAIN],
        resolve: { alias: CLIENT },
        test: {
          name: 'pure',
          include: PURE,
          exclude: LONG.node,
          environment: 'node',
          isolate: false,
          setupFiles: ['test/support/real-globals.ts'],
          maxWorkers: WORKERS,
          ...PATIENCE,
          ...apart(0),
        },
      },
      {
        plugins: [MADE_AGAIN],
        resolve: { alias: CLIENT },
        test: { name: 'docs', include: DOCS, exclude: LONG.served, ...SERVED },
      },
      {
        plugins: [MADE_AGAIN],
        resolve: { alias: CLIENT },
        test: { name: 'long-served', include: LONG.served, ...SERVED },
      },
      await inWorker({
        name: 'worker',
        isolate: false,
        include: ['test/**/*.test.ts'],
        exclude: [...PURE, ...BROWSER, ...DOCS, ...LONG.node, ...LONG.worker, ...ALONE],
        ...apart(1),
      }),
      await inWorker({ name: 'alone', include: ALONE, ...apart(2) }),
      {
        plugins: [MADE_AGAIN],
        test: {
          name: 'long-node',
          include: [...LONG.node, ONE_LAW],
          environment: 'node',
          env: { ALL_SALES: 'yes' },
          ...PATIENCE_FOR_LONG,
          ...apart(0),
        },
      },
      await inWorker({
        name: 'long-worker',
        isolate: false,
        include: LONG.worker,
        provide: { seeds: Number(process.env['SEEDS'] ?? 20) },
        ...PATIENCE_FOR_LONG,
        ...apart(1),
      }),
    ],
  },
}))

/** A project whose tests run in the Worker. */
async function inWorker<Options extends object>(test: Options) {
  return {
    plugins: [await workerd(), MADE_AGAIN],
    test: { maxWorkers: WORKERS, ...PATIENCE, env: { CLOCK_AHEAD_MS }, setupFiles: WORKER_SETUP, ...test },
  }
}

const QUEUES = ['WEBHOOK_EVENTS', 'WEBHOOK_DELIVERIES', 'WORK', 'VALIDATIONS']

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
      // Three shards of the books: the database of wrangler.toml, and these.
      d1Databases: ['BOOKS_1', 'BOOKS_2'],
      // A test that stores files in a bucket binds it as CERTIFICATES.
      r2Buckets: ['TEST_BUCKET'],
      // Without consumers, which would start after the test, such as a collector without its sources.
      queueProducers: Object.fromEntries(QUEUES.map((binding) => [binding, { queueName: 'unread' }])),
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
  if (hostname.endsWith(ISSUER_DOMAIN)) return serveIssuer(request)
  if (hostname.endsWith(OPEN_ID_DOMAIN)) return serveOpenId(request)
  if (hostname === RESOLVER_HOST) return serveResolver(request)
  if (hostname.endsWith(RECEIVER_DOMAIN) || hostname === 'hooks.example.com') return serveReceiver(request)
  process.exitCode = 1
  const refusal = `A test called ${request.url}, and tests have no network. Stub fetch in the test.`
  console.error(refusal)
  throw new Error(refusal)
}
