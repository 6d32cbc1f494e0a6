import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createOffline, SnapshotError, takeOfflineData } from '../../client/offline/offline.ts'
import { type CalculateRequest, createClient } from '../../client/src/client.ts'
import { createCheckout, TaxUnavailableError, type Trouble } from '../../client/src/shop.ts'
import { newAccount } from '../support/account.ts'
import { writeNewYorkCity } from '../support/local-data.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()
await writeNewYorkCity()

async function service() {
  const { key } = await newAccount()
  const line = { away: false }
  const fetch = async (request: Request) => {
    if (line.away) throw new TypeError('connection refused')
    return exports.default.fetch(request)
  }
  const tax = createClient({ baseUrl: 'https://service.test', apiKey: key, fetch, retries: 0 })
  return { tax, line }
}

type Product = CalculateRequest['line_items'][number]['product_type']
type Place = { country: string; region?: string; postal_code?: string }

/** A sale of three lines with shipping and a discount. */
function saleOf(currency: string, from: string, registrations: string[], to: Place, ...types: Product[]) {
  return {
    currency,
    seller: { country: from, registrations },
    customer: { address: to },
    line_items: types.map((product_type, index) => ({
      amount: 12_345 + 17 * index,
      quantity: index + 1,
      product_type,
      discount: 99 * index + 1,
    })),
    shipping_cost: { amount: 795 },
    discount_amount: 501,
  } satisfies CalculateRequest
}

const NEW_YORK = { country: 'US', region: 'NY', postal_code: '10001' }
const GOODS: Product[] = ['physical_goods', 'clothing', 'groceries']
const DIGITAL: Product[] = ['saas', 'ebooks', 'digital_goods']
const SALES: Record<string, CalculateRequest> = {
  'EU, own country': saleOf('EUR', 'DE', ['DE'], { country: 'DE' }, ...GOODS),
  'EU, one-stop shop': saleOf('EUR', 'DE', ['DE', 'oss_union'], { country: 'FR' }, ...DIGITAL),
  'EU, Canary Islands': saleOf('EUR', 'ES', ['ES'], { country: 'ES', postal_code: '35001' }, ...GOODS),
  'EU, business': {
    ...saleOf('EUR', 'DE', ['DE'], { country: 'AT' }, ...DIGITAL),
    customer: { address: { country: 'AT' }, vat_id: 'ATU13585627' },
  },
  'EU, not registered': saleOf('EUR', 'DE', [], { country: 'FR' }, ...GOODS),
  GB: saleOf('GBP', 'GB', ['GB'], { country: 'GB', postal_code: 'SW1A 1AA' }, ...GOODS),
  'GB from abroad': saleOf('USD', 'US', ['GB'], { country: 'GB' }, ...GOODS),
  'CA, Quebec': saleOf('CAD', 'CA', ['CA', 'CA-QC'], { country: 'CA', region: 'QC' }, ...GOODS),
  'CA, Ontario': saleOf('CAD', 'CA', ['CA'], { country: 'CA', region: 'ON' }, ...DIGITAL),
  'US, New York City': saleOf('USD', 'US', ['US-NY'], NEW_YORK, ...GOODS),
  AU: saleOf('AUD', 'AU', ['AU'], { country: 'AU' }, ...GOODS),
  CH: saleOf('CHF', 'CH', ['CH'], { country: 'CH' }, ...GOODS),
  JP: saleOf('JPY', 'JP', ['JP'], { country: 'JP' }, ...GOODS),
  'a place without data': saleOf('USD', 'DE', ['DE'], { country: 'AQ' }, ...GOODS),
}

const KNOWN_BY_SERVICE: [string, Partial<CalculateRequest>][] = [
  ['customer_id', { customer_id: 'cus_1' }],
  ['data_version', { data_version: '20261122T101500000Z' }],
  ['einvoice', { einvoice: {} }],
  ['product_type', { line_items: [{ amount: 100, product_type: 'txcd_10103001' }] }],
]

/** What the service and the calculator say differently by their nature. */
function comparable<Answer extends { notes: string[]; queried_at: string }>(answer: Answer) {
  return {
    ...answer,
    queried_at: '',
    notes: answer.notes.filter((note) => !note.startsWith('Calculated without the service')),
  }
}

