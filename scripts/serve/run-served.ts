import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { reverseProxy } from '../reverse-proxy.ts'
import { startTicks } from '../ticks.ts'
import { readModules } from '../built-worker.ts'
import { exitOf, QUIET } from '../wrangler.ts'
import { endOrphans } from './end-orphans.ts'
import { forgetKeeper, noteKeeper } from './keeper.ts'
import { lockState } from './lock.ts'
import { logLine, logWorker } from './log.ts'
import { type Served, startServed } from './served.ts'
import { readVariables } from './variables.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Before the nightly tick. */
const COPY_CRON = '43 2 * * *'

type RunOptions = {
  worker: string
  state: string
  environment: string
  port: number
  ip: string
  /** Whether a proxy in front says the address of the client. */
  behind_proxy: boolean
  /** How many nightly copies are kept; 0: none are made. */
  copies: number
}

/**
 * Serves a state until a signal comes, and then ends what has begun. Rejects if the state is served already.
 */
export async function runServed(asked: RunOptions): Promise<void> {
  const { worker, state, environment, port, ip, behind_proxy } = asked
  const unlock = lockState(state)
  const began = Date.now()
  const orphans = await endOrphans(state)
  if (orphans > 0) logLine('warn', 'ended what a killed service had left', { orphans })
  const options = await prepared(state, environment)
  const served = await startServed({
    modules: readModules(worker),
    options,
    state,
    variables: readVariables(state, process.env),
    onLog: logWorker,
  })
  const server = reverseProxy(served.port, behind_proxy)
  noteKeeper(state, served.keeper)
  try {
    await once(server.listen(port, ip), 'listening')
    const endTicks = startAllTicks(served, options.cronTriggers ?? [], asked)
    logLine('info', 'serving', { ip, port, state, ready_ms: Date.now() - began })
    await once(onSignal(), 'abort')
    logLine('info', 'stopping')
    await closed(server)
    await endTicks()
  } finally {
    server.close().closeAllConnections()
    forgetKeeper(state)
    await served.dispose()
    unlock()
  }
  logLine('info', 'stopped')
}

/** Aborted at the first signal that asks to end. The simulation would end this process at once. */
function onSignal(): AbortSignal {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.removeAllListeners(signal).on(signal, () => stopped.abort())
  return stopped.signal
}

/** The triggers of wrangler.toml, and the nightly copy. Returns how to end them. */
function startAllTicks(
  served: Served,
  crons: readonly string[],
  { state, copies }: RunOptions,
): () => Promise<void> {
  const report = (fault: unknown, cron: string) =>
    logLine('error', 'a tick failed', { cron, fault: String(fault) })
  const ends = [startTicks(crons, served.fire, report)]
  if (copies > 0) ends.push(startTicks([COPY_CRON], (_, time) => makeCopy(state, time, copies), report))
  return async () => {
    await Promise.all(ends.map((end) => end()))
  }
}

/** Prepares the state. Returns the options of the Worker. */
async function prepared(state: string, environment: string): Promise<WorkerOptions> {
  Object.assign(process.env, QUIET)
  return JSON.parse(await printedBy('prepare.ts', [state, environment]))
}

async function makeCopy(state: string, time: Date, kept: number): Promise<void> {
  const folder = await printedBy('copy.ts', [state, time.toISOString().slice(0, 10), String(kept)])
  logLine('info', 'copied', { folder: folder.trim() })
}

/** What a script beside this one prints. Throws an Error if it fails, after its own words. */
async function printedBy(script: string, args: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [printed, code] = await Promise.all([text(child.stdout), exitOf(child)])
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return printed
}

/** Waits for the requests that are being answered. */
async function closed(server: Server): Promise<void> {
  const gone = once(server, 'close')
  server.close()
  await gone
}
