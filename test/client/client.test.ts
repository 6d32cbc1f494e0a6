import { exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import {
  answerOf,
  ApiError,
  type CalculateAnswer,
  type CalculateRequest,
  type ClientOptions,
  createClient,
  TaxConnectionError,
  type Transaction,
} from '../../client/src/client.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' as const }],
}

/** A client of the service under test. `broken` replaces the answers of the first attempts, one by one. */
async function client(broken: (Response | Error | undefined)[] = [], options: Partial<ClientOptions> = {}) {
  const { key, account_id } = await newAccount()
  const sent: Request[] = []
  const waited: number[] = []
  const fetch = async (request: Request) => {
    sent.push(request.clone())
    const trouble = broken[sent.length - 1]
    const response = await exports.default.fetch(request)
    if (trouble instanceof Error) throw trouble
    return trouble ?? response
  }
  const wait = (milliseconds: number) => Promise.resolve(void waited.push(milliseconds))
  return {
    tax: createClient({ baseUrl: 'https://service.test/', apiKey: key, fetch, wait, ...options }),
    account_id,
    sent,
    waited,
  }
}

const limited = (seconds: string) => new Response('{}', { status: 429, headers: { 'Retry-After': seconds } })
const down = () =>
  new Response('<html>Bad gateway</html>', { status: 502, headers: { 'Content-Type': 'text/html' } })
const reset = () => new TypeError('connection reset')
const inUse = () =>
  Response.json({ error_code: 'VALIDATION_ERROR', reason: 'idempotency_key_in_use' }, { status: 400 })

