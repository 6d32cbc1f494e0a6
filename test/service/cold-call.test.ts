import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '../../src/service/app.ts'
import { heldModules, type LateName } from '../../src/sales/calculation/late-modules.ts'
import { partOfState } from '../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../src/tax-data/records/write-local-parts.ts'
import { LAW } from '../support/local-data.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { bindingsInWaves } from '../support/waves.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

await loadTestData()
const read_at = '2026-09-01T00:00:00.000Z'
await writeLocalParts(env, [partOfState('WA', { law: LAW, jurisdictions: [], read_at })], new Date(read_at))
const { key } = await newAccount({ tier: 'enterprise' })

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE', registrations: ['oss_union'] },
  customer: { address: { country: 'FR' } },
  line_items: [{ amount: 1999, product_type: 'saas' }],
}
const AMERICAN = {
  currency: 'USD',
  seller: { country: 'US', region: 'DE' },
  seller_registered: true,
  customer: { address: { country: 'US', postal_code: '98101' } },
  line_items: [{ amount: 1999, product_type: 'physical_goods' }],
}

function forgetEverything(): void {
  forgetAll()
}

/** Sends a request, and counts the trips that its answer waits for one after another. */
async function tripsOf(
  method: string,
  path: string,
  body?: object,
  own = key,
): Promise<{ status: number; trips: number }> {
  const { bindings, waves } = bindingsInWaves()
  const context = createExecutionContext()
  const headers = { Authorization: `Bearer ${own}`, 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const request = new Request(`https://service.test${path}`, { method, headers, ...sent })
  const { status } = await app.fetch(request, bindings, context)
  const trips = waves()
  await waitOnExecutionContext(context)
  return { status, trips }
}

/** A request of the account whose answer names its stored VAT id. */
async function numberedAccount(): Promise<string> {
  const numbered = await newAccount({ tier: 'enterprise' })
  const body = { country: 'DE', vat_id: 'DE136695976' }
  await call('PUT', '/v1/account', { key: numbered.key, body })
  return numbered.key
}

const isEvaluated = (module: LateName) => heldModules([module]) !== null

// First, because what an isolate has evaluated stays so.
it('evaluates the view of an invoice, the numbers of the seller and VAT ids at their first use', async () => {
  await call('POST', '/v1/calculate', { key, body: SALE })
  await call('POST', '/v1/calculate/batch', { key, body: { calculations: [SALE] } })
  expect([isEvaluated('views'), isEvaluated('numbers'), isEvaluated('vat_ids')]).toEqual([
    false,
    false,
    false,
  ])
  const home = { ...SALE, seller: undefined }
  const numbered = await numberedAccount()
  await call('POST', '/v1/calculate', { key: numbered, body: home })
  expect([isEvaluated('views'), isEvaluated('numbers')]).toEqual([false, true])
  await call('POST', '/v1/calculate', { key, body: { ...SALE, einvoice: {} } })
  expect([isEvaluated('views'), isEvaluated('vat_ids')]).toEqual([true, false])
  const customer = { ...SALE.customer, vat_id: 'FR40303265045' }
  const { body } = await call('POST', '/v1/calculate', { key, body: { ...SALE, customer } })
  expect(isEvaluated('vat_ids')).toBe(true)
  expect(body).toMatchObject({ customer: { vat_id_status: 'format_valid' } })
})

describe('a cold isolate', () => {
  beforeEach(forgetEverything)

  it.each([
    ['a sale', 'POST', '/v1/calculate', SALE],
    ['a sale in a country with local taxes', 'POST', '/v1/calculate', AMERICAN],
    ['a sale with the view of its invoice', 'POST', '/v1/calculate', { ...SALE, einvoice: {} }],
    ['a batch with such a sale', 'POST', '/v1/calculate/batch', { calculations: [SALE, AMERICAN] }],
    ['the rates of a place', 'GET', '/v1/rates?jurisdiction=FR', undefined],
    ['the rates of a ZIP', 'GET', '/v1/rates?country=US&postal_code=98101', undefined],
  ])('waits for one trip before it answers %s, and then for none', async (_, method, path, body) => {
    expect(await tripsOf(method, path, body)).toEqual({ status: 200, trips: 1 })
    expect(await tripsOf(method, path, body)).toEqual({ status: 200, trips: 0 })
  })

  it('reads nothing more for an account with stored numbers', async () => {
    const own = await numberedAccount()
    forgetEverything()
    const home = { ...SALE, seller: undefined, einvoice: {} }
    expect(await tripsOf('POST', '/v1/calculate', home, own)).toEqual({ status: 200, trips: 1 })
    expect(await tripsOf('POST', '/v1/calculate', home, own)).toEqual({ status: 200, trips: 0 })
  })

  it('reads no book for a header that cannot be a key', async () => {
    const get = vi.spyOn(env.KV, 'getWithMetadata')
    const answer = await call('POST', '/v1/calculate', { key: 'tcs_live_x', body: SALE })
    expect(answer.status).toBe(401)
    expect(get).not.toHaveBeenCalled()
    get.mockRestore()
  })

  it('names what is wrong with a body that it read ahead', async () => {
    const { body } = await call('POST', '/v1/calculate', { key, raw: '{' })
    expect(body['reason']).toBe('invalid_json')
    forgetEverything()
    const large = await call('POST', '/v1/calculate', { key, raw: ' '.repeat(1_048_577) })
    expect(large.body['reason']).toBe('body_too_large')
  })
})
