import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { app } from '../../../src/service/app.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import {
  eraseDocuments,
  findOwnerlessFiles,
  findOwnerlessInBucket,
} from '../../../src/parties/exemptions/erase-documents.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(1)
await loadTestData()

const IN_BOOKS: Bindings = { ...env }
const IN_BUCKET: Bindings = { ...env, CERTIFICATES: env.TEST_BUCKET }
const LATER = new Date(Date.now() + 86_400_000)

const BEGINNINGS = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
}

/** A file of a size that begins as a type, with bytes that differ all along. */
function fileOf(type: keyof typeof BEGINNINGS, size = 100, seed = 1): Uint8Array<ArrayBuffer> {
  const file = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 9) + seed) % 256)
  file.set(BEGINNINGS[type])
  return file
}

async function newExemption(owner: { key: string; account_id: string } | null = null) {
  const { key, account_id } = owner ?? (await newAccount())
  const customer = String((await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })).body['id'])
  const body = {
    jurisdiction_id: 'US-CA',
    exemption_type: 'resale',
    certificate_number: 'CA 1/"ä"',
    valid_from: '2026-01-01',
  }
  const made = await call('POST', `/v1/customers/${customer}/exemptions`, { key, body })
  const id = String(made.body['id'])
  return { key, account_id, customer, id, path: `/v1/exemptions/${id}/document` }
}

async function ask(
  bindings: Bindings,
  method: string,
  path: string,
  key: string,
  body?: BodyInit,
): Promise<{ status: number; headers: Headers; bytes: Uint8Array; body: Record<string, unknown> }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'text/html' }
  const request = new Request(`https://service.test${path}`, { method, headers, ...(body && { body }) })
  const response = await app.fetch(request, bindings, createExecutionContext())
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isJson = response.headers.get('Content-Type') === 'application/json'
  const answer = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : {}
  return { status: response.status, headers: response.headers, bytes, body: answer }
}

const storedBytes = async (key: string) => {
  const { usage } = (await call('GET', '/v1/account/usage', { key })).body as {
    usage: { document_bytes: { stored: number } }
  }
  return usage.document_bytes.stored
}
const rowsIn = async (table: 'document_parts' | 'document_erasures', account_id: string) =>
  (await books
    .prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
    .bind(account_id)
    .first<number>('n')) ?? 0
const objectsOf = async (account_id: string) =>
  (await env.TEST_BUCKET.list({ prefix: `${account_id}/` })).objects
const inBucket = async (account_id: string) => (await objectsOf(account_id)).length

const PLACES = [
  { place: 'the books', bindings: IN_BOOKS },
  { place: 'the bucket', bindings: IN_BUCKET },
]

it.each(PLACES)('stores a file in $place and answers its bytes with safe headers', async ({ bindings }) => {
  const { key, account_id, path, customer } = await newExemption()
  const file = fileOf('application/pdf', 2_000_001)
  const stored = await ask(bindings, 'PUT', path, key, file)
  expect(stored.status, JSON.stringify(stored.body)).toBe(200)
  expect(stored.body).toMatchObject({ document_type: 'application/pdf', document_bytes: 2_000_001 })
  expect(stored.body['document_sha256']).toMatch(/^[0-9a-f]{64}$/)
  expect(stored.body).not.toHaveProperty('document_id')
  const read = await ask(bindings, 'GET', path, key)
  expect(read.bytes).toEqual(file)
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="certificate-CA-1-.pdf"',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(await rowsIn('document_parts', account_id)).toBe(bindings === IN_BOOKS ? 3 : 0)
  expect(await inBucket(account_id)).toBe(bindings === IN_BOOKS ? 0 : 1)
  const shown = (await call('GET', `/v1/customers/${customer}`, { key })).body
  expect(shown['exemptions']).toMatchObject([{ document_type: 'application/pdf' }])
})

