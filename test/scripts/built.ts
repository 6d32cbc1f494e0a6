import { siteFiles } from '../../scripts/docs-site/site.ts'
import { currentDocument } from '../../scripts/openapi.ts'
import { type BuiltWorker, buildModules } from '../../scripts/worker-modules.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

// The files of a process share these, because each takes seconds to make.
let worker: Promise<BuiltWorker> | null = null
let site: ReturnType<typeof siteFiles> | null = null

/** The Worker as it is deployed. */
export function builtWorker(): Promise<BuiltWorker> {
  worker ??= buildModules('src/worker.ts')
  return worker
}

/** The OpenAPI document of this checkout. */
export const DOCUMENT = currentDocument()

/** The files of the documentation by their paths. */
export function builtSite(): ReturnType<typeof siteFiles> {
  site ??= siteFiles(PROJECT, DOCUMENT)
  return site
}
