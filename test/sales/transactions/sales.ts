import { expect } from 'vitest'
import { type Answer, call } from '../../support/service.ts'

/** A sale of 100.00 EUR to Germany, its tax given as on the invoice. */
export const GIVEN = {
  customer: { address: { country: 'DE', postal_code: '10115' } },
  line_items: [
    {
      amount: 10_000,
      quantity: 1,
      product_type: 'saas',
      description: 'Plan',
      taxable: true,
      tax_rate: 0.19,
      tax_amount: 1_900,
    },
  ],
  currency: 'EUR',
  jurisdiction_id: 'DE',
  seller_registered: true,
}

/** A sale whose tax is left to the service: Quebec, with a federal and a provincial part. */
export const CALCULATED = {
  customer: { address: { country: 'CA', region: 'QC', postal_code: 'H2X 1Y4' } },
  line_items: [{ amount: 20_000, product_type: 'physical_goods' }],
  currency: 'CAD',
  seller_registered: true,
}

export async function create(key: string, body: object = GIVEN): Promise<Answer> {
  return call('POST', '/v1/transactions', { key, body })
}

/** Creates a transaction and gives its id. */
export async function created(key: string, body: object = GIVEN): Promise<string> {
  const answer = await create(key, body)
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body['id'])
}
