import { createServer, type IncomingMessage } from 'node:http'

type SentMail = { to: string; text: string; headers: Record<string, string> }

/** What stands around a drilled service, on one port: a mail box, VIES, and a receiver of webhooks. */
export type Outside = {
  url: string
  /** All mails, in the order in which they came. */
  mails: SentMail[]
  /** How often each webhook came, by the path of its receiver and its id. */
  hooks: Map<string, number>
  close: () => void
}

/** Starts them. VIES knows each VAT id. `fails` says whether a webhook gets a 500 this time. */
export async function startOutside(fails: (path: string) => boolean = () => false): Promise<Outside> {
  const mails: SentMail[] = []
  const hooks = new Map<string, number>()
  const server = createServer((request, response) => {
    void answer(request)
      .then(([status, text]) => response.writeHead(status).end(text))
      .catch(() => response.destroy())
  })

  const answer = async (request: IncomingMessage): Promise<[number, string]> => {
    const text = await bodyOf(request)
    const path = request.url ?? '/'
    if (path === '/mail') mails.push(JSON.parse(text))
    else if (path.startsWith('/vies')) return [200, viesAnswer(text)]
    else if (fails(path)) return [500, 'no']
    else {
      const id = `${path} ${String(request.headers['webhook-id'])}`
      hooks.set(id, (hooks.get(id) ?? 0) + 1)
    }
    return [200, 'received']
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, mails, hooks, close: () => void server.close() }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function viesAnswer(question: string): string {
  const { countryCode, vatNumber }: Record<string, unknown> = Object(JSON.parse(question))
  const found = { valid: true, requestIdentifier: 'WAPI1', name: 'EXAMPLE', address: 'DUBLIN' }
  return JSON.stringify({ countryCode, vatNumber, ...found })
}

/** The variables of a service that is drilled in this surrounding. */
export function variablesIn({ url }: Outside): Record<string, string> {
  return {
    ENVIRONMENT: 'test',
    ENCRYPTION_KEY: 'a key for the drill',
    RATE_LIMITS: 'off',
    ALLOW_LOCAL_WEBHOOKS: 'true',
    MAIL_BOX: `${url}/mail`,
    MAIL_FROM: 'tax@example.com',
    PUBLIC_URL: 'https://tax.example.com',
    CONSOLE_URL: 'https://tax.example.com',
    VIES_REST_URL: `${url}/vies`,
    VIES_SOAP_URL: `${url}/vies/soap`,
    // A drill has no network. A tick also starts collectors, and with these addresses they fail at once.
    ...Object.fromEntries(
      ['EU_RATES', 'UK_RATES', 'CA_RATES', 'AU_GST'].map((name) => [`SOURCE_${name}`, 'http://127.0.0.1:9/']),
    ),
  }
}
