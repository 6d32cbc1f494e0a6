import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

/** The service as `npm run dev` serves it, with a state of its own. */
export type RunningService = { origin: string; key: string; state: string; stop: () => Promise<void> }

/**
 * `prepare` is given the folder of the state before the service starts, which holds what it has read for a
 * minute. `flags` go to `npm run dev`.
 */
export async function startService(
  prepare: (state: string) => Promise<void>,
  flags: readonly string[] = [],
): Promise<RunningService> {
  const state = mkdtempSync(join(tmpdir(), 'browser-'))
  await prepare(state)
  const port = await freePort()
  const server = spawn(
    process.execPath,
    ['scripts/dev.ts', '--port', String(port), '--persist-to', state, ...flags],
    {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const key = await keyOf(server)
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await ended
    rmSync(state, { recursive: true, force: true })
  }
  return { origin: `http://127.0.0.1:${port}`, key, state, stop }
}

/** The key that is printed once the service answers. */
function keyOf(server: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${printed}`)))
    server.stdout?.on('data', (chunk) => {
      printed += String(chunk)
      const [key] = /tcs_(live|test)_\w{38}/.exec(printed) ?? []
      if (key !== undefined) resolve(key)
    })
  })
}
