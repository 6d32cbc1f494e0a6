import { createServer, type IncomingMessage } from 'node:http'

/** A part of an upload. */
export type Part = { name: string; type: string; text: string }

/** `uploads`: the parts of each upload of a Worker, in turn. */
export type CloudflareApi = { url: string; uploads: Part[][]; close: () => Promise<void> }

const UPLOAD = /\/workers\/scripts\/[^/?]+\?/
const NOT_FOUND = {
  success: false,
  errors: [{ code: 10090, message: 'not found' }],
  messages: [],
  result: null,
}

/** The answers that wrangler reads. Every other GET is for a list, and gets an empty one. */
const RESULTS: readonly (readonly [string, RegExp, object])[] = [
  ['GET', /\/workers\/subdomain$/, { subdomain: 'example' }],
  ['GET', /\/deployments$/, { deployments: [] }],
  ['GET', /\/settings$/, { bindings: [] }],
  ['GET', /\/subdomain$|\/workers\/workers\/[^/]+$/, { subdomain: { enabled: true }, enabled: true }],
  ['POST', /\/assets-upload-session$/, { jwt: 'a token', buckets: [] }],
  ['POST', /./, { id: 'id', uuid: 'id', queue_id: 'id' }],
  ['PUT', /./, { id: 'id', entry_point: 'worker.js', startup_time_ms: 1 }],
  ['PATCH', /./, {}],
]

/** Serves an empty account of Cloudflare: as much of its API as a first `wrangler deploy` uses. */
export async function serveCloudflareApi(): Promise<CloudflareApi> {
  const uploads: Part[][] = []
  const queues: object[] = []
  const answer = async (request: IncomingMessage): Promise<object> => {
    const { method = '', url = '' } = request
    const body = await readBody(request)
    if (method === 'PUT' && UPLOAD.test(url))
      uploads.push(await partsOf(body, request.headers['content-type'] ?? ''))
    if (method === 'POST' && url.endsWith('/queues')) queues.push(JSON.parse(body.toString()))
    if (method === 'GET' && url.includes('/queues?'))
      return succeed(queues.map((queue) => ({ ...queue, queue_id: 'id', consumers: [], producers: [] })))
    if (method === 'GET' && /\/workers\/services\/[^/]+$/.test(url)) return NOT_FOUND
    const [, , result = []] =
      RESULTS.find(([wanted, pattern]) => wanted === method && pattern.test(url)) ?? []
    return succeed(result)
  }
  const server = createServer(
    (request, response) =>
      void answer(request).then((value) =>
        response
          .writeHead(value === NOT_FOUND ? 404 : 200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(value)),
      ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    uploads,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function succeed(result: object): object {
  return { success: true, errors: [], messages: [], result, result_info: { page: 1, total_count: 0 } }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
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
