import type { ControlDb } from '../src/platform/database/databases.ts'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { LOCAL_AUDIENCE, localIssuer } from './access/local-issuer.ts'
import { DEFAULT_STATE, openLocal } from './bindings.ts'
import { demoKey } from './demo-key.ts'
import { type DevArguments, readDevArguments } from './dev-arguments.ts'
import { buildOnChange, DEV_CONFIG } from './dev-build.ts'
import { firstAnswer } from './first-answer.ts'
import { COLLECTED_IDS } from '../src/platform/regions.ts'
import { openRateBook } from '../src/engine/book/rate-book.ts'
import { agesInWords } from '../src/tax-data/records/data-age.ts'
import { readFactsOf } from '../src/tax-data/records/store.ts'
import { freePort } from './free-port.ts'
import { holdOutput } from './held-output.ts'
import { loadShippedData } from './load-data.ts'
import { aloud } from './progress.ts'
import { reverseProxy } from './reverse-proxy.ts'
import { startTicks } from './ticks.ts'
import { exitOf, PROJECT, readConfig, startWrangler } from './wrangler.ts'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const USAGE = `Usage:
  npm run dev -- [--port N] [--ip ADDRESS] [--persist-to DIR] [--no-ticks] [flags of wrangler dev]
  npm run dev -- --prepare [--persist-to DIR]

  --port         the port to serve on (default 8787)
  --ip           the address to serve on (default 127.0.0.1)
  --persist-to   the folder of the local database (default ${DEFAULT_STATE})
  --no-ticks     fire no cron ticks, so no job runs and no official source is read
  --prepare      make the database and load the tax data, serve nothing, and make no key
  --help         print this text

  All other flags, such as --var NAME:VALUE, are passed on to wrangler dev.`

const PARENT = process.ppid

const PREPARE = '--prepare'
const NO_TICKS = '--no-ticks'
const { port, ip, state, others } = readArguments()

/** Two services, each on its port, do not restart each other. */
const WORKER = join(PROJECT, `dist/dev/${port}/worker.js`)

