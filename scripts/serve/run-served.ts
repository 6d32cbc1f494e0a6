import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { reverseProxy } from '../reverse-proxy.ts'
import { startTicks } from '../ticks.ts'
import { readModules } from '../worker-modules.ts'
import { exitOf } from '../wrangler.ts'
import { lockState } from './lock.ts'
import { logLine, logWorker } from './log.ts'
import { fireCron, type Served, startServed } from './served.ts'
import { readVariables } from './variables.ts'

/** Before the nightly tick. */
const COPY_CRON = '43 2 * * *'
const WATCH_MS = 5_000

export type RunOptions = {
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
 * Serves a state until `stopped` is aborted, and then ends what has begun. Rejects if the state is served
 * already, or if the Worker's process ends: then a supervisor starts this one again.
 */
export async function runServed(options: RunOptions, stopped: AbortSignal): Promise<void> {
  const { worker, state, environment, port, ip, behind_proxy } = options
  const unlock = lockState(state)
  const began = Date.now()
  const served = await startServed({
    modules: readModules(worker),
    state,
    environment,
    variables: readVariables(state, process.env),
    onLog: logWorker,
  })
  const server = reverseProxy(served.port, behind_proxy)
  try {
    await once(server.listen(port, ip), 'listening')
    const endTicks = startAllTicks(served, options)
    logLine('info', 'serving', { ip, port, state, ready_ms: Date.now() - began })
    await Promise.race([once(stopped, 'abort'), whenGone(served.port, stopped)])
    logLine('info', 'stopping')
    await closed(server)
    await endTicks()
  } finally {
    server.close().closeAllConnections()
    await served.miniflare.dispose()
    unlock()
  }
  logLine('info', 'stopped')
}

/** The triggers of wrangler.toml, and the nightly copy. Returns how to end them. */
function startAllTicks(served: Served, { state, copies }: RunOptions): () => Promise<void> {
  const report = (fault: unknown, cron: string) => logLine('error', 'a tick failed', { cron, fault: String(fault) })
  const ends = [startTicks(served.crons, (cron, time) => fireCron(served, cron, time), report)]
  if (copies > 0) ends.push(startTicks([COPY_CRON], (_, time) => makeCopy(state, time, copies), report))
  return async () => {
    await Promise.all(ends.map((end) => end()))
  }
}

async function makeCopy(state: string, time: Date, kept: number): Promise<void> {
  const script = join(import.meta.dirname, 'copy.ts')
  const args = ['--disable-warning=ExperimentalWarning', script, state, time.toISOString().slice(0, 10), String(kept)]
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await exitOf(child)
  if (code !== 0) throw new Error(`The copy ended with ${code}`)
}

/** Waits for the requests that are being answered. */
async function closed(server: Server): Promise<void> {
  const gone = once(server, 'close')
  server.close()
  await gone
}

/** Rejects when nothing listens on the Worker's port any more. */
async function whenGone(port: number, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } catch (cause) {
      throw new Error('The process of the Worker has ended', { cause })
    } finally {
      socket.destroy()
    }
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS).unref())
  }
}
