import type { SourcelessWorkerOptions } from 'wrangler'
import { CONFIG_PATH, wranglerPackage } from '../wrangler.ts'

/** What the simulation needs of wrangler.toml: bindings, queues, files and cron triggers. */
export type WorkerOptions = Omit<SourcelessWorkerOptions, 'modulesRules'>

/** Those of production, or of the named environment. It loads all of wrangler, which is 170 MB. */
export function readWorkerOptions(environment: string): WorkerOptions {
  const { workerOptions } = wranglerPackage().unstable_getMiniflareWorkerOptions(CONFIG_PATH, environment)
  const { modulesRules: _, ...options } = workerOptions
  return options
}