try {
  if (process.argv.includes(PREPARE)) await prepare(async () => undefined)
  else {
    await refuseTakenPort()
    const { key, age } = await prepare(async (db, now) => ({
      key: await demoKey(db, state, now),
      age: await ageOfData(db, now),
    }))
    const endBuild = await aloud('Building the Worker', () => buildOnChange(WORKER))
    try {
      process.exitCode = await serve(key, age)
    } finally {
      await endBuild()
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function readArguments(): DevArguments {
  const args = process.argv.slice(2).filter((arg) => arg !== PREPARE && arg !== NO_TICKS)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(USAGE)
    process.exit(0)
  }
  try {
    return readDevArguments(args, { port: 8787, ip: '127.0.0.1', state: DEFAULT_STATE })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

/**
 * Makes the database and loads the tax data. Quick if all of this exists already. Returns what `then` makes
 * of the database.
 */
async function prepare<Result>(then: (db: ControlDb, now: Date) => Promise<Result>): Promise<Result> {
  const bindings = await openLocal(state, aloud)
  try {
    const now = new Date()
    await loadShippedData(bindings.db, bindings.kv, now, aloud)
    return await then(bindings.db, now)
  } finally {
    await bindings.dispose()
  }
}

/** One sentence about the age of the tax data in the database. */
async function ageOfData(db: ControlDb, now: Date): Promise<string> {
  const facts = await readFactsOf(db, null)
  if (facts === null) return 'There is no tax data'
  return `Of the tax data in force: ${agesInWords(openRateBook(facts), now)}`
}

/** Serves until wrangler ends or is stopped. Returns the exit code, which is 0 after Ctrl-C or a signal. */
async function serve(key: string, age: string): Promise<number> {
  // Other machines reach the Worker through a proxy, because wrangler serves more than the Worker.
  const local = isLoopback(ip) ? { ip, port } : { ip: '127.0.0.1', port: await freePort() }
  const server = startWrangler(
    [
      'dev',
      WORKER,
      '--config',
      DEV_CONFIG,
      '--port',
      String(local.port),
      '--ip',
      local.ip,
      '--persist-to',
      state,
      '--show-interactive-dev-session=false',
      '--var',
      'ENVIRONMENT:development',
      '--env-file',
      developmentSecrets(state),
      // What only this machine reaches may send webhooks to it. A flag of the caller comes later, and wins.
      ...(isLoopback(ip) ? ['--var', 'ALLOW_LOCAL_WEBHOOKS:true', ...signInVariables()] : []),
      ...others,
    ],
    'pipe',
  )
  const showOutput = holdOutput(server)
  const stopped = exitOf(server)
  const stop = stopWith(server)
  const url = `http://${reachable(local.ip)}:${local.port}/health`
  try {
    const answer = await aloud(`Starting wrangler and waiting for the first answer of ${url}`, () =>
      firstAnswer((signal) => fetch(url, { signal }), stopped),
    )
    // An unhealthy service stays up, so that you can examine it.
    if (!answer.ok)
      console.error(`The service is not healthy. GET ${url} answers ${answer.status}: ${await answer.text()}`)
  } catch (error) {
    if (stop.asked) return 0
    throw error
  }
  showOutput()
  const proxy = local.port === port ? null : reverseProxy(local.port)
  if (proxy !== null) await once(proxy.listen(port, ip), 'listening').catch(orStop(server))
  console.log(welcome(`http://${reachable(ip)}:${port}`, key, age))
  const endTicks = process.argv.includes(NO_TICKS) ? null : fireTicks(new URL(url).origin)
  const code = await stopped
  await endTicks?.()
  proxy?.close().closeAllConnections()
  return stop.asked ? 0 : code
}

/** Wrangler fires the ticks only when it is asked to. A tick that fails has said why in its log. */
function fireTicks(origin: string): () => Promise<void> {
  const fire = async (cron: string, time: Date) => {
    const query = new URLSearchParams({ cron, time: String(time.getTime()) })
    const answer = await fetch(`${origin}/cdn-cgi/local/scheduled?${query}`)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
  }
  return startTicks(readConfig().triggers.crons, fire, (fault, cron) =>
    console.error(`The tick ${cron} failed: ${String(fault)}`),
  )
}

/** People sign in through `npm run access`, if it runs. */
function signInVariables(): string[] {
  return ['--var', `ACCESS_ISSUER:${localIssuer(port)}`, '--var', `ACCESS_AUDIENCE:${LOCAL_AUDIENCE}`]
}

/** Stops the server, so that this process ends after a fault. */
function orStop(server: ChildProcess): (fault: unknown) => never {
  return (fault) => {
    server.kill('SIGTERM')
    throw fault
  }
}

/** Whether only this machine reaches a server that listens on `address`. */
function isLoopback(address: string): boolean {
  return /^(127\.|localhost$|::1$)/.test(address)
}

/** The address at which this machine reaches a server that listens on `address`. */
function reachable(address: string): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}

/**
 * Passes Ctrl-C and SIGTERM on to wrangler. Also stops wrangler if the parent ended without a signal (e.g.
 * npm was killed), so that no server stays behind. Wrangler may get the signal twice, from the terminal and
 * from here, and ignores the second.
 */
function stopWith(server: ChildProcess): (() => void) & { asked: boolean } {
  const stop = Object.assign(
    () => {
      stop.asked = true
      if (server.exitCode === null) server.kill('SIGTERM')
    },
    { asked: false },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  setInterval(() => process.ppid !== PARENT && stop(), 1_000).unref()
  return stop
}

function welcome(origin: string, key: string, age: string): string {
  const body = JSON.stringify({
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002', city: 'Paris' } },
    line_items: [{ amount: 1999, product_type: 'saas' }],
  })
  const folder = state === DEFAULT_STATE ? '' : ` --persist-to ${state}`
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`
  return `
  The service answers at ${origin}

  API key   ${key}

  Tax data  ${age}.
            Read the official sources now: npm run collect -- EU${folder}
            Regions: ${COLLECTED_IDS.join(', ')}. Their state: ${origin}/status

  curl -s ${origin}/v1/calculate ${headers} -d '${body}'

  Ctrl-C stops it.
`
}

/** Without this check, wrangler takes the next free port, or fails after a minute of preparations. */
async function refuseTakenPort(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Choose another port: npm run dev -- --port ${port + 1}`)
          : error,
      ),
    )
    probe.listen(port, ip, () => probe.close(() => resolve()))
  })
}

/**
 * The file of secrets that `npm run dev` passes to wrangler. It is stored with the state that the secrets
 * encrypt. Makes it if it is missing, and returns its path.
 */
function developmentSecrets(state: string): string {
  const path = join(resolve(state), 'development.env')
  if (!existsSync(path))
    writeFileSync(path, `ENCRYPTION_KEY=${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  return path
}
