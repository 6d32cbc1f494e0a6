import { readArguments } from './options.ts'
import { runWrangler } from './wrangler.ts'

/**
 * Switches the deployed service to maintenance, or back. Requests for data of accounts get 503 meanwhile, and
 * ticks and messages are skipped. It is a secret, because that needs no build and counts within seconds.
 */
const { values, positionals } = readArguments({ env: { type: 'string', default: '' } })
const environment = `--env=${values.env}`
const [wanted, ...rest] = positionals

try {
  if (rest.length > 0 || (wanted !== 'on' && wanted !== 'off'))
    throw new Error('Usage: npm run maintenance -- on|off [--env NAME]')
  await runWrangler(['secret', 'put', 'MAINTENANCE', environment], wanted)
  console.log(
    wanted === 'on'
      ? 'Requests for data of accounts get 503 from now on; calculations are answered.'
      : 'All requests are answered again.',
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
