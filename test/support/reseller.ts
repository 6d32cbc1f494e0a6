import { expect } from 'vitest'
import { call } from './service.ts'

/** A customer of the account with a verified certificate of resale in California. `certificate` is its path. */
export async function addReseller(key: string, validity: { valid_from: string; valid_to?: string | null }) {
  const send = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { key, body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return String(answer.body['id'])
  }
  const customer_id = await send('POST', '/v1/customers', {
    name: 'Reseller',
    address: { country: 'US', region: 'CA', postal_code: '94105' },
  })
  const path = `/v1/customers/${customer_id}/exemptions`
  const exemption_id = await send('POST', path, {
    jurisdiction_id: 'US-CA',
    exemption_type: 'resale',
    certificate_number: 'CA-1001',
    ...validity,
  })
  const certificate = `${path}/${exemption_id}`
  await send('PUT', certificate, { status: 'verified' })
  return { customer_id, exemption_id, certificate }
}