it.each(PLACES)('replaces and deletes a file in $place, and leaves nothing there', async ({ bindings }) => {
  const { key, account_id, path } = await newExemption()
  await ask(bindings, 'PUT', path, key, fileOf('image/png', 300))
  await ask(bindings, 'PUT', path, key, fileOf('image/jpeg', 200))
  expect((await ask(bindings, 'GET', path, key)).headers.get('Content-Type')).toBe('image/jpeg')
  expect(await storedBytes(key)).toBe(200)
  await eraseDocuments(bindings, books, LATER)
  expect(await rowsIn('document_parts', account_id)).toBe(bindings === IN_BOOKS ? 1 : 0)
  expect(await inBucket(account_id)).toBe(bindings === IN_BOOKS ? 0 : 1)
  const deleted = await ask(bindings, 'DELETE', path, key)
  expect(deleted.body).toMatchObject({ document_type: null, document_bytes: null, document_sha256: null })
  expect((await ask(bindings, 'DELETE', path, key)).status).toBe(200)
  expect((await ask(bindings, 'GET', path, key)).status).toBe(404)
  await eraseDocuments(bindings, books, LATER)
  expect(await storedBytes(key)).toBe(0)
  expect(await rowsIn('document_parts', account_id)).toBe(0)
  expect(await rowsIn('document_erasures', account_id)).toBe(0)
  expect(await inBucket(account_id)).toBe(0)
})

it.each(PLACES)('erases the files in $place with their customer', async ({ bindings }) => {
  const { key, account_id, path, customer } = await newExemption()
  await ask(bindings, 'PUT', path, key, fileOf('application/pdf'))
  expect((await ask(bindings, 'DELETE', `/v1/customers/${customer}`, key)).status).toBe(200)
  await eraseDocuments(bindings, books, LATER)
  expect(await rowsIn('document_parts', account_id)).toBe(0)
  expect(await rowsIn('document_erasures', account_id)).toBe(0)
  expect(await inBucket(account_id)).toBe(0)
  expect(await storedBytes(key)).toBe(0)
})

it('deletes a file in the books that no certificate has, with its bytes, and no other one', async () => {
  const { key, account_id, path } = await newExemption()
  const left = await newExemption({ key, account_id })
  for (const file of [path, left.path]) await ask(IN_BOOKS, 'PUT', file, key, fileOf('application/pdf', 301))
  // A release that knows no files erases a person as if there were none.
  await books.prepare('DELETE FROM exemptions WHERE id = ?').bind(left.id).run()
  await findOwnerlessFiles(books, new Date(), true)
  await eraseDocuments(IN_BOOKS, books, LATER)
  expect(await rowsIn('document_parts', account_id)).toBe(1)
  expect(await storedBytes(key)).toBe(301)
  expect((await ask(IN_BOOKS, 'GET', path, key)).status).toBe(200)
})

it('deletes a file in the bucket that a restore forgot, a week after it is found', async () => {
  const { key, account_id, path } = await newExemption()
  const left = await newExemption({ key, account_id })
  for (const file of [path, left.path]) await ask(IN_BUCKET, 'PUT', file, key, fileOf('image/png', 300))
  await books.prepare('DELETE FROM exemptions WHERE id = ?').bind(left.id).run()
  // The bucket has a clock of its own.
  const uploaded = Math.max(...(await objectsOf(account_id)).map((object) => object.uploaded.getTime()))
  const days = (count: number) => new Date(uploaded + count * 86_400_000)
  await findOwnerlessInBucket(IN_BUCKET, books, days(0), true)
  await findOwnerlessInBucket(IN_BUCKET, books, days(2), true)
  await eraseDocuments(IN_BUCKET, books, days(8))
  expect(await inBucket(account_id)).toBe(2)
  await eraseDocuments(IN_BUCKET, books, days(10))
  expect(await inBucket(account_id)).toBe(1)
  expect((await ask(IN_BUCKET, 'GET', path, key)).status).toBe(200)
})

it('deletes the file with its exemption', async () => {
  const { key, account_id, path, customer, id } = await newExemption()
  await ask(IN_BOOKS, 'PUT', path, key, fileOf('application/pdf'))
  expect((await call('DELETE', `/v1/customers/${customer}/exemptions/${id}`, { key })).status).toBe(200)
  expect(await rowsIn('document_parts', account_id)).toBe(0)
  expect(await storedBytes(key)).toBe(0)
})

it('changes nothing if the same file comes again', async () => {
  const { key, path } = await newExemption()
  const first = await ask(IN_BOOKS, 'PUT', path, key, fileOf('application/pdf'))
  const again = await ask(IN_BOOKS, 'PUT', path, key, fileOf('application/pdf'))
  expect({ ...again.body, queried_at: '' }).toEqual({ ...first.body, queried_at: '' })
})

