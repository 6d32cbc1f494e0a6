import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of a worker. Other modules import it by its name. */
export type WorkerModule = { name: string; contents: string }

/** The modules of a worker. The first is its entry. */
export type WorkerModules = readonly [WorkerModule, ...WorkerModule[]]

/** The folder of the built Worker. wrangler.toml names it too. */
export const WORKER_FOLDER = 'dist/worker'

/** The name of the module that imports the others. */
export const ENTRY = 'worker.js'

/** Modules in any order as those of a worker. Throws an Error if there is no entry. */
export function entryFirst(modules: readonly WorkerModule[]): WorkerModules {
  const entry = modules.find(({ name }) => name === ENTRY)
  if (entry === undefined) throw new Error(`There is no module ${ENTRY}`)
  return [entry, ...modules.filter((each) => each !== entry)]
}

/** The modules in a folder. */
export function readModules(folder: string): WorkerModules {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  return entryFirst(names.map((name) => ({ name, contents: readFileSync(join(folder, name), 'utf8') })))
}
