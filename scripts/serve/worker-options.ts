import { configPath, wranglerPackage } from '../wrangler.ts'

type Stores = Record<string, { id: string }>

/** What the simulation needs of wrangler.toml: these, and e.g. the queues, the files and the rate limits. */
export type WorkerOptions = {
  compatibilityDate: string
  bindings: Record<string, string>
  cronTriggers?: string[]
  d1Databases: Stores
  kvNamespaces: Stores
  r2Buckets: Stores
}

/** Those of production, or of the named environment. It loads all of wrangler, which is 170 MB. */
export function readWorkerOptions(environment: string): WorkerOptions {
  const { workerOptions } = wranglerPackage().unstable_getMiniflareWorkerOptions(configPath(), environment)
  // The modules are given with their kinds.
  delete workerOptions.modulesRules
  // Wrangler makes them in this form, one of those that its type allows.
  return workerOptions as unknown as WorkerOptions
}