describe('the client', () => {
  it('asks and gets a typed answer', async () => {
    const { tax } = await client()
    const sale: CalculateRequest = SALE
    const answer: CalculateAnswer = await tax.calculate(sale)
    expect(answer.tax_amount satisfies number).toBe(1_900)
  })

  it('records, finds and refunds a sale', async () => {
    const { tax } = await client()
    const sale: Transaction = await tax.transactions.create({ ...SALE, external_id: 'order-1' })
    expect(await tax.transactions.getByExternalId('order-1')).toMatchObject({ id: sale.id, total: 11_900 })
    const { refund, status } = await tax.transactions.refund(sale.id, { amount: 1_190, reason: 'Broken' })
    expect([refund.tax_amount, status]).toEqual([190, 'refunded'])
  })

  it('makes accounts for the sellers of a platform, and reads all of them page by page', async () => {
    const { tax, sent } = await client([undefined, reset()])
    const names = ['a', 'b', 'c']
    for (const external_id of names) await tax.accounts.create({ external_id, name: 'x' })
    const found = []
    for await (const { external_id } of tax.accounts.list({ limit: 2 })) found.push(external_id)
    expect(found).toEqual(names.toReversed())
    const { id } = await tax.accounts.getByExternalId('a')
    expect(await tax.accounts.get(id)).toMatchObject({ external_id: 'a' })
    const { key } = await tax.accounts.createKey(id, { scopes: ['*'] })
    const fetch = (request: Request) => exports.default.fetch(request)
    const seller = createClient({ baseUrl: 'https://service.test/', apiKey: key ?? '', fetch })
    expect((await seller.account.get()).id).toBe(id)
    expect(sent[1]?.headers.get('Idempotency-Key')).toBe(sent[2]?.headers.get('Idempotency-Key'))
  })

  it('asks for the explanation and the invoice of a recorded sale', async () => {
    const { tax, sent } = await client()
    const { id } = await tax.transactions.create({ ...SALE, external_id: 'order-2' })
    const asked = { explain: 'true', einvoice: 'en' } as const
    for (const sale of [
      await tax.transactions.get(id, asked),
      await tax.transactions.getByExternalId('order-2', asked),
    ])
      expect([sale.id, typeof sale.explanation, typeof sale.einvoice]).toEqual([id, 'object', 'object'])
    expect(sent.slice(1).map(({ url }) => new URL(url).search)).toEqual([
      '?explain=true&einvoice=en',
      '?explain=true&einvoice=en',
    ])
  })

  it('has a door to every path', async () => {
    const { tax } = await client()
    const query = { jurisdiction: 'DE' }
    const { rates } = await answerOf(tax.http.GET('/v1/rates', { params: { query } }))
    expect(rates.length).toBeGreaterThan(0)
  })

  it('gives a file with its name', async () => {
    const { tax } = await client()
    const query = { report: 'transactions', from_date: '2026-01-01', to_date: '2026-01-31' } as const
    const { name, media_type, text } = await tax.reports.export(query)
    expect([name, media_type]).toEqual([expect.stringMatching(/\.csv$/), expect.stringMatching(/^text\/csv/)])
    expect(text).toMatch(/^\w+(,\w+)+/)
    await expect(tax.reports.export({ ...query, to_date: '2025-01-01' })).rejects.toThrow(ApiError)
  })

  it('stores the file of a certificate, reads its bytes and deletes it', async () => {
    const { tax, sent } = await client()
    const customer = await tax.customers.create({ name: 'Fern & Oak Inc.' })
    const { id } = await tax.customers.exemptions.create(customer.id, {
      jurisdiction_id: 'DE',
      exemption_type: 'resale',
      certificate_number: 'R-1',
      valid_from: '2026-01-01',
    })
    const file = new Blob(['%PDF-1.7 \u00e4'], { type: 'application/pdf' })
    const stored = await tax.customers.exemptions.uploadDocument(id, file)
    expect(stored).toMatchObject({ id, document_type: 'application/pdf', document_bytes: file.size })
    expect(sent.at(-1)?.headers.get('Content-Type')).toBe('application/pdf')
    const read = await tax.customers.exemptions.document(id)
    expect([read.type, await read.text()]).toEqual(['application/pdf', await file.text()])
    const deleted = await tax.customers.exemptions.deleteDocument(id)
    expect(deleted).toMatchObject({ id, document_type: null })
    await expect(tax.customers.exemptions.document(id)).rejects.toMatchObject({ status: 404 })
    const words = new Blob(['no file of ours'])
    await expect(tax.customers.exemptions.uploadDocument(id, words)).rejects.toMatchObject({
      status: 400,
      reason: 'invalid_request',
    })
  })

  it('throws what the service says is wrong, with its field', async () => {
    const { tax } = await client()
    const refused = await tax.transactions
      .create({ ...SALE, currency: 'EURO' })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      status: 400,
      error_code: 'VALIDATION_ERROR',
      reason: 'invalid_request',
      errors: [{ path: 'currency' }],
      doc_url: 'https://service.test/docs/errors#invalid_request',
      request_id: expect.stringMatching(/^req_/),
    })
  })

  it('makes one transaction even if its answer is lost twice', async () => {
    const { tax, sent } = await client([reset(), down()])
    await tax.transactions.create(SALE)
    expect(new Set(sent.map((request) => request.headers.get('Idempotency-Key'))).size).toBe(1)
    expect(sent).toHaveLength(3)
    expect(await tax.transactions.list().page()).toMatchObject({ total: 1 })
  })

  it('waits as long as Retry-After says, and else longer each time', async () => {
    const asked = await client([limited('7'), limited('2')])
    await asked.tax.customers.list().page()
    expect(asked.waited).toEqual([7_000, 2_000])
    const failing = await client([down(), reset(), down()])
    await failing.tax.customers.list().page()
    for (const [index, milliseconds] of failing.waited.entries()) {
      expect(milliseconds).toBeGreaterThanOrEqual(250 * 2 ** index)
      expect(milliseconds).toBeLessThanOrEqual(500 * 2 ** index)
    }
    expect(failing.waited).toHaveLength(3)
  })

  it('ends after the retries, with the result of the last attempt', async () => {
    const { tax, sent } = await client([down(), down(), down()], { retries: 2 })
    await expect(tax.nexus.get()).rejects.toMatchObject({ status: 502, error_code: null, reason: null })
    expect(sent).toHaveLength(3)
    const lost = await client([reset(), reset()], { retries: 1 })
    await expect(lost.tax.nexus.get()).rejects.toThrow('connection reset')
  })

  it('waits until the date of Retry-After, and not for one that is past', async () => {
    const at = (milliseconds: number) => limited(new Date(Date.now() + milliseconds).toUTCString())
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') })
    const { tax, waited } = await client([at(20_000), at(-20_000)])
    await tax.customers.list().page()
    vi.useRealTimers()
    expect(waited[0]).toBe(20_000)
    expect(waited[1]).toBeLessThanOrEqual(1_000)
  })

  it('repeats a write whose first attempt is still running, with its key', async () => {
    const { tax, sent } = await client([inUse()])
    const { id } = await tax.transactions.create(SALE)
    expect(sent.map((request) => request.headers.get('Idempotency-Key'))).toHaveLength(2)
    expect(await tax.transactions.list().page()).toMatchObject({ total: 1, transactions: [{ id }] })
    const busy = await client([inUse(), inUse()], { retries: 1 })
    await expect(busy.tax.transactions.create(SALE)).rejects.toMatchObject({
      reason: 'idempotency_key_in_use',
    })
  })

  it('throws a class of its own if no answer comes, with the cause', async () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:8787')
    const { tax } = await client([new TypeError('fetch failed', { cause })], { retries: 0 })
    const thrown = await tax.nexus.get().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(TaxConnectionError)
    expect(thrown).toMatchObject({
      message: 'No answer from https://service.test: connect ECONNREFUSED 127.0.0.1:8787',
      timed_out: false,
      cause: { message: 'fetch failed' },
    })
  })

  it('repeats an answer that breaks off, like one that never came', async () => {
    const half = () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('{"tax_'))
            stream.error(new TypeError('terminated'))
          },
        }),
        { headers: { 'Content-Type': 'application/json' } },
      )
    const { tax, sent } = await client([half()])
    expect(await tax.calculate(SALE)).toMatchObject({ tax_amount: 1_900 })
    expect(sent).toHaveLength(2)
    const lost = await client([half()], { retries: 0 })
    await expect(lost.tax.calculate(SALE)).rejects.toThrow(TaxConnectionError)
  })

  it('follows no redirect, because a POST would become a GET', async () => {
    const moved = new Response(null, { status: 301, headers: { Location: 'https://www.service.test/' } })
    const { tax, sent } = await client([moved])
    await expect(tax.transactions.create(SALE)).rejects.toMatchObject({
      status: 301,
      message:
        'The service answered 301, a redirect to https://www.service.test/: give the final address as baseUrl',
    })
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual'])
  })

  it('says that a page is not the service', async () => {
    const page = () => new Response('<html>Welcome</html>', { headers: { 'Content-Type': 'text/html' } })
    const { tax } = await client([page(), page()])
    const message = 'The service answered 200 without JSON: does baseUrl name the service?'
    await expect(tax.nexus.get()).rejects.toMatchObject({ name: 'ApiError', status: 200, message })
    const query = { report: 'transactions', from_date: '2026-01-01', to_date: '2026-01-31' } as const
    await expect(tax.reports.export(query)).rejects.toMatchObject({ name: 'ApiError', status: 200 })
  })

  it('refuses to begin without a key or an address', () => {
    const baseUrl = 'https://service.test'
    for (const apiKey of [undefined, '', ' '])
      expect(() => createClient({ baseUrl, apiKey })).toThrow('apiKey is missing')
    for (const wrong of [undefined, '', 'service.test'])
      expect(() => createClient({ baseUrl: wrong, apiKey: 'key' })).toThrow('give the address of the service')
  })

  it('takes a time limit, retries and headers for one call, and shows the head of its answer', async () => {
    const { tax, sent, waited } = await client([down(), undefined, down()])
    await expect(tax.calculate(SALE, { retries: 0 })).rejects.toMatchObject({ status: 502 })
    expect([sent.length, waited.length]).toEqual([1, 0])
    const heads: [number, boolean][] = []
    await tax.calculate(SALE, {
      headers: { 'X-Request-Id': 'mine' },
      onAnswer: ({ status, headers }) => heads.push([status, headers.has('X-Request-Id')]),
    })
    expect(sent[1]?.headers.get('X-Request-Id')).toBe('mine')
    expect(heads).toEqual([[200, true]])
    const hangs = ({ signal }: Request) =>
      new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const slow = await client([], { fetch: hangs })
    await expect(slow.tax.nexus.get({ timeout: 20, retries: 0 })).rejects.toMatchObject({ timed_out: true })
  })

  it('says who it is', async () => {
    const { tax, sent } = await client()
    await tax.nexus.get()
    expect(sent[0]?.headers.get('User-Agent')).toMatch(/^tax-compliance-js\/\d+\.\d+\.\d+$/)
  })

  it('reads a stream as it comes', async () => {
    const { tax } = await client()
    const { data } = await tax.http.GET('/v1/rates', {
      params: { query: { jurisdiction: 'DE' } },
      parseAs: 'stream',
    })
    expect(data).toBeInstanceOf(ReadableStream)
    await data?.cancel()
  })

  it('does not wait for longer than a minute', async () => {
    const { tax, waited } = await client([limited('3600')])
    await expect(tax.nexus.get()).rejects.toMatchObject({ status: 429 })
    expect(waited).toEqual([])
  })

  it('does not repeat a request that would act twice', async () => {
    const { tax, sent } = await client([undefined, reset()])
    const { id } = await tax.customers.create({ name: 'Example' })
    await expect(tax.customers.delete(id)).rejects.toThrow('connection reset')
    expect(sent).toHaveLength(2)
  })

  it('sends the idempotency key that it is given', async () => {
    const { tax, sent } = await client()
    await tax.transactions.create(SALE, { idempotencyKey: 'order-1' })
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('order-1')
  })

  it('ends an attempt that takes too long, and a call that is aborted', async () => {
    const hangs = ({ signal }: Request) =>
      new Promise<Response>((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const slow = await client([], { fetch: hangs, timeout: 20, retries: 0 })
    await expect(slow.tax.nexus.get()).rejects.toThrow(/time/i)
    const { tax, waited } = await client([], { fetch: hangs })
    const call = new AbortController()
    const asked = tax.nexus.get({ signal: call.signal })
    call.abort(new Error('not needed any more'))
    await expect(asked).rejects.toThrow('not needed any more')
    expect(waited).toEqual([])
  })
})

