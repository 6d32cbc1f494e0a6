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

/** What needs no Worker runs in plain Node, without the 1.2 s that workerd takes to start for each file. */
const PURE = [
  'test/vat/vat-id.test.ts',
  'test/tax/**/*.test.ts',
  'test/data/**/*.test.ts',
  'test/conformance/**/*.test.ts',
  'test/scripts/**/*.test.ts',
  'test/lab/**/*.test.ts',
  'test/client/package.test.ts',
  'test/transactions/refund-split.test.ts',
  'test/calendar.test.ts',
  'test/webhooks/delivery-policy.test.ts',
  'test/nexus/measurement-period.test.ts',
]

/** What a person sees: Chromium before the service as `npm run dev` serves it. */
const BROWSER = ['test/browser/**/*.test.ts']

/** What a reader types: the examples of the guides, before the same service. */
const DOCS = ['test/docs/**/*.test.ts']

/**
 * One for each core of the smallest machine that the suite has to be quick on: left alone, vitest keeps one
 * core for itself.
 */
const WORKERS = 2

/**
 * A limit is there to end a test that hangs. On a busy machine a command that takes a second alone takes a
 * minute: a test that is slow has not failed.
 */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

/**
 * These run `npm run dev`, of which two at once would build into each other's folders; they come when the
 * others are done. A start has taken more than six minutes on a machine with 20 busy processes. It is waited
 * for, and a service that ends is reported at once.
 */
const ONE_AT_A_TIME = {
  ...PATIENCE,
  environment: 'node',
  hookTimeout: 1_800_000,
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
}

const migrations = join(import.meta.dirname, 'migrations')

export default defineConfig(async () => ({
  test: {
    // The log lines of a passing test say nothing.
    silent: 'passed-only' as const,
    projects: [
      { test: { name: 'pure', include: PURE, environment: 'node', maxWorkers: WORKERS, ...PATIENCE } },
      { test: { name: 'browser', include: BROWSER, ...ONE_AT_A_TIME } },
      { test: { name: 'docs', include: DOCS, ...ONE_AT_A_TIME } },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // exports.default.queue() and .scheduled(): createMessageBatch() drops the delays of retries.
              compatibilityFlags: [
                'service_binding_extra_handlers',
                'global_fetch_strictly_public',
                'queue_consumer_no_wait_for_wait_until',
              ],
              // A collector that a test asks for never runs: it would begin when nothing answers it any more.
              queueConsumers: { work: { maxBatchSize: 100, maxBatchTimeout: 60 } },
              bindings: {
                ENVIRONMENT: 'test',
                ENCRYPTION_KEY: 'a key for tests',
                VIES_REST_URL: `https://${AUTHORITY_HOST}/any`,
                VIES_SOAP_URL: `https://${AUTHORITY_HOST}/any/soap`,
                TEST_MIGRATIONS: await readD1Migrations(migrations),
              },
              outboundService: outside,
            },
          }),
        ],
        test: {
          name: 'worker',
          maxWorkers: WORKERS,
          ...PATIENCE,
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...BROWSER, ...DOCS],
          setupFiles: ['test/support/setup.ts'],
        },
      },
    ],
  },
}))

/**
 * No test may reach the network: what stands for the outside world are servers of our own. Anything else
 * fails the whole run.
 */
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
