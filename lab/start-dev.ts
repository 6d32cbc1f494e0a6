import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { PROJECT } from '../scripts/wrangler.ts'

/** A process of `npm run dev`, and its printed key. */
type Dev = { child: ChildProcess; key: string }

/**
 * Starts the service as a user does, with these flags of `npm run dev`, and waits for its first answer
 * without a limit. It fires no ticks, which would read the official sources. If the service ends before,
 * throws an Error with its output. The process leads its own process group. `folder` is a checkout with its
 * packages.
 */
export async function startDev(flags: readonly string[], folder = PROJECT): Promise<Dev> {
  const child = spawn(process.execPath, [join(folder, 'scripts/dev.ts'), '--no-ticks', ...flags], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, key: await printedKey(child) }
}

/** Waits for the key, which the service prints after its first answer. */
function printedKey(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`The service ended with ${code}:\n${printed}`)))
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk)
      const key = /tcs_(live|test)_\w{38}/.exec(printed)?.[0]
      if (key !== undefined) resolve(key)
    })
  })
}

/** Kills the service and all its processes, like a power cut. */
export async function killDev({ child }: Dev): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await gone
}
