import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { DEFAULT_STATE, openLocal } from './bindings.ts'
import { demoKey } from './demo-key.ts'
import { developmentSecrets } from './development-secrets.ts'
import { type DevArguments, readDevArguments } from './dev-arguments.ts'
import { loadShippedData } from './load-data.ts'
import { exitOf, startWrangler } from './wrangler.ts'

const START_MS_MAX = 60_000

const { port, ip, state, others } = readArguments()

try {
  await refuseTakenPort()
  const key = await prepare()
  process.exitCode = await serve(key)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function readArguments(): DevArguments {
  try {
    return readDevArguments(process.argv.slice(2), { port: 8787, ip: '127.0.0.1', state: DEFAULT_STATE })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

/**
 * Everything that the service needs before its first request. Quick when it has been done before. Returns the
 * demo key.
 */
async function prepare(): Promise<string> {
  console.log(`Preparing ${state} …`)
  const bindings = await openLocal(state)
  try {
    const now = new Date()
    await loadShippedData(bindings.db, bindings.kv, now)
    return await demoKey(bindings.db, state, now)
  } finally {
    await bindings.dispose()
  }
}

async function serve(key: string): Promise<number> {
  const server = startWrangler(
    [
      'dev',
      '--port',
      String(port),
      '--ip',
      ip,
      '--persist-to',
      state,
      '--show-interactive-dev-session=false',
      '--var',
      'ENVIRONMENT:development',
      '--env-file',
      developmentSecrets(state),
      ...others,
    ],
    'inherit',
  )
  const stopped = exitOf(server)
  const stop = stopWith(server)
  const origin = `http://${ip === '0.0.0.0' || ip === '*' ? '127.0.0.1' : ip.includes(':') ? `[${ip}]` : ip}:${port}`
  if (await answers(`${origin}/health`, server)) console.log(welcome(origin, key))
  else if (!stop.asked) {
    stop()
    await stopped
    return 1
  }
  const code = await stopped
  return stop.asked ? 0 : code
}

/**
 * Passes Ctrl-C and SIGTERM on, and stops when the parent has gone without a word (npm that was killed): no
 * server is left behind. The signal may reach wrangler twice, from the terminal and from here; it takes the
 * second as the first.
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
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 1_000).unref()
  return stop
}

/**
 * Waits for the first answer, whatever it says: an unhealthy service is still one to look at. False when
 * there is none to come.
 */
async function answers(url: string, server: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_MS_MAX
  while (server.exitCode === null && server.signalCode === null) {
    if (Date.now() > deadline) {
      console.error(`No answer from ${url} in ${START_MS_MAX / 1000} seconds`)
      return false
    }
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
    if (response !== null) {
      if (!response.ok) console.error(`GET ${url} answers ${response.status}: ${await response.text()}`)
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

function welcome(origin: string, key: string): string {
  const body = {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002', city: 'Paris' } },
    line_items: [{ amount: 1999, product_type: 'saas' }],
  }
  return `
  The service answers at ${origin}

  API key   ${key}

  curl -s ${origin}/v1/calculate -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'

  Ctrl-C stops it.
`
}

/**
 * Wrangler would move on to the next free port without being asked, or fail after a minute of preparations.
 */
async function refuseTakenPort(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Choose another: npm run dev -- --port ${port + 1}`)
          : error,
      ),
    )
    probe.listen(port, ip, () => probe.close(() => resolve()))
  })
}
