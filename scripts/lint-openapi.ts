import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '..')
const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/**
 * Checks an OpenAPI document by the rules of redocly.yaml, which make every warning an error. Returns the
 * faults, or an empty text if there are none. Uses no network.
 */
export function lintDocument(file: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [REDOCLY, 'lint', file, '--config', join(PROJECT, 'redocly.yaml')],
    {
      cwd: PROJECT,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  return status === 0 ? '' : stdout + stderr
}
