import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOffline, takeOfflineData } from '../../../client/offline/offline.ts'
import { createClient, type TaxClient } from '../../../client/src/client.ts'
import {
  createCheckout,
  createRecorder,
  type OnFailure,
  type OutboxEntry,
  TaxUnavailableError,
  type Trouble,
} from '../../../client/src/shop.ts'
import { type Drilled, startDrilled } from '../../../lab/drilled.ts'
import { buildWorker } from '../../../scripts/run-worker.ts'
import { writeModules } from '../../../scripts/worker-modules.ts'

/** The real service, killed like by a power cut while shops sell, and started again on its own data. */
const state = mkdtempSync(join(tmpdir(), 'killed-in-checkout-'))
const worker = join(state, 'worker')
const variables = { ENVIRONMENT: 'test', ENCRYPTION_KEY: 'a key for the drill', RATE_LIMITS: 'off' }
let service: Drilled

beforeAll(async () => {
  writeModules(worker, await buildWorker('src/worker.ts'))
  service = await startDrilled({ worker, state, shards: 0, variables })
})
afterAll(async () => {
  await service?.kill()
  rmSync(state, { recursive: true, force: true })
})

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE', registrations: ['DE', 'oss_union'] },
  customer: { address: { country: 'FR' } },
  line_items: [{ amount: 10_000, product_type: 'saas' as const }],
}
const NEW_SALE = { ...SALE, line_items: [{ amount: 5_000, product_type: 'saas' as const }] }

/** A shop of each policy, which asks the service each time. The port changes when the service is restarted. */
async function shopsOf(tax: TaxClient) {
  const offline = createOffline()
  await offline.load(await takeOfflineData(tax))
  const shop = (on_failure: OnFailure) => {
    const troubles: Trouble[] = []
    const onTrouble = (trouble: Trouble) => void troubles.push(trouble)
    const checkout = createCheckout({ tax, on_failure, snapshot: offline, onTrouble, memo_ms: 0 })
    return { checkout, troubles }
  }
  return { refuse: shop('refuse'), last_known: shop('last_known'), snapshot: shop('snapshot') }
}

function recorderOf(tax: TaxClient) {
  const kept = new Map<string, OutboxEntry>()
  const outbox = {
    put: async (entry: OutboxEntry) => void (kept.has(entry.id) || kept.set(entry.id, entry)),
    list: async () => [...kept.values()],
    delete: async (id: string) => void kept.delete(id),
  }
  return { kept, recorder: createRecorder({ tax, outbox, onUnrecorded: () => {} }) }
}

/** A client that follows the service to the port of its next life. */
function clientOf(key: string): TaxClient {
  const fetch = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return globalThis.fetch(new Request(`${service.origin}${pathname}${search}`, request))
  }
  return createClient({ baseUrl: 'http://service.test', apiKey: key, fetch, retries: 0 })
}

it('keeps what each policy says, and each sale once in the books', async () => {
  const { key } = await service.newAccount('Killed', 0)
  const tax = clientOf(key)
  const { refuse, last_known, snapshot } = await shopsOf(tax)
  const { kept, recorder } = recorderOf(tax)
  for (const { checkout } of [refuse, last_known, snapshot])
    expect(await checkout.calculate(SALE)).toMatchObject({ source: 'service', answer: { tax_amount: 2_000 } })

  // The service dies while sales are on their way: some are in the books without an answer.
  const numbers = Array.from({ length: 30 }, (_, index) => `o-${index}`)
  const sent = numbers.map((external_id) => recorder.sale({ ...SALE, external_id }))
  await Promise.race(sent)
  await service.kill()
  const recorded = (await Promise.all(sent)).filter(Boolean).length
  expect(recorded).toBeGreaterThan(0)
  expect(kept.size).toBe(numbers.length - recorded)

  await expect(refuse.checkout.calculate(SALE)).rejects.toThrow(TaxUnavailableError)
  const known = await last_known.checkout.calculate(SALE)
  expect(known).toMatchObject({ source: 'last_known', answer: { tax_amount: 2_000 } })
  await expect(last_known.checkout.calculate(NEW_SALE)).rejects.toThrow(TaxUnavailableError)
  const offline = await snapshot.checkout.calculate(NEW_SALE)
  expect(offline).toMatchObject({ source: 'snapshot', answer: { tax_amount: 1_000 } })
  expect(
    [refuse, last_known, snapshot].map(({ troubles }) => troubles.map(({ outcome }) => outcome)),
  ).toEqual([['refused'], ['last_known', 'refused'], ['snapshot']])
  expect(await recorder.sale({ ...NEW_SALE, external_id: 'o-offline' })).toBe(false)
  expect(await recorder.refund('o-0', { rest: true, reason: 'Returned', external_id: 'r-0' })).toBe(false)

  service = await startDrilled({ worker, state, shards: 0, variables })
  await recorder.flush()
  expect(kept.size).toBe(0)
  expect(await recorder.flush()).toBe(0)
  for (const { checkout } of [refuse, last_known, snapshot])
    expect(await checkout.calculate(NEW_SALE)).toMatchObject({
      source: 'service',
      answer: { tax_amount: 1_000 },
    })

  const books = []
  for await (const sale of tax.transactions.list()) books.push(sale)
  const in_books = books.map(({ external_id }) => String(external_id)).toSorted()
  expect(in_books).toEqual([...numbers, 'o-offline'].toSorted())
  expect(books.every(({ tax_amount }) => tax_amount > 0)).toBe(true)
  expect(books.find(({ external_id }) => external_id === 'o-0')).toMatchObject({ amount_refunded: 12_000 })
  expect(await service.verifyTotals()).toEqual([])
})
