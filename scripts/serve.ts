import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readOptions } from './options.ts'
import { logLine } from './serve/log.ts'
import { runServed } from './serve/run-served.ts'
import { WORKER_FOLDER } from './built-worker.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Serves the built Worker on this machine for production, without a Cloudflare account: docs/own-machine.md.
 * The data is in the folder of `--persist-to`. `--behind-proxy`: the last X-Forwarded-For is the client.
 */
const values = readOptions({
  'persist-to': { type: 'string' },
  port: { type: 'string', default: '8787' },
  ip: { type: 'string', default: '127.0.0.1' },
  env: { type: 'string', default: '' },
  'behind-proxy': { type: 'boolean', default: false },
  copies: { type: 'string', default: '7' },
})
const worker = join(PROJECT, WORKER_FOLDER)
try {
  await runServed({
    worker,
    state: stateOf(values['persist-to']),
    environment: values.env,
    port: Number(values.port),
    ip: values.ip,
    behind_proxy: values['behind-proxy'],
    copies: Number(values.copies),
  })
} catch (error) {
  logLine('error', error instanceof Error ? error.message : String(error))
  process.exit(1)
}

function stateOf(named: string | undefined): string {
  if (named === undefined) throw new Error('--persist-to names the folder of the data: give one')
  if (existsSync(join(named, 'development.env')))
    throw new Error(`${named} is a folder of npm run dev, whose keys and webhooks are for tests`)
  if (!existsSync(join(worker, 'worker.js')))
    throw new Error('The Worker is not built: run npm run build first')
  return resolve(named)
}
