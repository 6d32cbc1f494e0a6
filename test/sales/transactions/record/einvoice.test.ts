import { expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create } from '../sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

const TO_FRANCE = {
  customer: { address: { country: 'FR' }, vat_id: 'FR40303265045' },
  currency: 'EUR',
  line_items: [
    { amount: 10_000, product_type: 'physical_goods' },
    { amount: 5_000, product_type: 'saas' },
  ],
}

const K = { category: 'K', rate_percent: '0', exemption_code: 'VATEX-EU-IC', tax_amount: 0 }
const AE = { category: 'AE', rate_percent: '0', exemption_code: 'VATEX-EU-AE', tax_amount: 0 }

async function germanSeller() {
  const { key, account_id } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', vat_id: 'DE136695976' } })
  return { key, account_id }
}

it('keeps the view with each sale, and shows it in the language that is asked for', async () => {
  const { key } = await germanSeller()
  const { body, status, text } = await create(key, TO_FRANCE)
  expect(status, text).toBe(201)
  expect(body['einvoice']).toBeUndefined()
  const path = `/v1/transactions/${String(body['id'])}`
  const plain = await call('GET', path, { key })
  expect(plain.body['einvoice']).toBeUndefined()
  const shown = await call('GET', `${path}?einvoice=fr`, { key })
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body).toMatchObject({
    einvoice: {
      language: 'fr',
      tax_scheme: 'VAT',
      breakdown: [
        { ...K, taxable_amount: 10_000, exemption_text: expect.stringContaining('article 138') },
        { ...AE, taxable_amount: 5_000, exemption_text: 'Autoliquidation' },
      ],
      seller_registrations: [
        { jurisdiction_id: 'DE', registration_number: 'DE136695976', term: 'BT-31', printed: true },
      ],
      requires: ['buyer_vat_id', 'delivery_date', 'delivery_country'],
      warnings: [],
    },
    line_items: [{ einvoice: [{ category: 'K' }] }, { einvoice: [{ category: 'AE' }] }],
  })
  const german = await call('GET', `${path}?einvoice=law`, { key })
  expect(german.body['einvoice']).toMatchObject({ language: 'de' })
  const wrong = await call('GET', `${path}?einvoice=klingon`, { key })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('einvoice')])
})

it('keeps the number as it was at the sale', async () => {
  const { key } = await germanSeller()
  const { body } = await create(key, { ...TO_FRANCE, einvoice: { language: 'de' } })
  expect(body['einvoice']).toMatchObject({ language: 'de', warnings: [] })
  await call('PUT', '/v1/account', { key, body: { country: 'DE', vat_id: 'DE811569869' } })
  const shown = await call('GET', `/v1/transactions/${String(body['id'])}?einvoice=de`, { key })
  expect(shown.body['einvoice']).toEqual(body['einvoice'])
})

it('gives a refund the view of its sale', async () => {
  const { key } = await germanSeller()
  const { body } = await create(key, TO_FRANCE)
  const path = `/v1/transactions/${String(body['id'])}`
  const refund = { amount: 3_000, reason: 'Late' }
  expect((await call('POST', `${path}/refund`, { key, body: refund })).status).toBe(200)
  const shown = await call('GET', `${path}?einvoice=en`, { key })
  expect(shown.body['refunds']).toMatchObject([
    {
      einvoice: [
        { ...K, taxable_amount: 2_000 },
        { ...AE, taxable_amount: 1_000, exemption_text: 'Reverse charge' },
      ],
    },
  ])
})

it('says that no view was kept with a sale of earlier days', async () => {
  const { key } = await germanSeller()
  const { body } = await create(key, TO_FRANCE)
  await removeView(body['id'])
  const shown = await call('GET', `/v1/transactions/${String(body['id'])}?einvoice=de`, { key })
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body['einvoice']).toMatchObject({ breakdown: [], warnings: [{ code: 'not_kept' }] })
})

