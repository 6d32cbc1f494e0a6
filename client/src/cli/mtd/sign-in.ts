import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { Fetch } from '../../retrying-fetch.ts'
import { UsageError } from '../usage-error.ts'
import type { Environment } from '../environment.ts'
import { type Hosts, refusalOf } from './hmrc.ts'

/** The redirect address that the seller's application has at HMRC. */
const PORT = 54_787
const REDIRECT = `http://localhost:${PORT}/`

const SCOPES = 'read:vat write:vat'

/** HMRC's code lives for ten minutes. */
const PATIENCE_MS = 600_000

type SignIn = { hosts: Hosts; env: Environment; fetch: Fetch; told: (text: string) => void }

/**
 * An access token of HMRC: the one of HMRC_ACCESS_TOKEN, or one for the user who now signs in at HMRC with a
 * browser. It is kept in memory alone. Throws UsageError if the environment lacks the credentials.
 */
export async function tokenOf({ hosts, env, fetch, told }: SignIn): Promise<string> {
  const { HMRC_ACCESS_TOKEN: token = '', HMRC_CLIENT_ID: id = '', HMRC_CLIENT_SECRET: secret = '' } = env
  if (token !== '') return token
  if (id === '' || secret === '')
    throw new UsageError('set HMRC_CLIENT_ID and HMRC_CLIENT_SECRET of your application at HMRC')
  const state = randomBytes(16).toString('hex')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    scope: SCOPES,
    state,
    redirect_uri: REDIRECT,
  })
  const code = await redirected(state, () =>
    told(`Open this address, and sign in at HMRC:\n${hosts.sign_in}/oauth/authorize?${asked}`),
  )
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    redirect_uri: REDIRECT,
    code,
  })
  const response = await fetch(new Request(`${hosts.api}/oauth/token`, { method: 'POST', body }))
  if (!response.ok) throw new Error(await refusalOf(response))
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

/** Waits until HMRC sends the browser back, and returns its code. Throws if the user refuses. */
function redirected(state: string, listening: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const query = new URL(request.url ?? '/', REDIRECT).searchParams
      // Other pages of the browser may call this address too.
      if (query.get('state') !== state) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/plain' }).end('You may close this page.')
      const code = query.get('code')
      if (code === null) reject(new Error(`HMRC gave no access: ${query.get('error') ?? 'no code'}`))
      else resolve(code)
      end()
    })
    const late = setTimeout(() => {
      reject(new Error('Nobody signed in at HMRC within ten minutes'))
      end()
    }, PATIENCE_MS)
    const end = () => {
      clearTimeout(late)
      server.close()
      server.closeAllConnections()
    }
    server.on('error', (error) => {
      reject(error)
      end()
    })
    server.listen(PORT, '127.0.0.1', listening)
  })
}
