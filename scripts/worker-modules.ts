import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import { ENTRY, entryFirst, WORKER_FOLDER, type WorkerModule, type WorkerModules } from './built-worker.ts'
import { releaseOf } from './release.ts'

// Not imported from wrangler.ts, which loads all of wrangler: this runs before each start and deploy.
const PROJECT = join(import.meta.dirname, '..')

/** A start evaluates at most so many bytes before it answers a checkout. */
export const START_MAX = { bytes: 318_500, gzipped: 111_000 }

/** Source files that are evaluated together, and the bytes of each in a module. */
type Evaluated = ReadonlyMap<string, number>

/**
 * A built worker. `sources`: what a start evaluates. `later`: what each `import()` evaluates, with what a
 * start has already evaluated, by the source file that it imports.
 */
export type BuiltWorker = {
  modules: WorkerModules
  source_maps: readonly WorkerModule[]
  sources: Evaluated
  later: ReadonlyMap<string, Evaluated>
}

/** How each build of a worker reads its sources. */
export function buildOf(entry: string) {
  return {
    absWorkingDir: PROJECT,
    entryPoints: [{ in: entry, out: basename(ENTRY, '.js') }],
    write: false,
    bundle: true,
    format: 'esm',
    // As wrangler builds: the language of workerd, and the exports that packages have for it.
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    // The library's modules, which Node cannot import. They are 55 KB smaller and save 8 ms of 63.
    alias: { 'stdnum/lib/cjs': 'stdnum/lib/esm' },
    define: { BUILT_RELEASE: JSON.stringify(releaseOf(PROJECT)) },
    logLevel: 'error',
  } as const satisfies BuildOptions
}

/**
 * Builds a worker as it is deployed. Wrangler makes one file of it, and a start parses the whole file.
 * Here each `import()` begins a module of its own. The name of a module contains the hash of its contents.
 * `names`: functions keep their names, for a profile.
 */
export async function buildModules(entry: string, { names = false } = {}): Promise<BuiltWorker> {
  const { outputFiles, metafile } = await build({
    ...buildOf(entry),
    outdir: WORKER_FOLDER,
    // A rule of wrangler.toml has this prefix. A rule for all *.js would also apply to packages in the tests.
    chunkNames: 'part-[name]-[hash]',
    metafile: true,
    splitting: true,
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: !names,
    sourcemap: true,
    plugins: [keepStartWhole(join(PROJECT, entry))],
  })
  const files = outputFiles.map(({ path, text }) => ({ name: basename(path), contents: text }))
  const modules = entryFirst(files.filter(({ name }) => name.endsWith('.js')))
  const evaluated = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[nameOf(entryPoint), evaluatedBy(metafile, path)] as const],
  )
  const later = new Map(evaluated)
  const sources = later.get(entry)
  if (sources === undefined) throw new Error(`${entry} is in no module`)
  later.delete(entry)
  return { modules, source_maps: files.filter(({ name }) => name.endsWith('.map')), sources, later }
}

const LATER = 'later'

/**
 * The builder makes a module of each set of files that the same imports need. So each `import()` needs all of
 * the start, or the start would be cut into eighty modules.
 */
function keepStartWhole(entry: string): Plugin {
  return {
    name: 'keep-start-whole',
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: LATER } : undefined,
      )
      builder.onLoad({ filter: /./, namespace: LATER }, ({ path }) => ({
        contents: `import ${JSON.stringify(entry)}; export * from ${JSON.stringify(path)}`,
        resolveDir: PROJECT,
      }))
    },
  }
}

/** The source file of an entry, below the project. */
function nameOf(entry: string): string {
  return entry.startsWith(`${LATER}:`) ? relative(PROJECT, entry.slice(LATER.length + 1)) : entry
}

/** The sources in an output, and in those that it imports statically. */
function evaluatedBy({ outputs }: Metafile, path: string): Evaluated {
  const found = new Set([path])
  for (const each of found)
    for (const { kind, path: imported } of outputs[each]?.imports ?? [])
      if (kind === 'import-statement') found.add(imported)
  const inputs = [...found].flatMap((each) => Object.entries(outputs[each]?.inputs ?? {}))
  return new Map(inputs.map(([source, { bytesInOutput }]) => [source, bytesInOutput]))
}

/**
 * The modules that are evaluated before the first request: the entry, and those that it imports statically. A
 * module behind an `import()` is evaluated at its first use.
 */
export function evaluatedAtStart(modules: WorkerModules): readonly WorkerModule[] {
  return reached(modules, /\b(?:import|from)"\.\/([^"]+)"/g)
}

/** The modules that can ever be evaluated. */
export function reachableModules(modules: WorkerModules): readonly WorkerModule[] {
  return reached(modules, /\b(?:import|from)\(?"\.\/([^"]+)"/g)
}

/** The entry, and what it imports as in this pattern. Throws an Error if one of these modules is missing. */
function reached(modules: WorkerModules, imports: RegExp): readonly WorkerModule[] {
  const found = new Set([modules[0]])
  for (const { contents, name } of found)
    for (const [, wanted] of contents.matchAll(imports)) {
      const next = modules.find((each) => each.name === wanted)
      if (next === undefined) throw new Error(`${name} imports ${wanted}, which does not exist`)
      found.add(next)
    }
  return [...found]
}

/**
 * Makes the folder contain these modules and no others. Each file is replaced as a whole, and the entry last,
 * so that another process always finds every module that the entry imports.
 */
export function writeModules(
  folder: string,
  modules: WorkerModules,
  others: readonly WorkerModule[] = [],
): void {
  mkdirSync(folder, { recursive: true })
  const [entry, ...rest] = modules
  for (const { name, contents } of [...others, ...rest, entry]) {
    const unfinished = join(folder, `${name}.${process.pid}`)
    writeFileSync(unfinished, contents)
    renameSync(unfinished, join(folder, name))
  }
  const kept = new Set([...modules, ...others].map(({ name }) => name))
  for (const name of readdirSync(folder))
    if (/\.(js|map)$/.test(name) && !kept.has(name)) rmSync(join(folder, name))
}
