import { join } from 'node:path'
import { WORKER_FOLDER } from './built-worker.ts'
import { buildModules, writeModules } from './worker-modules.ts'

/** Builds the Worker into its folder, from which wrangler serves and uploads it. */
const { modules, source_maps } = await buildModules('src/worker.ts')
writeModules(join(import.meta.dirname, '..', WORKER_FOLDER), modules, source_maps)