it('decides by the content, and refuses what is none of the three types', async () => {
  const { key, path } = await newExemption()
  for (const text of ['', '<html><script>alert(1)</script>', 'GIF89a', ' %PDF-1.4']) {
    const refused = await ask(IN_BOOKS, 'PUT', path, key, new TextEncoder().encode(text))
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'document' }] })
  }
  expect(await storedBytes(key)).toBe(0)
})

it('takes 5 MB, and no byte more, with a stated length or without one', async () => {
  const { key, path } = await newExemption()
  const large = fileOf('application/pdf', 5_000_001)
  const chunked = new Blob([large]).stream()
  for (const body of [large, chunked]) {
    const refused = await ask(IN_BOOKS, 'PUT', path, key, body)
    expect(refused.body['reason']).toBe('body_too_large')
  }
  expect((await ask(IN_BOOKS, 'PUT', path, key, large.subarray(0, 5_000_000))).status).toBe(200)
  expect((await ask(IN_BOOKS, 'GET', path, key)).bytes.length).toBe(5_000_000)
})

it('sends a file slice by slice, and ends early if a part is missing', async () => {
  const { key, account_id, path } = await newExemption()
  await ask(IN_BOOKS, 'PUT', path, key, fileOf('application/pdf', 2_000_000))
  const headers = { Authorization: `Bearer ${key}` }
  const request = new Request(`https://service.test${path}`, { headers })
  const sent = await app.fetch(request, IN_BOOKS, createExecutionContext())
  await books
    .prepare('DELETE FROM document_parts WHERE account_id = ? AND position = 2')
    .bind(account_id)
    .run()
  const sizes: number[] = []
  const read = async () => {
    for await (const chunk of sent.body ?? []) sizes.push(chunk.byteLength)
  }
  await expect(read()).rejects.toThrow()
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_800_000)
})

