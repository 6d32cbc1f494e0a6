import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CalculateAnswer } from '../../client/src/client.ts'
import { toStripeTaxAmounts } from '../../client/src/shop.ts'
import { newAccount } from '../support/account.ts'
import { writeKansas } from '../support/local-data.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()
await writeKansas()
const { key } = await newAccount()

type Place = { country: string; region?: string; postal_code?: string }

const KANSAS: Place = { country: 'US', region: 'KS', postal_code: '66604' }

async function sold(to: Place, more: object = {}): Promise<CalculateAnswer> {
  const body = {
    currency: 'USD',
    seller: { country: 'DE', registrations: ['DE', 'FR', 'US-KS', 'US-NY', 'CA', 'CA-BC', 'NO', 'CH'] },
    customer: { address: to },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
    ...more,
  }
  const answer = await call('POST', '/v1/calculate', { key, body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as CalculateAnswer
}

describe('the taxes of a Stripe invoice', () => {
  it('name the tax, its rate and its place', async () => {
    const [[tax]] = toStripeTaxAmounts(await sold({ country: 'FR' })) as [[object]]
    expect(tax).toEqual({
      amount: 2_000,
      taxable_amount: 10_000,
      taxability_reason: 'standard_rated',
      tax_rate_data: {
        display_name: 'France VAT',
        percentage: 20,
        inclusive: false,
        country: 'FR',
        jurisdiction: 'France',
        jurisdiction_level: 'country',
        tax_type: 'vat',
      },
    })
  })

  it('have the taxes of a province and its federation', async () => {
    const answer = await sold({ country: 'CA', region: 'CA-BC', postal_code: 'V5K 0A1' })
    const [taxes = []] = toStripeTaxAmounts(answer)
    expect(taxes.map(({ tax_rate_data }) => [tax_rate_data.tax_type, tax_rate_data.state])).toEqual([
      ['gst', undefined],
      ['pst', 'BC'],
    ])
  })

  it('say why there is none', async () => {
    const [[exported]] = toStripeTaxAmounts(
      await sold(
        { country: 'US', region: 'NY', postal_code: '10001' },
        {
          seller: { country: 'DE', registrations: ['DE'] },
          line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
        },
      ),
    ) as unknown as [[{ amount: number; taxability_reason: string }]]
    expect(exported.amount).toBe(0)
    expect(exported.taxability_reason).not.toBe('standard_rated')
  })

  it('add up to the tax and the total of 1,000 random invoices', async () => {
    const STRIPE = new Set(
      (
        'customer_exempt not_collecting not_subject_to_tax not_supported portion_product_exempt product_exempt ' +
        'reduced_rated reverse_charge standard_rated taxable_basis_reduced zero_rated'
      ).split(' '),
    )
    const places: Place[] = [
      { country: 'DE' },
      { country: 'FR' },
      { country: 'NO' },
      { country: 'CH' },
      { country: 'GB' },
      KANSAS,
      { country: 'CA', region: 'CA-BC', postal_code: 'V5K 0A1' },
      { country: 'BR' },
    ]
    const line = fc.record({
      amount: fc.integer({ min: 0, max: 1_000_000 }),
      product_type: fc.constantFrom('saas', 'physical_goods', 'books', 'groceries', 'gift_card'),
      tax_behavior: fc.constantFrom('exclusive', 'inclusive'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.array(line, { minLength: 1, maxLength: 5 }),
        async (to, lines) => {
          const answer = await sold(to, { line_items: lines, shipping_cost: { amount: 500 } })
          const taxes = toStripeTaxAmounts(answer)
          const sums = taxes.map((each) => each.reduce((sum, { amount }) => sum + amount, 0))
          expect(sums.reduce((all, sum) => all + sum, 0)).toBe(answer.tax_amount)
          // Stripe adds the taxes of a line to its amount, unless they are inclusive.
          const shown = [...lines, { amount: 500 }].reduce((sum, { amount }) => sum + amount, 0)
          const added = taxes.flat().filter(({ tax_rate_data }) => !tax_rate_data.inclusive)
          expect(added.reduce((sum, { amount }) => sum + amount, shown)).toBe(answer.total)
          for (const each of taxes.flat()) {
            expect(STRIPE).toContain(each.taxability_reason)
            expect(each.tax_rate_data.country).toHaveLength(2)
            expect(String(each.tax_rate_data.percentage)).toMatch(/^\d+(\.\d{1,4})?$/)
          }
        },
      ),
      { numRuns: 1_000, seed: 20_261_126 },
    )
  }, 120_000)
})