it('ends a wait if the call is aborted', async () => {
  const call = new AbortController()
  const wait = () => new Promise<void>(() => call.abort(new Error('the buyer left')))
  const { tax, sent } = await client([limited('7')], { wait })
  await expect(tax.nexus.get({ signal: call.signal })).rejects.toThrow('the buyer left')
  expect(sent).toHaveLength(1)
})

describe('a list', () => {
  it('has all rows of all pages, by cursor and by offset', async () => {
    const { tax, sent } = await client()
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) {
      await tax.customers.create({ name })
      await tax.transactions.create({ ...SALE, external_id: name })
    }
    const customers = new Set<string | null>()
    for await (const { name } of tax.customers.list({ limit: 2 })) customers.add(name)
    expect(customers).toEqual(new Set(names))
    const sales = new Set<string | null>()
    for await (const { external_id } of tax.transactions.list({ limit: 2 })) sales.add(external_id)
    expect(sales).toEqual(new Set(names))
    sent.length = 0
    const ids: string[] = []
    for await (const { id } of tax.metadata.jurisdictions({ region: 'AU', limit: 4 })) ids.push(id)
    expect(new Set(ids).size).toBe(ids.length)
    const { total } = await tax.metadata.jurisdictions({ region: 'AU', limit: 4 }).page()
    expect([ids.length, sent.length]).toEqual([total, Math.ceil(total / 4) + 1])
  })

  it('reads no page before it is needed', async () => {
    const { tax, sent } = await client()
    const list = tax.metadata.jurisdictions({ limit: 2 })
    expect(sent).toHaveLength(0)
    for await (const { id } of list) {
      expect(id).not.toBe('')
      break
    }
    expect(sent).toHaveLength(1)
  })

  it('continues the events of an account after the last one', async () => {
    const pages = [
      { events: [{ id: 'evt_1' }, { id: 'evt_2' }], limit: 2, has_more: true, next_after: 'evt_2' },
      { events: [{ id: 'evt_3' }], limit: 2, has_more: false, next_after: 'evt_3' },
    ]
    const asked: string[] = []
    const fetch = async ({ url }: Request) => {
      asked.push(new URL(url).search)
      return Response.json(pages[asked.length - 1])
    }
    const { tax } = await client([], { fetch })
    const ids: string[] = []
    for await (const { id } of tax.events.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3'])
    expect(asked).toEqual(['?limit=2', '?limit=2&after=evt_2'])
  })
})
