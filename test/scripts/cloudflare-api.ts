import { createServer, type IncomingMessage } from 'node:http'
import { CloudflareAccount, type Part } from './cloudflare-account.ts'

export type { Part } from './cloudflare-account.ts'

/**
 * A server that speaks as much of Cloudflare's API as `npm run deploy` and its wrangler use. `uploads`: the
 * parts of each upload of a Worker, in turn. `writes`: the requests that changed something.
 */
export type CloudflareApi = {
  url: string
  account: CloudflareAccount
  uploads: Part[][]
  writes: string[]
  /** Loses the answer of the n-th next write: before it is made, or after. */
  failWrite: (n: number, made: boolean) => void
  /** Refuses every request whose path matches, as for a token without the permission. */
  refuse: (paths: RegExp | null) => void
  close: () => Promise<void>
}

type Answered = { status: number; body: object }

const LOST: Answered = { status: 500, body: failure(10013, 'the answer was lost') }
const REFUSED: Answered = { status: 403, body: failure(10000, 'Authentication error') }

/** Serves an account of Cloudflare, empty at first. */
export async function serveCloudflareApi(): Promise<CloudflareApi> {
  const account = new CloudflareAccount()
  const writes: string[] = []
  let failing = { n: 0, made: false }
  let refused: RegExp | null = null

  const answer = async (request: IncomingMessage): Promise<Answered> => {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://api')
    const path = pathname.replace(/^\/accounts\/[^/]+/, '')
    const asked = { method, path, query: searchParams, ...(await readRequest(request)) }
    if (refused?.test(path)) return REFUSED
    const asks = /\/(query|graphql|assets-upload-session)$/.test(path)
    const write = method !== 'GET' && !asks
    if (write) failing = { ...failing, n: failing.n - 1 }
    if (write && failing.n === 0 && !failing.made) return LOST
    const result = account.answer(asked)
    if (result === null) return { status: 404, body: failure(notFoundCode(path), `${path} was not found`) }
    if ('fault' in result) return { status: 400, body: failure(result.code, result.fault) }
    if (write) writes.push(`${method} ${path}`)
    if (write && failing.n === 0) return LOST
    return { status: 200, body: success(pageOf(result.result, searchParams)) }
  }
  const server = createServer(
    (request, response) =>
      void answer(request)
        .catch((error: unknown) => ({ status: 500, body: failure(1, String(error)) }))
        .then(({ status, body }) =>
          response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
        ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    account,
    uploads: account.uploads,
    writes,
    failWrite: (n, made) => void (failing = { n, made }),
    refuse: (paths) => void (refused = paths),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The codes by which wrangler knows that a database or a Worker does not exist. */
function notFoundCode(path: string): number {
  return path.startsWith('/d1/') ? 7404 : path.includes('/workers/') ? 10007 : 10090
}

/** The asked page of a list. wrangler reads some lists until a page is empty. */
function pageOf(result: unknown, query: URLSearchParams): unknown {
  if (!Array.isArray(result)) return result
  const size = Number(query.get('per_page') ?? 100)
  const first = (Number(query.get('page') ?? 1) - 1) * size
  return result.slice(first, first + size)
}

function success(result: unknown): object {
  const count = Array.isArray(result) ? result.length : 0
  return {
    success: true,
    errors: [],
    messages: [],
    result,
    result_info: { page: 1, count, total_count: count },
  }
}

function failure(code: number, message: string): object {
  return { success: false, errors: [{ code, message }], messages: [], result: null }
}

/** The body of a request: parts of a form, or JSON; `text` as it came. */
async function readRequest(
  request: IncomingMessage,
): Promise<{ text: string; json: Record<string, unknown>; parts: Part[] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  const text = body.toString()
  if (type.startsWith('multipart/')) return { text: '', json: {}, parts: await partsOf(body, type) }
  const json: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : {}
  return { text, json: json as Record<string, unknown>, parts: [] }
}

async function partsOf(body: Buffer, type: string): Promise<Part[]> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, type: '', text: value }
        : { name, type: value.type, text: await value.text() },
    ),
  )
}
