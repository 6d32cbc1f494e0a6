import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { readHealth } from '../../../src/tax-data/status/health.ts'
import { LOCAL_BOOK, nowKey, pointerKey, RATE_BOOK } from '../../../src/tax-data/records/book-names.ts'
import { newAccount } from '../../support/account.ts'
import { writeKansas } from '../../support/local-data.ts'
import { loadTestData } from '../../support/service-data.ts'
import worker from '../../support/worker.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

await loadTestData()
await writeKansas()
const { key } = await newAccount({ tier: 'enterprise' })

const SALE = {
  currency: 'USD',
  seller: { country: 'US', region: 'DE' },
  seller_registered: true,
  customer: { address: { country: 'US', postal_code: '66409' } },
  line_items: [{ amount: 100_000, product_type: 'physical_goods' }],
}

/** The tax of a sale into Kansas as a cold isolate answers it: 6.5 % of the state, 1.35 % of the county. */
async function coldAnswer(bindings: Bindings = env): Promise<unknown> {
  forgetAll()
  const request = new Request('https://service.test/v1/calculate', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(SALE),
  })
  const context = createExecutionContext()
  const response = await worker.fetch(request, bindings, context)
  const answer: Record<string, unknown> = JSON.parse(await response.text())
  await waitOnExecutionContext(context)
  return [response.status, answer['tax_amount']]
}

/** Bindings whose KV refuses every write, as after more than one write a second to a key. */
function refusing(): Bindings {
  const put = () => Promise.reject(new Error('KV PUT failed: 429 Too Many Requests'))
  const KV = new Proxy(env.KV, {
    get: (kv, name) => {
      const value: unknown = name === 'put' ? put : Reflect.get(kv, name)
      return typeof value === 'function' ? value.bind(kv) : value
    },
  })
  return { ...env, KV }
}

const checkOfKv = async (bindings: Bindings) => (await readHealth({ ...bindings }, new Date())).checks.kv

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await coldAnswer()
})

describe.each([RATE_BOOK, LOCAL_BOOK])('%s in KV', (name) => {
  const newer = JSON.stringify({ version: '20991231T000000000Z', form: 'of a later release' })

  it.each(['{"version":', '[]', 'null', newer])('that cannot be read is read from D1: %s', async (text) => {
    const pointer = await env.KV.get(pointerKey(name))
    await env.KV.put(nowKey(name), text, { metadata: { stamp: pointer } })
    await env.KV.put(`${name}:${pointer}`, text)
    expect(await coldAnswer(refusing())).toEqual([200, 7_850])
    const checked = await checkOfKv(refusing())
    expect(checked).toMatchObject({ status: 'warn', message: expect.stringContaining(nowKey(name)) })
    expect(await coldAnswer()).toEqual([200, 7_850])
    expect(await env.KV.get(nowKey(name))).not.toBe(text)
    expect(await checkOfKv(env)).toEqual({ name: 'kv', status: 'pass' })
  })

  it('that cannot be read at one key alone is replaced there', async () => {
    await env.KV.put(nowKey(name), newer, { metadata: { stamp: 'x' } })
    expect(await coldAnswer()).toEqual([200, 7_850])
    expect(await env.KV.get(nowKey(name))).not.toBe(newer)
    expect(await checkOfKv(env)).toEqual({ name: 'kv', status: 'pass' })
  })

  it('whose text is cut short is replaced, before a sale reads the part that it lacks', async () => {
    const whole = await env.KV.get(nowKey(name))
    const pointer = await env.KV.get(pointerKey(name))
    await env.KV.put(nowKey(name), whole?.slice(0, -1) ?? '', { metadata: { stamp: pointer } })
    expect(await coldAnswer()).toEqual([200, 7_850])
    expect(await env.KV.get(nowKey(name))).toBe(whole)
  })

  it('that is missing while KV refuses writes is read from D1', async () => {
    const { keys } = await env.KV.list({ prefix: `${name}:` })
    for (const each of keys) await env.KV.delete(each.name)
    expect(await coldAnswer(refusing())).toEqual([200, 7_850])
    expect(await coldAnswer(refusing())).toEqual([200, 7_850])
  })
})

it('of which a sale finds a broken part is read from D1, by the same sale', async () => {
  const whole = (await env.KV.get(nowKey(LOCAL_BOOK))) ?? ''
  const pointer = (await env.KV.get(pointerKey(LOCAL_BOOK))) ?? ''
  const broken = whole.replaceAll('{"law":', '["law":')
  expect(broken).not.toBe(whole)
  expect(broken.length).toBe(whole.length)
  await env.KV.put(nowKey(LOCAL_BOOK), broken, { metadata: { stamp: pointer } })
  await env.KV.put(`${LOCAL_BOOK}:${pointer}`, broken)
  expect(await coldAnswer(refusing())).toEqual([200, 7_850])
  expect(await checkOfKv(refusing())).toMatchObject({
    status: 'warn',
    message: expect.stringContaining(nowKey(LOCAL_BOOK)),
  })
  expect(await coldAnswer()).toEqual([200, 7_850])
  expect(await env.KV.get(nowKey(LOCAL_BOOK))).toBe(whole)
  expect(await env.KV.get(`${LOCAL_BOOK}:${pointer}`)).toBe(whole)
})
