import { z } from 'zod'
import { generateRates, generateSales } from './bench/generate-sales.ts'
import { BATCH, FIVE_HUNDRED_LINES } from './bench/targets.ts'
import type { RunningService } from './service.ts'

/** A request that costs much. `route`: `GET /v1/returns/:id/file`. */
export type HeavyRequest = { name: string; route: string; send: () => Promise<Response> }

const YEAR = 'from_date=2025-11-21&to_date=2026-11-20'
const QUARTER = 'from_date=2026-07-01&to_date=2026-09-30'
/** The largest file of a certificate. */
const FILE_BYTES = 5_000_000
const PDF = [0x25, 0x50, 0x44, 0x46, 0x2d]
const SALES_OF_BATCH = 50
const LINES_OF_SALE = 10
const IDS_OF_CHECK = 1_000

const Exemptions = z.object({ exemptions: z.array(z.object({ id: z.string() })) })
const Made = z.object({ id: z.string() })

/** Fills an account with `sales`, a file and a return. Returns each kind of heavy request. */
export async function heavyRequests(service: RunningService, sales: number): Promise<HeavyRequest[]> {
  const { key, account_id } = await service.newAccount('Heavy')
  await generateRates(service.db)
  await generateSales(service.db, account_id, sales, () => undefined)
  const send = sender(service.origin, key)
  const { exemptions } = Exemptions.parse(await read(send('GET', '/v1/exemptions?limit=20')))
  const [kept = '', ...replaced] = exemptions.map(({ id }) => `/v1/exemptions/${id}/document`)
  const upload = uploader(send)
  await read(upload(kept))
  const quarter = JSON.stringify({ type: 'generic', period: '2026-Q2' })
  const { id } = Made.parse(await read(send('POST', '/v1/returns', quarter)))
  const checked = JSON.stringify({
    vat_ids: Array.from({ length: IDS_OF_CHECK }, (_, index) => vatId(index)),
  })
  const check = Made.parse(await read(send('POST', '/v1/vat/checks', checked)))
  const get = (name: string, path: string, route = path.split('?')[0], accept = '*/*'): HeavyRequest => ({
    name,
    route: `GET ${route}`,
    send: () => send('GET', path, null, { accept }),
  })
  const post = (name: string, route: string, body: string): HeavyRequest => ({
    name,
    route: `POST ${route}`,
    send: () => send('POST', route, body),
  })
  let turn = 0
  return [
    get('download of a certificate of 5 MB', kept, '/v1/exemptions/:id/document'),
    {
      name: 'upload of a certificate of 5 MB',
      route: 'PUT /v1/exemptions/:id/document',
      send: () => upload(replaced[turn++ % replaced.length] ?? ''),
    },
    get('export of transactions', `/v1/reports/export?report=transactions&${YEAR}`),
    get('export of lines', `/v1/reports/export?report=lines&${QUARTER}`),
    get('export of records', `/v1/reports/export?report=oss_records&scheme=oss_union&${QUARTER}`),
    get(
      'file of an open return',
      '/v1/reports/filing/file?type=oss_union&period=2026-Q3&format=saft_lines_csv',
    ),
    get('file of a filed return', `/v1/returns/${id}/file?format=saft_lines_csv`, '/v1/returns/:id/file'),
    get('report of 1,000 VAT ids', `/v1/vat/checks/${check.id}/report`, '/v1/vat/checks/:id/report'),
    get('snapshot', '/v1/export/snapshot?local=US-TX'),
    get('snapshot as lines', '/v1/export/snapshot', '/v1/export/snapshot', 'application/x-ndjson'),
    get('search of exemptions', '/v1/exemptions?q=c&limit=100'),
    get('search of transactions', '/v1/transactions?q=jansen&limit=100'),
    get('overview', '/v1/overview'),
    get('nexus', '/v1/nexus'),
    get('summary of a year', `/v1/reports/summary?${YEAR}`),
    post('calculation of 500 lines', '/v1/calculate', FIVE_HUNDRED_LINES.body ?? ''),
    post('batch of 100 calculations', '/v1/calculate/batch', BATCH.body ?? ''),
    post('batch of 50 sales of 10 lines', '/v1/transactions/batch', batchOfSales()),
  ]
}

type Send = (
  method: string,
  path: string,
  body?: BodyInit | null,
  headers?: Record<string, string>,
) => Promise<Response>

/** As the console sends, whose reads are counted apart. */
function sender(origin: string, key: string): Send {
  const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-client': 'console' }
  return (method, path, body = null, headers = {}) =>
    fetch(origin + path, { method, headers: { ...own, ...headers }, body })
}

/** Sends another file each time: the service stores no file twice. */
function uploader(send: Send): (path: string) => Promise<Response> {
  const file = new Uint8Array(FILE_BYTES)
  for (let from = 0; from < FILE_BYTES; from += 65_536)
    crypto.getRandomValues(file.subarray(from, from + 65_536))
  file.set(PDF)
  let number = 0
  return (path) => {
    new DataView(file.buffer).setUint32(PDF.length, (number += 1))
    return send('PUT', path, file.slice())
  }
}

/** A number of the form of the German ones. The benchmark has no authority to ask. */
function vatId(index: number): string {
  return `DE${100_000_000 + index}`
}

function batchOfSales(): string {
  const line = { amount: 1_999, product_type: 'saas' }
  const sale = {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002' } },
    line_items: Array.from({ length: LINES_OF_SALE }, () => line),
  }
  return JSON.stringify({ transactions: Array.from({ length: SALES_OF_BATCH }, () => sale) })
}

async function read(sent: Promise<Response>): Promise<unknown> {
  const response = await sent
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