it('sends and takes two files of an account at once, and a third one when one of them is over', async () => {
  const { key, path } = await newExemption()
  await ask(IN_BOOKS, 'PUT', path, key, fileOf('application/pdf', 1_000_000))
  const other = await newExemption()
  await ask(IN_BOOKS, 'PUT', other.path, other.key, fileOf('application/pdf'))
  const start = () => {
    const request = new Request(`https://service.test${path}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    return app.fetch(request, IN_BOOKS, createExecutionContext())
  }
  const [first, second] = [await start(), await start()]
  expect(first.headers.get('Content-Length')).toBe('1000000')
  const refused = await ask(IN_BOOKS, 'GET', path, key)
  expect(refused).toMatchObject({ status: 429, body: { reason: 'too_many_files' } })
  expect(refused.headers.get('Retry-After')).toBe('5')
  expect((await ask(IN_BOOKS, 'PUT', path, key, fileOf('image/png'))).status).toBe(429)
  expect((await ask(IN_BOOKS, 'GET', other.path, other.key)).status).toBe(200)
  await first.arrayBuffer()
  expect((await ask(IN_BOOKS, 'GET', path, key)).status).toBe(200)
  // A client that goes gives its place back, too.
  await second.body?.cancel()
  const [third, fourth] = [await start(), await start()]
  expect([third.status, fourth.status]).toEqual([200, 200])
  for (const each of [third, fourth]) await each.body?.cancel()
})

it('takes no place for a HEAD, whose file nobody reads', async () => {
  const { key, path } = await newExemption()
  await ask(IN_BOOKS, 'PUT', path, key, fileOf('image/png', 2_000_000))
  for (let times = 0; times < 3; times += 1) expect((await ask(IN_BOOKS, 'HEAD', path, key)).status).toBe(200)
  expect((await ask(IN_BOOKS, 'GET', path, key)).bytes.length).toBe(2_000_000)
})

it('gives the place of an upload back whose client goes', async () => {
  const { key, path } = await newExemption()
  for (let times = 0; times < 3; times += 1) {
    const cut = new ReadableStream({ pull: () => Promise.reject(new Error('The client has gone')) })
    expect((await ask(IN_BOOKS, 'PUT', path, key, cut)).status).toBe(500)
  }
  expect((await ask(IN_BOOKS, 'PUT', path, key, fileOf('image/png'))).status).toBe(200)
})

it('keeps within the quota of bytes, and stores nothing of a refused file', async () => {
  const { key, account_id, path } = await newExemption()
  const small = {
    ...IN_BOOKS,
    QUOTA_PRO_DOCUMENT_BYTES: '150',
    QUOTA_ENTERPRISE_DOCUMENT_BYTES: '150',
  }
  expect((await ask(small, 'PUT', path, key, fileOf('application/pdf', 100))).status).toBe(200)
  const refused = await ask(small, 'PUT', path, key, fileOf('application/pdf', 60))
  expect(refused.body['reason']).toBe('quota_exceeded')
  expect(await storedBytes(key)).toBe(100)
  expect(await rowsIn('document_parts', account_id)).toBe(1)
})

it('lets a failed upload go, with its bytes', async () => {
  const { key, account_id, path } = await newExemption()
  const bucket = { put: () => Promise.reject(new Error('the bucket is down')), delete: async () => undefined }
  const broken = Object.assign({ ...env }, { CERTIFICATES: bucket })
  expect((await ask(broken, 'PUT', path, key, fileOf('application/pdf'))).status).toBe(500)
  expect(await storedBytes(key)).toBe(100)
  await eraseDocuments(broken, books, LATER)
  expect(await storedBytes(key)).toBe(0)
  expect(await rowsIn('document_erasures', account_id)).toBe(0)
})

it('keeps no file that the job may delete, because its upload took too long', async () => {
  const { key, account_id, path } = await newExemption()
  const put = async (name: string, file: Uint8Array<ArrayBuffer>) => {
    const stored = await env.TEST_BUCKET.put(name, file)
    await books.prepare("UPDATE document_erasures SET due_at = '2026-01-01T00:00:00.000Z'").run()
    return stored
  }
  const slow = { put, delete: (keys: string[]) => env.TEST_BUCKET.delete(keys) }
  const bindings = Object.assign({ ...env }, { CERTIFICATES: slow })
  expect((await ask(bindings, 'PUT', path, key, fileOf('application/pdf'))).status).toBe(404)
  expect((await ask(IN_BUCKET, 'GET', path, key)).status).toBe(404)
  await eraseDocuments(IN_BUCKET, books, new Date())
  expect(await inBucket(account_id)).toBe(0)
  expect(await storedBytes(key)).toBe(0)
})

it('serves a file to its own account alone', async () => {
  const { key, path } = await newExemption()
  await ask(IN_BOOKS, 'PUT', path, key, fileOf('application/pdf'))
  const { key: stranger } = await newAccount()
  for (const method of ['GET', 'DELETE'])
    expect((await ask(IN_BOOKS, method, path, stranger)).status).toBe(404)
  expect((await ask(IN_BOOKS, 'PUT', path, stranger, fileOf('image/png'))).status).toBe(404)
  expect((await ask(IN_BOOKS, 'GET', path, key)).status).toBe(200)
})

it('lists the sales that rest on a certificate, and those that rest on none', async () => {
  const { key, customer, id } = await newExemption()
  const sell = (jurisdiction: string) =>
    call('POST', '/v1/transactions', {
      key,
      body: {
        currency: 'USD',
        customer_id: customer,
        customer: { address: { country: 'US', region: jurisdiction, postal_code: '94103' } },
        line_items: [{ amount: 100, product_type: 'physical_goods', tax_amount: 0 }],
      },
    })
  await sell('CA')
  await call('PUT', `/v1/customers/${customer}/exemptions/${id}`, { key, body: { status: 'verified' } })
  const free = await sell('CA')
  expect(free.status, free.text).toBe(201)
  const found = async (exemption_id: string) => {
    const path = `/v1/transactions?customer_id=${customer}&exemption_id=${exemption_id}`
    const { transactions } = (await call('GET', path, { key })).body as { transactions: { id: string }[] }
    return transactions.map((sale) => sale.id)
  }
  expect(await found(id)).toEqual([free.body['id']])
  expect(await found('none')).toHaveLength(1)
})

it('keeps the letter of the reason on the form, and refuses a letter that the form lacks', async () => {
  const { key, customer, id } = await newExemption()
  const path = `/v1/customers/${customer}/exemptions/${id}`
  expect((await call('PUT', path, { key, body: { reason_code: 'G' } })).body['reason_code']).toBe('G')
  const refused = await call('PUT', path, { key, body: { reason_code: 'Z' } })
  expect(refused.body).toMatchObject({ errors: [{ path: 'reason_code' }] })
})
