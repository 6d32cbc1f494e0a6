import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { AUTHORITY_HOST } from '../../../support/authority-server.ts'
import { addReseller } from '../../../support/reseller.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create } from '../sales.ts'

await loadTestData()
keepAccountsIn(0)

type Body = Record<string, unknown>

const send = async (method: string, path: string, key: string, body?: object) => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

describe('the proof of a VAT id', () => {
  const SALE = {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['DE'] },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  }

  async function buyer(key: string, answer: object) {
    await fetch(`https://${AUTHORITY_HOST}/any/rest`, {
      method: 'PUT',
      body: JSON.stringify({
        body: JSON.stringify({ countryCode: 'IE', vatNumber: '6388047V', ...answer }),
      }),
    })
    const { id } = await send('POST', '/v1/customers', key, {
      name: 'Example Limited',
      vat_id: 'IE6388047V',
      address: { country: 'IE' },
    })
    await send('POST', `/v1/vat/validate-customer/${String(id)}`, key)
    return String(id)
  }

  it('is kept with the sale as it was, also if the customer changes or is erased', async () => {
    const { key } = await newAccount()
    await send('PUT', '/v1/account', key, { country: 'DE', vat_id: 'DE136695976' })
    const customer_id = await buyer(key, {
      valid: true,
      name: 'EXAMPLE LIMITED',
      address: 'DUBLIN',
      requestIdentifier: 'WAPIAAAAY2TMm3wD',
    })
    const { body: sale } = await create(key, { ...SALE, customer_id })
    const proof = {
      vat_id: 'IE6388047V',
      valid: true,
      source: expect.stringContaining('VIES'),
      consultation_number: 'WAPIAAAAY2TMm3wD',
      checked_at: expect.stringMatching(/^\d{4}-/),
    }
    expect(sale).toMatchObject({ reverse_charge: true, vat_proof: proof })
    await send('PUT', `/v1/customers/${customer_id}`, key, { vat_id: 'IE3628739L' })
    expect((await create(key, { ...SALE, customer_id })).body['vat_proof']).toBeNull()
    await send('DELETE', `/v1/customers/${customer_id}`, key)
    expect(await send('GET', `/v1/transactions/${String(sale['id'])}`, key)).toMatchObject({
      vat_proof: proof,
    })
  })

  it('is not of another id than the one of the sale', async () => {
    const { key } = await newAccount()
    const customer_id = await buyer(key, { valid: true, name: 'X', address: 'Y', requestIdentifier: '' })
    const other = { ...SALE, customer_id, customer: { vat_id: 'IE3628739L' } }
    expect((await create(key, other)).body['vat_proof']).toBeNull()
  })

  it('can be given with the sale', async () => {
    const { key } = await newAccount()
    const customer = { address: { country: 'IE' }, vat_id: 'IE6388047V', vat_id_validated: true }
    const vat_proof = { valid: true, checked_at: '2026-11-01', consultation_number: 'W-1' }
    expect((await create(key, { ...SALE, customer, vat_proof })).body['vat_proof']).toEqual({
      vat_id: 'IE6388047V',
      valid: true,
      source: 'caller',
      consultation_number: 'W-1',
      checked_at: '2026-11-01T00:00:00.000Z',
    })
    const without = await create(key, { ...SALE, customer: { address: { country: 'IE' } }, vat_proof })
    expect(without.body['errors']).toEqual([{ path: 'vat_proof', message: 'needs a customer with a vat_id' }])
  })
})

describe('a certificate', () => {
  const SALE = {
    currency: 'USD',
    seller: { country: 'US', region: 'TX', registrations: ['US-CA'] },
    line_items: [
      { amount: 10_000, product_type: 'physical_goods' },
      { amount: 5_000, product_type: 'professional_services' },
    ],
  }

  async function exempt() {
    const { key, account_id } = await newAccount()
    return { key, account_id, ...(await addReseller(key, { valid_from: '2020-01-01' })) }
  }

  const remove = (key: string, certificate: string) => call('DELETE', certificate, { key })

  it('is copied into the sale for the lines that it covers, and stays if the person is erased', async () => {
    const { key, customer_id, exemption_id } = await exempt()
    const { body: sale, text } = await create(key, { ...SALE, customer_id })
    const lines = sale['line_items'] as { id: string }[]
    const copy = {
      exemption_id,
      jurisdiction_id: 'US-CA',
      exemption_type: 'resale',
      certificate_number: 'CA-1001',
      valid_from: '2020-01-01',
      valid_to: null,
      line_items: [lines[0]?.id],
    }
    expect(sale['certificates'], text).toEqual([copy])
    await send('DELETE', `/v1/customers/${customer_id}`, key)
    expect(await send('GET', `/v1/transactions/${String(sale['id'])}`, key)).toMatchObject({
      certificates: [copy],
    })
  })

  it('cannot be deleted while sales rest on it, only ended', async () => {
    const { key, customer_id, certificate } = await exempt()
    await create(key, { ...SALE, customer_id })
    const refused = await remove(key, certificate)
    expect(refused).toMatchObject({ status: 400, body: { reason: 'exemption_in_use' } })
    expect(await send('PUT', certificate, key, { valid_to: '2026-12-31' })).toMatchObject({
      valid_to: '2026-12-31',
    })
    expect((await remove(key, certificate)).body['reason']).toBe('exemption_in_use')
  })

  it('can be deleted if no sale rests on it, or only a voided one', async () => {
    const unused = await exempt()
    expect((await remove(unused.key, unused.certificate)).status).toBe(200)
    const { key, customer_id, certificate } = await exempt()
    const sale = { ...SALE, customer_id, status: 'pending' }
    const { body } = await call('POST', '/v1/transactions/batch', {
      key,
      body: { transactions: [sale, sale] },
    })
    const ids = (body['results'] as { data: Body }[]).map(({ data }) => String(data['id']))
    const [first = '', second = ''] = ids
    await send('POST', `/v1/transactions/${first}/void`, key)
    expect((await remove(key, certificate)).body['reason']).toBe('exemption_in_use')
    await send('POST', `/v1/transactions/${second}/void`, key)
    expect((await remove(key, certificate)).status).toBe(200)
  })

  it('counts nothing twice if a sale is sent twice with one Idempotency-Key', async () => {
    const { key, customer_id, exemption_id, account_id } = await exempt()
    const headers = { 'Idempotency-Key': 'once' }
    for (let times = 0; times < 2; times += 1)
      await call('POST', '/v1/transactions', { key, headers, body: { ...SALE, customer_id } })
    const row = await env.DB.prepare('SELECT sales FROM exemptions WHERE account_id = ? AND id = ?')
      .bind(account_id, exemption_id)
      .first()
    expect(row).toEqual({ sales: 1 })
  })
})
