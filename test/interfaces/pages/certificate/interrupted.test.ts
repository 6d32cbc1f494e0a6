import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { eraseDocuments } from '../../../../src/parties/exemptions/erase-documents.ts'
import type { Bindings } from '../../../../src/platform/bindings.ts'
import { DOWN, failing, withDatabase } from '../../../faults/faulty.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { certificatesOf, formOf, handIn, newLink, PDF, TYPED } from './link.ts'

const { books } = keepAccountsIn(0)
await loadTestData()

/** `lost`: the trip is made, and its answer is lost. `killed`: no trip from this one on is made. */
const FAULTS = ['failed', 'lost', 'killed'] as const

function faultAt(n: number, fault: (typeof FAULTS)[number]) {
  let trips = 0
  const bindings = withDatabase(async (trip) => {
    trips += 1
    if (trips < n || (fault !== 'killed' && trips > n)) return trip()
    if (fault === 'lost') await trip()
    throw DOWN
  })
  return { bindings, reached: () => trips >= n }
}

const inBucket = (bindings: Bindings): Bindings => ({ ...bindings, CERTIFICATES: env.TEST_BUCKET })
const PLACES = [
  { place: 'the books', of: (bindings: Bindings) => bindings },
  { place: 'the bucket', of: inBucket },
]
const cases = PLACES.flatMap((place) => FAULTS.map((fault) => ({ ...place, fault })))

it.each(cases)(
  'takes a certificate once, with its file in $place, whichever trip is $fault',
  async ({ of, fault }) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (let n = 1; ; n += 1) {
      const { key, account_id, url, id, request } = await newLink()
      const { bindings, reached } = faultAt(n, fault)
      const first = await handIn(url, formOf(), of(bindings))
      const state = async () =>
        ((await call('GET', request, { key })).body['certificate_request'] as { state: string }).state
      const made = (await certificatesOf(key, id)).length
      expect([made, await state()], `trip ${n}`).toEqual(made === 0 ? [0, 'open'] : [1, 'used'])
      if (first.status === 200) expect(made).toBe(1)
      else expect([500, 404]).toContain(first.status)
      expect(first.text).not.toContain('D1_ERROR')
      expect((await handIn(url, formOf(), of(env))).status, `trip ${n}`).toBe(200)
      expect(await certificatesOf(key, id)).toMatchObject([{ status: 'pending', document_bytes: PDF.length }])
      await eraseDocuments(of(env), books, new Date(Date.now() + 86_400_000))
      const { usage } = (await call('GET', '/v1/account/usage', { key })).body
      expect(usage, `trip ${n}`).toMatchObject({
        exemptions: { stored: 1 },
        document_bytes: { stored: PDF.length },
      })
      const parts = await books
        .prepare('SELECT count(*) AS n FROM document_parts WHERE account_id = ?')
        .bind(account_id)
        .first<number>('n')
      const { objects } = await env.TEST_BUCKET.list({ prefix: `${account_id}/` })
      expect((parts ?? 0) + objects.length, `trip ${n}`).toBe(1)
      if (!reached()) break
    }
  },
)

it('keeps the link open when the bucket refuses the file', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { key, url, id } = await newLink(await newAccount())
  const refused = await handIn(url, formOf(), { ...env, CERTIFICATES: failing(env.TEST_BUCKET) })
  expect(refused.status).toBe(500)
  expect(await certificatesOf(key, id)).toEqual([])
  expect((await handIn(url, formOf({ ...TYPED, certificate_number: 'TX-2' }), inBucket(env))).status).toBe(
    200,
  )
})
