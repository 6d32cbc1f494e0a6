import { describe, expect, it } from 'vitest'
import { PRODUCT_TYPE_IDS, supplyKind } from '../../../src/engine/book/product-types.ts'
import { COUNTRY_CODES } from '../../../src/engine/book/country-codes.generated.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData, testFacts } from '../../support/service-data.ts'
import { ask, newShop } from '../../interfaces/taxjar/asking.ts'

await loadTestData()
const { key } = await newAccount()

type Rates = { combined_rate: number | null; rates: unknown[]; notes: string[] }
type Line = { tax_rate: number; taxability_reason: string; sold_in: string }

/** The law of each country is in force. */
const DAY = '2026-11-15'

const FULL = ['CH', 'LI', 'NO', 'SG', 'AE', 'SA', 'KR', 'JP']
const DIGITAL = ['IN', ...COUNTRY_CODES]

async function ratesOf(jurisdiction: string, product_type: string): Promise<Rates> {
  const path = `/v1/rates?jurisdiction=${jurisdiction}&product_type=${product_type}&date=${DAY}`
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Rates
}

/** The first line of a sale to a consumer, by a registered seller of the country or of the United States. */
async function soldTo(country: string, from: string, product_type: string): Promise<Line> {
  const body = {
    currency: 'USD',
    transaction_date: DAY,
    seller: { country: from, ...(from === 'US' && { region: 'NY' }), registrations: [country] },
    customer: { address: { country }, type: 'individual' },
    line_items: [{ amount: 1_000_000, product_type }],
  }
  const answer = await call('POST', '/v1/calculate', { key, body })
  expect(answer.status, answer.text).toBe(200)
  const { line_items, jurisdiction_id } = answer.body as { line_items: [Line]; jurisdiction_id: string }
  return { ...line_items[0], sold_in: jurisdiction_id }
}

describe('the rate of a product', () => {
  it.each(FULL)('in %s is what a calculation takes', async (country) => {
    for (const product_type of PRODUCT_TYPE_IDS) {
      const { combined_rate } = await ratesOf(country, product_type)
      const { tax_rate } = await soldTo(country, country, product_type)
      expect([product_type, combined_rate]).toEqual([product_type, tax_rate])
    }
  })

  it.each(DIGITAL)('in %s is what a calculation takes, or told as not covered', async (country) => {
    for (const product_type of PRODUCT_TYPE_IDS) {
      const { combined_rate, rates, notes } = await ratesOf(country, product_type)
      const { sold_in, tax_rate, taxability_reason } = await soldTo(country, 'US', product_type)
      if (combined_rate === null || notes.join(' ').includes('is not calculated')) {
        if (combined_rate === null) {
          expect([product_type, rates]).toEqual([product_type, []])
          expect(notes.join(' ')).toContain('is not covered there')
        }
        // A service may be supplied where the seller is.
        if (sold_in !== country) continue
        expect(tax_rate, product_type).toBe(0)
        expect(['not_supported', 'not_subject_to_tax', 'not_a_supply'], product_type).toContain(
          taxability_reason,
        )
      } else if (supplyKind(product_type) === 'digital')
        expect([product_type, combined_rate]).toEqual([product_type, tax_rate])
    }
  })
})

describe('rates in the form of TaxJar', () => {
  it.each([
    ['CH', '8001', '0.081'],
    ['NO', '0150', '0.25'],
    ['SG', '018956', '0.09'],
    ['AE', '00000', '0.05'],
    ['SA', '11564', '0.15'],
    ['KR', '04524', '0.1'],
    ['JP', '100-0001', '0.1'],
  ])('are those of goods sold in %s', async (country, zip, rate) => {
    const shop = await newShop({ profile: { country, time_zone: 'UTC' }, registrations: [country] })
    const { status, body, text } = await ask('GET', `/v2/rates/${zip}?country=${country}`, { key: shop.key })
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ rate: { country, country_rate: rate, combined_rate: rate } })
  })

  it.each(['IS', 'TW', 'TR', 'IN', 'MX', 'TH', 'VN'])(
    'are refused where goods in %s are not covered',
    async (country) => {
      const shop = await newShop({ profile: { country: 'DE', time_zone: 'UTC' }, registrations: [] })
      const { status, text } = await ask('GET', `/v2/rates/1000?country=${country}`, { key: shop.key })
      expect(status, text).toBe(400)
      expect(text).toContain('is not covered')
    },
  )
})

describe('a region that no data knows', () => {
  it.each([
    ['CH', 'ZH'],
    ['NO', '03'],
    ['AE', 'DU'],
    ['JP', '13'],
    ['IN', 'MH'],
    ['KR', 'nowhere'],
  ])('is no fault in %s', async (country, region) => {
    const body = {
      currency: 'USD',
      seller: { country: 'US', region: 'NY', registrations: [country] },
      customer: { address: { country, region } },
      line_items: [{ amount: 1_000_000, product_type: 'saas' }],
    }
    const answer = await call('POST', '/v1/calculate', { key, body })
    expect([200, 400], answer.text).toContain(answer.status)
    if (answer.status === 200) expect(answer.body).toMatchObject({ tax_amount: expect.any(Number) })
    else expect(answer.text).toContain('region')
  })
})

const { countries, jurisdictions } = testFacts()
/** Without Guernsey and Jersey, which the data has as places outside the area of British VAT. */
const LEFT_OUT = countries.flatMap(({ id, left_out }) =>
  left_out === undefined || jurisdictions.some((each) => each.id === id) ? [] : [[id, left_out.why] as const],
)

it.each(LEFT_OUT)('the coverage of %s says why it is recognised only', async (id, why) => {
  const { status, text } = await call('GET', `/v1/metadata/coverage?jurisdiction=${id}`, { key })
  expect(status, text).toBe(404)
  expect(text).toContain(JSON.stringify(why).slice(1, -1))
})
