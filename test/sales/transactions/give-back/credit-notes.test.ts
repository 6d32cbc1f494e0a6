import { beforeEach, describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { create, created } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

let key: string
let account_id: string

beforeEach(async () => {
  ;({ key, account_id } = await newAccount())
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  const body = { scheme: 'oss_union', valid_from: '2020-01-01' }
  await call('POST', '/v1/registrations', { key, body })
})

const sale = (amount: number, more: object = {}) => ({
  customer: { address: { country: 'FR' } },
  currency: 'EUR',
  transaction_date: '2026-02-01',
  line_items: [{ amount, product_type: 'saas' }],
  ...more,
})
const note = (amount: number, credit_note_for: object, more: object = {}) =>
  sale(amount, { transaction_date: '2026-05-01', credit_note_for, ...more })
const refund = (id: string, amount: number) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { amount, reason: 'returned' } })

describe('a credit note', () => {
  it('credits no more than refunds and other credit notes leave', async () => {
    const transaction_id = await created(key, sale(1_000))
    const huge = await create(key, note(-999_900, { transaction_id }))
    expect(huge.body).toMatchObject({
      reason: 'refund_exceeds_remaining',
      errors: [{ path: 'line_items', message: expect.stringContaining('at most 1200 (€12.00) with tax') }],
    })
    const shown = await create(key, note(-600, { transaction_id }))
    expect(shown.body).toMatchObject({ total: -720, credited_sale: transaction_id })
    expect((await create(key, note(-500, { transaction_id }))).body['reason']).toBe(
      'refund_exceeds_remaining',
    )
    expect((await refund(transaction_id, 481)).body['reason']).toBe('refund_exceeds_remaining')
    expect((await refund(transaction_id, 480)).status).toBe(200)
    expect((await create(key, note(-1, { transaction_id }))).body['reason']).toBe('refund_exceeds_remaining')
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('credits no more if many come at once', async () => {
    const transaction_id = await created(key, sale(1_000))
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => create(key, note(-300, { transaction_id }))),
      ...Array.from({ length: 8 }, () => refund(transaction_id, 360)),
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(3)
    for (const { status, body } of answers)
      if (status >= 300) expect(body['reason']).toBe('refund_exceeds_remaining')
  })

  it('that is void credits nothing', async () => {
    const transaction_id = await created(key, sale(1_000))
    const pending = await created(key, note(-1_000, { transaction_id }, { status: 'pending' }))
    expect((await refund(transaction_id, 1_200)).body['reason']).toBe('refund_exceeds_remaining')
    await call('POST', `/v1/transactions/${pending}/void`, { key })
    expect((await refund(transaction_id, 1_200)).status).toBe(200)
  })

  it('takes back no more tax than the sale bore', async () => {
    const transaction_id = await created(key, sale(1_000))
    const line_items = [{ amount: -500, product_type: 'saas', tax_rate: 0.5, tax_amount: -250 }]
    const answer = await create(key, note(0, { transaction_id }, { line_items }))
    expect(answer.body['errors']).toMatchObject([{ message: expect.stringContaining('more tax than 200') }])
  })

  it('takes back no tax of a sale that bore none', async () => {
    const line = { product_type: 'saas', tax_rate: 0 }
    const lines = (amount: number, tax_amount: number) =>
      Array.from({ length: 3 }, () => ({ ...line, amount, tax_amount }))
    const transaction_id = await created(key, sale(0, { line_items: lines(1_000, 0) }))
    const answer = await create(key, note(0, { transaction_id }, { line_items: lines(-900, -1) }))
    expect(answer.body).toMatchObject({
      reason: 'refund_exceeds_remaining',
      errors: [{ path: 'line_items', message: expect.stringContaining('more tax than 0') }],
    })
    const untaxed = await create(key, note(0, { transaction_id }, { line_items: lines(-900, 0) }))
    expect(untaxed.body, untaxed.text).toMatchObject({ tax_amount: 0, total: -2_700 })
  })

  it('has the place of supply of its sale', async () => {
    const transaction_id = await created(key, sale(1_000))
    const italian = { customer: { address: { country: 'IT' } } }
    const calculated = await create(key, note(-100, { transaction_id }, italian))
    expect(calculated.body['errors']).toMatchObject([{ path: 'customer' }])
    const line_items = [{ amount: -100, product_type: 'saas', tax_rate: 0.2, tax_amount: -20 }]
    const given = await create(key, note(0, { transaction_id }, { ...italian, line_items }))
    expect(given.body).toMatchObject({ jurisdiction_id: 'FR' })
    const other = await create(key, note(0, { transaction_id }, { line_items, jurisdiction_id: 'IT' }))
    expect(other.body['errors']).toMatchObject([{ path: 'jurisdiction_id' }])
  })

  it('may credit a line of another place than the sale as a whole', async () => {
    const registration = { jurisdiction_id: 'DE', valid_from: '2020-01-01' }
    await call('POST', '/v1/registrations', { key, body: registration })
    const address = { country: 'AT' }
    const customer = { type: 'business', vat_id: 'ATU13585627', vat_id_validated: true, address }
    const line_items = [
      { amount: 1_000, product_type: 'physical_goods' },
      { amount: 1_000, product_type: 'saas' },
    ]
    const transaction_id = await created(key, sale(0, { customer, line_items, external_id: 'sold' }))
    const ofGoods = { customer, line_items: [{ amount: -400, product_type: 'physical_goods' }] }
    const answer = await create(key, note(0, { transaction_id }, ofGoods))
    expect(answer).toMatchObject({ status: 201, body: { jurisdiction_id: 'DE', total: -400 } })
    const transactions = [
      sale(0, { customer, line_items, external_id: 'other' }),
      note(0, { external_id: 'other' }, ofGoods),
    ]
    const { body } = await call('POST', '/v1/transactions/batch', { key, body: { transactions } })
    expect(body['results']).toMatchObject([{ success: true }, { success: true }])
    const french = note(-100, { transaction_id })
    expect((await create(key, french)).body['errors']).toMatchObject([{ path: 'customer' }])
  })

  it.each([
    ['a day after it', { date: '2026-05-02' }, 'credit_note_for.date'],
    ['a day in which it was not sold yet', { external_id: 'later' }, 'transaction_date'],
    ['a void sale', { external_id: 'void' }, 'credit_note_for'],
  ])('does not name %s', async (_, named, path) => {
    await created(key, sale(1_000, { external_id: 'later', transaction_date: '2026-06-01' }))
    const id = await created(key, sale(1_000, { external_id: 'void', status: 'pending' }))
    await call('POST', `/v1/transactions/${id}/void`, { key })
    expect((await create(key, note(-100, named))).body['errors']).toMatchObject([{ path }])
  })

  it('may stand in the batch of its sale, before it or after it', async () => {
    const credit = note(-1_000, { external_id: 'sold' }, { external_id: 'first' })
    const transactions = [
      credit,
      sale(1_000, { external_id: 'sold' }),
      { ...credit, external_id: 'too much' },
    ]
    const { body } = await call('POST', '/v1/transactions/batch', { key, body: { transactions } })
    expect(body['results']).toMatchObject([
      { success: true, data: { total: -1_200 } },
      { success: true },
      { success: false, error: { reason: 'refund_exceeds_remaining' } },
    ])
  })
})

describe('a credit note mirrors its sale', () => {
  const EE = { customer: { address: { country: 'EE', postal_code: '10111' } }, seller: { country: 'EE' } }
  const inEstonia = (amount: number, more: object) => sale(amount, { ...EE, ...more })
  const back = async (credit: object) => {
    const { status, body, text } = await create(key, credit)
    expect(status, text).toBe(201)
    return body
  }

  it('has the rate of the day of its sale, and its halves add up (2006/112/EC art. 90)', async () => {
    const transaction_id = await created(key, inEstonia(10_000, { transaction_date: '2025-06-15' }))
    const half = { transaction_date: '2025-07-10', credit_note_for: { transaction_id } }
    const line = { tax_rate: 0.22, tax_amount: -1_100 }
    expect(await back(inEstonia(-5_000, half))).toMatchObject({ tax_amount: -1_100, line_items: [line] })
    expect(await back(inEstonia(-5_000, half))).toMatchObject({ tax_amount: -1_100, line_items: [line] })
    expect((await create(key, inEstonia(-1, half))).body['reason']).toBe('refund_exceeds_remaining')
  })

  it('of a sale that is not recorded here is assessed as of its day', async () => {
    const credit_note_for = { date: '2025-06-15' }
    const credit = inEstonia(-5_000, { transaction_date: '2025-07-10', credit_note_for })
    expect(await back(credit)).toMatchObject({
      tax_amount: -1_100,
      transaction_date: '2025-07-10T00:00:00.000Z',
      credited_day: '2025-06-15',
    })
  })

  it('is not changed by a certificate, a VAT id, a move or an ended registration since', async () => {
    const address = { country: 'US', region: 'TX', postal_code: '78701' }
    const { body: customer } = await call('POST', '/v1/customers', { key, body: { name: 'Shop', address } })
    const registered = { jurisdiction_id: 'US-TX', valid_from: '2026-01-01' }
    const registration = await call('POST', '/v1/registrations', { key, body: registered })
    const line_items = [
      { amount: 6_000, product_type: 'physical_goods' },
      { amount: 4_000, product_type: 'books' },
    ]
    const texan = { customer_id: customer['id'], customer: undefined, currency: 'USD', line_items }
    const sold = await back(sale(0, { ...texan, transaction_date: '2026-10-01' }))
    expect(sold['tax_amount']).toBeGreaterThan(0)
    const exemptions = `/v1/customers/${String(customer['id'])}/exemptions`
    const resale = { jurisdiction_id: 'US-TX', exemption_type: 'resale', certificate_number: 'X1' }
    const dates = { valid_from: '2026-11-01', valid_to: '2027-10-31' }
    const certificate = await call('POST', exemptions, { key, body: { ...resale, ...dates } })
    const path = `${exemptions}/${String(certificate.body['id'])}`
    await call('PUT', path, { key, body: { status: 'verified' } })
    const moved = { address: { country: 'FR', postal_code: '75001' }, vat_id: 'FR40303265045' }
    await call('PUT', `/v1/customers/${String(customer['id'])}`, { key, body: moved })
    const ended = { ...registered, valid_to: '2026-10-31' }
    await call('PUT', `/v1/registrations/${String(registration.body['id'])}`, { key, body: ended })
    const back_items = line_items.map((line) => ({ ...line, amount: -line.amount }))
    const credit_note_for = { transaction_id: sold['id'] }
    const credit = { ...texan, line_items: back_items, transaction_date: '2026-11-10', credit_note_for }
    expect(await back(sale(0, credit))).toMatchObject({
      total: -Number(sold['total']),
      tax_amount: -Number(sold['tax_amount']),
      jurisdiction_id: 'US-TX',
      seller_registered: true,
      reverse_charge: false,
      certificates: [],
      customer: { id: customer['id'], vat_id: null, address },
    })
    const explained = await create(key, sale(0, credit))
    expect(explained.body['reason']).toBe('refund_exceeds_remaining')
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('needs no customer: it has that of its sale', async () => {
    const transaction_id = await created(key, sale(1_000))
    const credit = note(-400, { transaction_id }, { customer: undefined })
    expect(await back(credit)).toMatchObject({ total: -480, customer: { address: { country: 'FR' } } })
  })

  it('may spell the region of its sale otherwise, and names no other region', async () => {
    const body = { jurisdiction_id: 'US-MA', valid_from: '2020-01-01' }
    await call('POST', '/v1/registrations', { key, body })
    const inRegion = (region: string) => ({
      customer: { address: { country: 'US', region } },
      currency: 'USD',
      line_items: [{ amount: 1_000, product_type: 'physical_goods' }],
    })
    const transaction_id = await created(key, sale(0, inRegion('MA')))
    const credit = (region: string) =>
      note(
        0,
        { transaction_id },
        { ...inRegion(region), line_items: [{ amount: -500, product_type: 'physical_goods' }] },
      )
    expect(await back(credit('Massachusetts'))).toMatchObject({ jurisdiction_id: 'US-MA' })
    expect((await create(key, credit('NY'))).body['errors']).toMatchObject([{ path: 'customer' }])
  })

  it('says why it gives tax back', async () => {
    const transaction_id = await created(key, sale(1_000))
    const id = await created(key, note(-400, { transaction_id }))
    const { body } = await call('GET', `/v1/transactions/${id}?explain=true`, { key })
    expect(body['credits']).toBeUndefined()
    expect(body['explanation']).toMatchObject({
      lines: [{ tax_from: 'credited', sentence: expect.stringContaining('refunds €0.80 tax') }],
    })
  })

  it('leaves to refunds what it left of each line', async () => {
    const line_items = [
      { amount: 1_000, product_type: 'saas' },
      { amount: 1_000, product_type: 'ebooks' },
    ]
    const { id, line_items: lines } = await back(sale(0, { line_items }))
    await created(key, note(-1_000, { transaction_id: id }))
    const [first, second] = lines as { id: string; tax_amount: number }[]
    const path = `/v1/transactions/${String(id)}/refund`
    const twice = { line_items: [{ id: first?.id }], reason: 'returned' }
    expect((await call('POST', path, { key, body: twice })).body['reason']).toBe('refund_exceeds_remaining')
    const rest = await call('POST', path, { key, body: { rest: true, reason: 'cancelled' } })
    expect(rest.body, rest.text).toMatchObject({ refund: { tax_amount: second?.tax_amount } })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('of several in one batch gives back each rest once', async () => {
    const old = { transaction_date: '2025-06-15', external_id: 'sold' }
    const credit = (amount: number, external_id: string) =>
      inEstonia(amount, {
        external_id,
        credit_note_for: { external_id: 'sold' },
        transaction_date: '2025-08-01',
      })
    const transactions = [
      credit(-3_333, 'one'),
      inEstonia(9_999, old),
      credit(-3_333, 'two'),
      credit(-3_333, 'three'),
    ]
    const { body } = await call('POST', '/v1/transactions/batch', { key, body: { transactions } })
    const totals = (body['results'] as { data: { total: number } }[]).map(({ data }) => data.total)
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(0)
    expect(await verifyTotals(books, account_id)).toEqual([])
  })
})

describe('the place that a sale names', () => {
  it('is the calculated one, or it is refused', async () => {
    const answer = await create(key, sale(1_000, { jurisdiction_id: 'DE' }))
    expect(answer.body['errors']).toEqual([
      {
        path: 'jurisdiction_id',
        message: expect.stringMatching(/^is DE, .* calculated for FR: leave out jurisdiction_id/),
      },
    ])
    expect((await create(key, sale(1_000, { jurisdiction_id: 'FR' }))).status).toBe(201)
  })

  it('is recorded as the invoice has it if the sale states its tax', async () => {
    const line_items = [{ amount: 1_000, product_type: 'saas', tax_amount: 190 }]
    const answer = await create(key, sale(0, { line_items, jurisdiction_id: 'DE' }))
    expect(answer.body).toMatchObject({ jurisdiction_id: 'DE', tax_amount: 190 })
  })
})

describe('the date of a sale', () => {
  it('is at most a year from now: a typing error would be in no return', async () => {
    const answer = await create(key, sale(1_000, { transaction_date: '2056-02-01' }))
    expect(answer.body['errors']).toMatchObject([{ path: 'transaction_date' }])
    const ahead = new Date(Date.now() + 300 * 86_400_000).toISOString()
    expect((await create(key, sale(1_000, { transaction_date: ahead }))).status).toBe(201)
  })
})

describe('a VAT id that the authority called invalid', () => {
  const business = {
    customer: { address: { country: 'IE' }, vat_id: 'IE6388047V', type: 'business' },
    vat_proof: { valid: false, checked_at: '2026-01-31' },
  }

  it('frees no sale (282/2011 art. 18)', async () => {
    const free = await create(key, sale(1_000, { ...business, vat_proof: undefined }))
    expect(free.body).toMatchObject({ reverse_charge: true, tax_amount: 0 })
    const answer = await create(key, sale(1_000, business))
    expect(answer.body).toMatchObject({ reverse_charge: false, tax_amount: 230, vat_proof: { valid: false } })
  })

  it('is not called validated in the same request', async () => {
    const customer = { ...business.customer, vat_id_validated: true }
    const answer = await create(key, sale(1_000, { ...business, customer }))
    expect(answer.body['errors']).toMatchObject([{ path: 'vat_proof.valid' }])
  })
})
