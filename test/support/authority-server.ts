/** Where the tests' authorities stand: VIES over REST and SOAP, and HMRC. */
export const AUTHORITY_HOST = 'authorities.test'

/** How one way of asking is answered. `{number}` in the body is the number that is asked about. */
export type Said = { status?: number; body: string; type?: string; hangs?: boolean }
/** What was asked: the path behind the folder, the body, and the headers that matter. */
export type AskedFor = { path: string; body: string; authorization: string | null; accept: string | null }

const answers = new Map<string, Said>()
const questions = new Map<string, AskedFor[]>()

/**
 * Stands for the authorities, in the process that runs the tests. The first part of the path names the test;
 * PUT of `/test/way` tells how that way is answered, GET `/test?asked` tells what was asked. Ways: `rest`,
 * `soap`, `token`, `lookup`.
 */
export async function serveAuthority(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const [, test = '', ...rest] = pathname.split('/')
  if (request.method === 'PUT') {
    answers.set(pathname, await request.json())
    return new Response('told')
  }
  if (search === '?asked') return Response.json(questions.get(test) ?? [])
  const asked = questions.get(test) ?? []
  const body = await request.text()
  asked.push({
    path: `/${rest.join('/')}`,
    body,
    authorization: request.headers.get('Authorization'),
    accept: request.headers.get('Accept'),
  })
  questions.set(test, asked)
  const said = answers.get(`/${test}/${wayOf(pathname)}`)
  if (said === undefined)
    return new Response('<html><body>Service unavailable</body></html>', { status: 503 })
  if (said.hangs) await new Promise((resolve) => setTimeout(resolve, 9_000))
  const number = /"vatNumber":"(\w+)"/.exec(body)?.[1] ?? ''
  return new Response(said.body.replace('{number}', number), {
    status: said.status ?? 200,
    headers: { 'Content-Type': said.type ?? 'application/json' },
  })
}

function wayOf(pathname: string): string {
  if (pathname.includes('/check-vat-number/lookup/')) return 'lookup'
  if (pathname.endsWith('/oauth/token')) return 'token'
  return pathname.endsWith('/check-vat-number') ? 'rest' : 'soap'
}
