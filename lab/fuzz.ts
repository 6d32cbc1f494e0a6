import fc from 'fast-check'
import { currentDocument, currentTaxJarDocument } from '../scripts/openapi.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { verifyTotals } from '../scripts/verify/totals.ts'
import { type Contract, contractOf } from '../test/support/contract.ts'
import { type FuzzedDocument, type FuzzedRequest, requestsTo } from './fuzz/requests.ts'
import { knownTo, makeVictim, OWNER_MARK, TAXJAR_FIELDS } from './fuzz/tenants.ts'
import { type RunningService, startService } from './service.ts'

/**
 * Makes requests from both OpenAPI documents and sends them to every operation: valid, nearly valid and
 * hostile ones. No answer may be a 500, differ from the document, contain data of another tenant, or take
 * longer than two seconds, or than the largest good answer would with eight at once. At the end, the books
 * must agree.
 */
const values = readOptions({
  requests: { type: 'string', default: '20000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
})
const SLOWEST_MS = 2_000
const AT_ONCE = 8
const seed = Number(values.seed)
/** The pages for browsers, which are not in the document. */
const PAGES = {
  '/': { get: {} },
  '/status': { get: {} },
  '/jurisdictions': { get: {} },
  '/jurisdictions/{id}': { get: {} },
}

const service = await startService(await buildWorker('src/worker.ts'), { offline: true, development: true })
try {
  process.exitCode = (await fuzz(service)) ? 0 : 1
} finally {
  await service.dispose()
}
process.exit()

async function fuzz({ origin, db, newAccount }: RunningService): Promise<boolean> {
  const document = currentDocument()
  const taxjar = currentTaxJarDocument()
  const fuzzed = { ...pathsOf(document), ...pathsOf(taxjar), ...PAGES }
  const own = contractOf(document)
  const likeTaxJar = contractOf(taxjar, 'Fault')
  const holds: Contract = (method, path, said) =>
    (path.startsWith('/v2/') ? likeTaxJar : own)(method, path, said)
  const attacker = await newAccount('Attacker')
  const known = await knownTo(
    origin,
    attacker.key,
    await makeVictim(origin, (await newAccount('Victim')).key),
  )
  const operations = Object.entries(fuzzed).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestsTo(
        method,
        pattern,
        operation,
        pattern.startsWith('/v2/') ? { ...known, ...TAXJAR_FIELDS } : known,
        attacker.key,
      ),
    ),
  )
  const share = Math.ceil(Number(values.requests) / operations.length)
  const requests = operations.flatMap((arbitrary, index) =>
    fc.sample(arbitrary, { seed: seed + index, numRuns: share }),
  )
  const statuses = new Map<number, number>()
  const faults = new Map<string, string>()
  const allowed = Math.max(SLOWEST_MS, AT_ONCE * (await timeOfLargest(origin, attacker.key)))
  let slowest = 0
  let next = 0
  const send = async () => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const began = performance.now()
      const answer = await answerTo(origin, request)
      const took = performance.now() - began
      slowest = Math.max(slowest, took)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const fault = took > allowed ? `took ${Math.round(took)} ms` : faultOfAnswer(holds, request, answer)
      if (fault !== null)
        faults.set(
          `${request.method} ${request.pattern}: ${fault.slice(0, 300)}`,
          described(request, answer.text),
        )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  for (const { table, key, column, kept, recomputed } of await verifyTotals(db, attacker.account_id))
    faults.set(`${table} [${key}] ${column}: stored ${kept}, recomputed ${recomputed}`, '')
  for (const [fault, request] of [...faults].slice(0, 50)) console.error(`${fault}\n${request}\n`)
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  console.log(
    `${requests.length} requests to ${operations.length} operations, seed ${seed}: ${counted.join(', ')}`,
  )
  console.log(`The slowest answer took ${Math.round(slowest)} ms. ${faults.size} faults.`)
  return faults.size === 0
}

/** The operations of a document, without references. */
function pathsOf(document: object): FuzzedDocument['paths'] {
  const { paths }: FuzzedDocument = Object(inlineRefs(document, document))
  return paths
}

type Answer = { status: number; text: string; headers: Headers }

async function answerTo(origin: string, { method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  const response = await fetch(origin + path, { method, headers, body, redirect: 'manual' })
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
  }
}

function faultOfAnswer(
  holds: Contract,
  request: FuzzedRequest,
  { status, text, headers }: Answer,
): string | null {
  const type = headers.get('Content-Type')
  if (status >= 500 && !(status === 503 && request.pattern === '/health')) return `answered ${status}`
  if (text.includes(OWNER_MARK)) return 'contains data of another tenant'
  if (
    request.forged &&
    status < 400 &&
    /^\/v[12]\//.test(request.pattern) &&
    request.pattern !== '/v1/status'
  )
    return 'accepted a forged key'
  if (!headers.has('X-Request-Id')) return 'has no request id'
  if (type?.startsWith('text/html'))
    return text.includes('<script>alert') ? 'contains a script from the request' : null
  if (status === 304 || type !== 'application/json') return status < 400 ? null : `an error of type ${type}`
  return holds(request.method, request.path, { status, body: JSON.parse(text), headers })
}

function described({ method, path, headers, body }: FuzzedRequest, answer: string): string {
  const { Authorization: _key, ...shown } = headers
  const headed = `${method} ${path.slice(0, 300)} ${JSON.stringify(shown).slice(0, 200)}`
  return `  ${headed} ${String(body).slice(0, 1_000)}\n  → ${answer.slice(0, 300)}`
}

/** Milliseconds of the largest good answer alone: a busy machine is slow with all of them. */
async function timeOfLargest(origin: string, key: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${origin}/v1/export/snapshot`, { headers: { Authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  return performance.now() - began
}

/** Returns the value with each reference to a component of the document replaced by this component. */
function inlineRefs(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((each) => inlineRefs(each, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest }: { $ref?: unknown } = value
  const target = typeof $ref === 'string' ? targetOf($ref, document) : {}
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([key, each]) => [key, inlineRefs(each, document)]),
  )
}

/** The target of e.g. `#/components/schemas/Meta` in the document. */
function targetOf(ref: string, document: object): object {
  let found: unknown = document
  for (const step of ref.split('/').slice(1)) found = Object(found)[step]
  return Object(found)
}