describe('the offline calculator', () => {
  it.each(Object.entries(SALES))('answers as the service does: %s', async (_, sale) => {
    const { tax } = await service()
    const offline = createOffline()
    await offline.load(JSON.parse(JSON.stringify(await takeOfflineData(tax, ['US-NY']))))
    for (const explain of [false, true]) {
      const ours = await tax.calculate({ ...sale, explain })
      expect(comparable(offline.calculate({ ...sale, explain }).answer)).toEqual(comparable(ours))
    }
  })

  it('knows the profile and the registrations that it took', async () => {
    const { tax } = await service()
    await tax.account.update({ country: 'FR', small_business: false })
    await tax.registrations.create({ jurisdiction_id: 'FR', valid_from: '2020-01-01' })
    const offline = createOffline()
    await offline.load(await takeOfflineData(tax))
    const { seller: _seller, ...sale } = saleOf('EUR', 'FR', [], { country: 'FR' }, 'books', 'saas')
    const { answer } = offline.calculate(sale)
    expect(answer.tax_amount).toBeGreaterThan(0)
    expect(comparable(answer)).toEqual(comparable(await tax.calculate(sale)))
  })

  it('refuses damaged data, and keeps what it had', async () => {
    const { tax } = await service()
    const data = await takeOfflineData(tax)
    const offline = createOffline()
    const sale = saleOf('EUR', 'DE', ['DE'], { country: 'DE' }, 'saas')
    expect(() => offline.calculate(sale)).toThrow(SnapshotError)
    await offline.load(data)
    const [snapshot] = structuredClone(data.snapshots)
    if (snapshot?.rates[0] === undefined) throw new Error('There is a rate')
    snapshot.rates[0]['rate'] = 0
    await expect(offline.load({ ...data, snapshots: [snapshot] })).rejects.toThrow('checksum')
    await expect(offline.load({ ...data, snapshots: [] })).rejects.toThrow(SnapshotError)
    expect(offline.calculate(sale).answer.tax_amount).toBeGreaterThan(0)
  })

  it('refuses data that is too old', async () => {
    const { tax } = await service()
    const clock = { ms: Date.now() }
    const offline = createOffline({ max_age_ms: 60_000, now: () => clock.ms })
    await offline.load(await takeOfflineData(tax))
    clock.ms += 120_000
    const sale = saleOf('EUR', 'DE', ['DE'], { country: 'DE' }, 'saas')
    expect(() => offline.calculate(sale)).toThrow('too old')
  })

  it.each(['snapshots', 'account'] as const)(
    'refuses %s that do not say when they were taken',
    async (part) => {
      const { tax } = await service()
      const data = structuredClone(await takeOfflineData(tax))
      for (const each of [data[part]].flat()) each.queried_at = 'yesterday'
      await expect(createOffline().load(data)).rejects.toThrow('queried_at')
    },
  )

  it.each(KNOWN_BY_SERVICE)('refuses what only the service knows: %s', async (field, fields) => {
    const { tax } = await service()
    const offline = createOffline()
    await offline.load(await takeOfflineData(tax))
    const sale: CalculateRequest = { ...saleOf('EUR', 'DE', ['DE'], { country: 'DE' }, 'saas'), ...fields }
    expect(() => offline.calculate(sale)).toThrow(field)
  })

  it('charges no tax of a state without the local taxes on top', async () => {
    const { tax } = await service()
    const offline = createOffline()
    await offline.load(await takeOfflineData(tax))
    const sale = saleOf('USD', 'US', ['US-NY'], NEW_YORK, 'physical_goods')
    expect(() => offline.calculate(sale)).toThrow('The local taxes of US-NY are not loaded')
    const elsewhere = offline.calculate(saleOf('USD', 'US', [], NEW_YORK, 'physical_goods')).answer
    expect(elsewhere.tax_amount).toBe(0)
    expect(elsewhere.notes.at(-1)).toContain('The local taxes of US-NY are not loaded')
  })
})

describe('a checkout by the policy snapshot', () => {
  it('answers from the snapshot, and says so', async () => {
    const { tax, line } = await service()
    const offline = createOffline()
    await offline.load(await takeOfflineData(tax))
    const troubles: Trouble[] = []
    const onTrouble = (trouble: Trouble) => void troubles.push(trouble)
    const shop = createCheckout({ tax, on_failure: 'snapshot', snapshot: offline, onTrouble, memo_ms: 0 })
    const sale = saleOf('EUR', 'DE', ['DE'], { country: 'DE' }, 'saas')
    const before = await shop.calculate(sale)
    line.away = true
    const { answer, source, age_ms } = await shop.calculate(sale)
    expect([source, answer.tax_amount]).toEqual(['snapshot', before.answer.tax_amount])
    expect(answer.notes.join()).toContain('Calculated without the service')
    const { data_version } = answer.meta
    expect(troubles).toMatchObject([{ outcome: 'snapshot', age_ms, data_version }])
    await expect(shop.calculate({ ...sale, customer_id: 'cus_1' })).rejects.toThrow(TaxUnavailableError)
    expect(troubles.at(-1)).toMatchObject({ outcome: 'refused', snapshot_error: expect.any(Error) })
  })

  it('needs a snapshot from its start', async () => {
    const { tax } = await service()
    expect(() => createCheckout({ tax, on_failure: 'snapshot', onTrouble: () => {} })).toThrow(TypeError)
  })
})
