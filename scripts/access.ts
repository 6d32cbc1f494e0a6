import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newSigningKey, type SigningKey } from './access/assertion.ts'
import { localAccess } from './access/server.ts'
import { DEFAULT_STATE } from './bindings.ts'
import { localIssuer } from './access/local-issuer.ts'

const USAGE = `Usage:
  npm run access -- [--email kim@example.com] [--port N] [--persist-to DIR]

  Stands in front of npm run dev as Cloudflare Access does, to try signing in on this machine.

  --email        who is signed in (default: nobody, until /cdn-cgi/access/as?email=kim@example.com)
  --port         the port of the service (default 8787). This command listens on the next port
  --persist-to   the folder of the local database, as for npm run dev (default ${DEFAULT_STATE})`

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      port: { type: 'string', default: '8787' },
      'persist-to': { type: 'string', default: DEFAULT_STATE },
      help: { type: 'boolean', default: false },
    },
  })
  const service_port = Number(values.port)
  if (values.help || !Number.isInteger(service_port)) return console.log(USAGE)
  const issuer = localIssuer(service_port)
  const key = await signingKeyIn(values['persist-to'])
  const server = localAccess({ service_port, issuer, key, email: values.email ?? null })
  await once(server.listen(service_port + 1, '127.0.0.1'), 'listening')
  console.log(`
  Access stands at ${issuer} in front of http://127.0.0.1:${service_port}

  Signed in  ${values.email ?? 'nobody'}
  As another ${issuer}/cdn-cgi/access/as?email=sam@example.com
  Sign out   ${issuer}/cdn-cgi/access/logout

  Add a person first: npm run people -- add --account Demo --email kim@example.com --name Kim --role owner

  Ctrl-C stops it.
`)
}

/** The same key at each start, because the service looks for new keys twice a minute at most. */
async function signingKeyIn(state: string): Promise<SigningKey> {
  const path = join(resolve(state), 'access-key.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  const key = await newSigningKey()
  mkdirSync(resolve(state), { recursive: true })
  writeFileSync(path, JSON.stringify(key), { mode: 0o600 })
  return key
}