it('does not name a category for a tax of the invoice that is not the calculated one', async () => {
  const { key } = await germanSeller()
  const sale = {
    customer: { address: { country: 'DE' } },
    currency: 'EUR',
    einvoice: {},
    line_items: [
      { amount: 10_000, product_type: 'physical_goods', tax_rate: 0.19, tax_amount: 1_900 },
      { amount: 10_000, product_type: 'physical_goods', tax_rate: 0.16, tax_amount: 1_600 },
    ],
  }
  const { body, text } = await create(key, sale)
  expect(body['einvoice'], text).toMatchObject({
    breakdown: [{ category: 'S', rate_percent: '19', taxable_amount: 10_000, tax_amount: 1_900 }],
    warnings: [{ code: 'tax_differs', lines: [1] }],
  })
})

it('asks for the reason of a line that is marked as not taxable', async () => {
  const { key } = await germanSeller()
  const line = { amount: 10_000, product_type: 'professional_services', taxable: false }
  const asked = (line_items: object[]) => ({
    currency: 'EUR',
    customer: { address: { country: 'DE' } },
    einvoice: {},
    line_items,
  })
  const silent = await call('POST', '/v1/calculate', { key, body: asked([line]) })
  expect(silent.body['einvoice'], silent.text).toMatchObject({
    breakdown: [{ category: 'E', exemption_text: null }],
    warnings: [{ code: 'reason_unknown', lines: [0] }],
  })
  const exemption_reason = 'Steuerfrei nach § 4 Nr. 21 UStG'
  const said = await call('POST', '/v1/calculate', { key, body: asked([{ ...line, exemption_reason }]) })
  expect(said.body['einvoice'], said.text).toMatchObject({
    breakdown: [{ category: 'E', exemption_text: exemption_reason, text_source: 'request' }],
    warnings: [],
  })
  const { queried_at: _, ...calculation } = said.body
  const kept = await create(key, { customer: { address: { country: 'DE' } }, calculation, einvoice: {} })
  expect(kept.body['einvoice'], kept.text).toMatchObject({
    breakdown: [{ category: 'E', exemption_text: exemption_reason }],
  })
  const wrong = { ...line, taxable: true, exemption_reason }
  const refused = await call('POST', '/v1/calculate', { key, body: asked([wrong]) })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('exemption_reason')])
})

const TO_GERMANY = {
  customer: { address: { country: 'DE' } },
  currency: 'EUR',
  einvoice: {},
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
}
const removeView = (id: unknown) =>
  books
    .prepare("UPDATE transactions SET facts = json_remove(facts, '$.einvoice', '$.invoice') WHERE id = ?")
    .bind(id)
    .run()

it('gives a credit note the view of its sale, whatever the seller is now', async () => {
  const { key } = await germanSeller()
  const sold = await create(key, TO_FRANCE)
  await call('PUT', '/v1/account', { key, body: { country: 'DE', vat_id: 'DE811569869' } })
  const credit_note_for = { transaction_id: sold.body['id'] }
  const credited = (product_type: string) => ({ amount: -1_000, product_type, tax_rate: 0, tax_amount: 0 })
  const note = await create(key, {
    ...TO_FRANCE,
    // A line without a tax of its own is not the calculated one here: the customer has no VAT id.
    customer: { address: { country: 'FR' } },
    credit_note_for,
    einvoice: { language: 'en' },
    line_items: [credited('saas'), credited('physical_goods')],
  })
  expect(note.status, note.text).toBe(201)
  const view = {
    breakdown: [
      { ...AE, taxable_amount: -1_000, exemption_text: 'Reverse charge' },
      { ...K, taxable_amount: -1_000 },
    ],
    seller_registrations: [{ registration_number: 'DE136695976' }],
    warnings: [],
  }
  expect(note.body['einvoice']).toMatchObject(view)
  const shown = await call('GET', `/v1/transactions/${String(note.body['id'])}?einvoice=en`, { key })
  expect(shown.body['einvoice']).toMatchObject(view)
  const unknown = await create(key, {
    ...TO_FRANCE,
    credit_note_for,
    einvoice: {},
    line_items: [{ ...credited('books'), amount: -1_000 }],
  })
  expect(unknown.body['einvoice'], unknown.text).toMatchObject({
    breakdown: [],
    warnings: [{ code: 'credit_unknown', lines: [0] }],
  })
})

