import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDev } from '../../lab/start-dev.ts'
import { freePort } from '../../scripts/free-port.ts'

/** The service as `npm run dev` serves it, with a state of its own. */
export type RunningService = { origin: string; key: string; state: string; stop: () => Promise<void> }

/**
 * `prepare` is given the folder of the state before the service starts, which holds what it has read for a
 * minute. `flags` go to `npm run dev`. Waits as long as the service starts, and throws if it ends.
 */
export async function startService(
  prepare: (state: string) => Promise<void>,
  flags: readonly string[] = [],
): Promise<RunningService> {
  const state = mkdtempSync(join(tmpdir(), 'browser-'))
  await prepare(state)
  const port = await freePort()
  const { child, key } = await startDev(['--port', String(port), '--persist-to', state, ...flags])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGINT')
    if (child.exitCode === null && child.signalCode === null) await ended
    rmSync(state, { recursive: true, force: true })
  }
  return { origin: `http://127.0.0.1:${port}`, key, state, stop }
}
