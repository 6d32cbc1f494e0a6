import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, watch } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { type BuildOptions, context } from 'esbuild'
import type { Section } from './merge-config.ts'
import { buildOf } from './worker-modules.ts'
import { PROJECT, wholeConfig } from './wrangler.ts'
import { writeIfOther } from './write-if-other.ts'

/** Beside wrangler.toml, because its paths are relative. */
export const DEV_CONFIG = join(PROJECT, 'wrangler.dev.json')

const SOURCES = ['src', 'collectors', 'console', 'data', 'docs']

/** Editors write a file in several steps. */
const SETTLED_MS = 30

/** A generation takes 3 s of CPU time, which the answer to a changed line does not wait for. */
const ANSWERED_MS = 3_000
const LOW_PRIORITY = 10

/**
 * Builds the Worker into a file, and again after each change of a source. Wrangler watches the file. The
 * files that are made from the code follow a moment later. If a check of requests is among them, the Worker
 * is built once more. Returns how to end it.
 *
 * The Worker is one module without a source map: that takes half the time of the modules that are deployed,
 * and wrangler would start anew for each file that changes.
 */
export async function buildOnChange(file: string): Promise<() => Promise<void>> {
  writeIfOther(DEV_CONFIG, JSON.stringify(forDevelopment(wholeConfig()), null, 2))
  await ended(generate())
  const builder = await context({ ...withClock(buildOf('src/worker.ts')), outfile: file })
  const build = async () => {
    const { outputFiles } = await builder.rebuild()
    for (const { path, text } of outputFiles) writeIfOther(path, text)
  }
  await build()
  const built = soon(build, SETTLED_MS)
  const made = soon(async () => {
    const child = generate()
    // The service ends without it.
    child.unref()
    await ended(child)
  }, ANSWERED_MS)
  const watches = SOURCES.map((folder) =>
    watch(join(PROJECT, folder), { recursive: true }, () => {
      built()
      made()
    }),
  )
  return async () => {
    for (const each of watches) each.close()
    await builder.dispose()
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

/** With the clock of `npm run test:days`, if that runs. */
function withClock<Options extends BuildOptions>(options: Options): Options {
  const ms = process.env['CLOCK_AHEAD_MS']
  if (ms === undefined) return options
  return {
    ...options,
    inject: [join(PROJECT, 'test/support/clock-ahead.ts')],
    define: { ...options.define, 'process.env.CLOCK_AHEAD_MS': JSON.stringify(ms) },
  }
}

/** A configuration without its build, and without the hosts, of which wrangler would take one for its own. */
export function forDevelopment(config: Section): Section {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !LEFT_OUT.has(name)))
}

const LEFT_OUT: ReadonlySet<string> = new Set(['build', 'route', 'routes'])

function generate(): ChildProcess {
  const child = spawn(process.execPath, [join(PROJECT, 'scripts/generate.ts')], { stdio: 'inherit' })
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error('The files that are made from the code could not be made')
}

/**
 * Runs the work as soon as it was not asked for during so many milliseconds, and never twice at a time. It
 * may fail amid an edit: the service runs on as it was.
 */
function soon(work: () => Promise<void>, ms: number): () => void {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  return () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(work).catch((fault: unknown) => console.error(String(fault)))
    }, ms).unref()
  }
}