it('names on a credit note the number under which its sale was charged', async () => {
  const { key } = await germanSeller()
  const sold = await create(key, TO_GERMANY)
  expect(sold.body['line_items']).toMatchObject([{ registration_number: 'DE136695976' }])
  await call('PUT', '/v1/account', { key, body: { country: 'DE', vat_id: 'DE811569869' } })
  const note = await create(key, {
    ...TO_GERMANY,
    credit_note_for: { transaction_id: sold.body['id'] },
    line_items: [{ amount: -1_000, product_type: 'physical_goods' }],
  })
  const named = { registration_number: 'DE136695976' }
  expect(note.body['line_items'], note.text).toMatchObject([{ ...named, tax_breakdown: [named] }])
})

it('gives a credit note in the batch of its sale the view of that sale', async () => {
  const { key } = await germanSeller()
  const sale = { ...TO_GERMANY, external_id: 'sold' }
  const line = { amount: -1_000, product_type: 'physical_goods' }
  const note = { ...TO_GERMANY, credit_note_for: { external_id: 'sold' }, line_items: [line] }
  const answer = await call('POST', '/v1/transactions/batch', { key, body: { transactions: [note, sale] } })
  expect(answer.body, answer.text).toMatchObject({
    results: [
      { data: { einvoice: { breakdown: [{ category: 'S', rate_percent: '19', tax_amount: -190 }] } } },
      { success: true },
    ],
  })
})

it('says that no view was kept with the sale of a credit note', async () => {
  const { key } = await germanSeller()
  const { body } = await create(key, TO_GERMANY)
  await removeView(body['id'])
  const line = { amount: -1_000, product_type: 'physical_goods' }
  const credit_note_for = { transaction_id: body['id'] }
  const note = await create(key, { ...TO_GERMANY, credit_note_for, line_items: [line] })
  expect(note.body['einvoice'], note.text).toMatchObject({ breakdown: [], warnings: [{ code: 'not_kept' }] })
})

it('gives what takes off a deposit the row of the deposit', async () => {
  const { key } = await germanSeller()
  const deposit = { ...TO_GERMANY, line_items: [{ amount: 3_000, product_type: 'physical_goods' }] }
  const paid = await create(key, deposit)
  const settles = [{ transaction_id: paid.body['id'] }]
  const final = await create(key, { ...TO_GERMANY, settles })
  expect(final.body, final.text).toMatchObject({
    line_items: [
      { einvoice: [{ category: 'S', taxable_amount: 10_000, tax_amount: 1_900 }] },
      { einvoice: [{ category: 'S', rate_percent: '19', taxable_amount: -3_000, tax_amount: -570 }] },
    ],
    einvoice: {
      breakdown: [{ category: 'S', taxable_amount: 7_000, tax_amount: 1_330 }],
      seller_registrations: [{ jurisdiction_id: 'DE' }],
      warnings: [],
    },
  })
  const old = await create(key, deposit)
  await removeView(old.body['id'])
  const later = await create(key, { ...TO_GERMANY, settles: [{ transaction_id: old.body['id'] }] })
  expect(later.body['einvoice'], later.text).toMatchObject({
    breakdown: [{ category: 'S', taxable_amount: 10_000 }],
    warnings: [{ code: 'not_kept', lines: [1] }],
  })
})

it('has the base with a discount that a third party pays, and says so', async () => {
  const { key } = await germanSeller()
  const line = { amount: 10_000, discount: 2_000, discount_funded_by: 'manufacturer' }
  const sale = { ...TO_GERMANY, line_items: [{ ...line, product_type: 'physical_goods' }] }
  const { body, text } = await create(key, sale)
  const view = {
    breakdown: [{ category: 'S', rate_percent: '19', taxable_amount: 10_000, tax_amount: 1_900 }],
    warnings: [{ code: 'third_party_discount', lines: [0] }],
  }
  expect(body['einvoice'], text).toMatchObject(view)
  expect(body['line_items']).toMatchObject([{ net_amount: 8_000 }])
  const path = `/v1/transactions/${String(body['id'])}`
  await call('POST', `${path}/refund`, { key, body: { rest: true, reason: 'returned' } })
  const shown = await call('GET', `${path}?einvoice=de`, { key })
  expect(shown.body, shown.text).toMatchObject({
    einvoice: view,
    refunds: [{ einvoice: [{ taxable_amount: 10_000, tax_amount: 1_900 }] }],
  })
})
