import { exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { customerStatements } from '../../../../src/parties/customers/search-store.ts'
import { listStatement, sumsStatements } from '../../../../src/sales/transactions/read/list-store.ts'
import {
  makeSearchable,
  makeStragglersSearchable,
} from '../../../../src/sales/transactions/read/searchable-store.ts'
import { saleStatements } from '../../../../src/sales/transactions/read/search-store.ts'
import type { TransactionFilter } from '../../../../src/sales/transactions/sale/schemas.ts'
import { unchecked } from '../../../../src/platform/database/databases.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { amountsNamed } from '../../../../src/sales/transactions/read/amounts-named.ts'
import { created, GIVEN } from '../sales.ts'

const { books: database } = keepAccountsIn(1)

await loadTestData()

const { customer: _, ...SALE } = GIVEN

/** The job of the tick that comes after the sales of now. */
const tick = () => makeSearchable(database, new Date(Date.now() + 60_000))

async function books() {
  const { key } = await newAccount()
  const person = { name: 'Mara Österreich', email: 'Mara@Example.com', address: { country: 'DE' } }
  const customer_id = String((await call('POST', '/v1/customers', { key, body: person })).body['id'])
  const named = await created(key, {
    ...SALE,
    customer_id,
    external_id: 'Order-1001',
    invoice_number: 'RE-2026-10435',
  })
  const other = await created(key, {
    ...GIVEN,
    external_id: 'order-2002',
    line_items: [{ amount: 13_923, product_type: 'saas', tax_amount: 0 }],
  })
  const find = async (query: string) => {
    const { status, body, text } = await call('GET', `/v1/transactions?${query}`, { key })
    expect(status, text).toBe(200)
    return (body['transactions'] as { id: string }[]).map(({ id }) => id)
  }
  await tick()
  return { key, customer_id, named, other, find }
}

it('finds a sale by what a person holds, in any case', async () => {
  const { named, other, find } = await books()
  for (const q of ['order-1', 'ORDER-1001', 're-2026-1', 'mara', 'MARA@example', '119', '119.00', '€119,00'])
    expect(await find(`q=${encodeURIComponent(q)}`), q).toEqual([named])
  for (const q of ['139.23', '139,23', '13923']) expect(await find(`q=${q}`), q).toEqual([other])
  expect(await find('q=order')).toEqual([other, named])
  expect(await find('q=nothing')).toEqual([])
  expect(await find('q=%25')).toEqual([])
  expect(await find('q=order&status=pending')).toEqual([])
})

it('pages through what it found, and says whether that is all', async () => {
  const { key, other, named } = await books()
  const first = await call('GET', '/v1/transactions?q=order&limit=1', { key })
  expect(first.body).toMatchObject({ total: null, search_complete: true, has_more: true })
  const cursor = String(first.body['next_cursor'])
  const second = await call('GET', `/v1/transactions?q=order&limit=1&cursor=${cursor}`, { key })
  const ids = [first, second].flatMap(({ body }) => (body['transactions'] as { id: string }[])[0]?.id ?? '')
  expect(ids).toEqual([other, named])
  expect(second.body['has_more']).toBe(false)
})

it('finds an erased customer no more, and nothing of another account', async () => {
  const { key, customer_id, find } = await books()
  expect((await call('DELETE', `/v1/customers/${customer_id}`, { key })).status).toBe(200)
  expect(await find('q=mara')).toEqual([])
  const { key: stranger } = await newAccount()
  expect((await call('GET', '/v1/transactions?q=order', { key: stranger })).body['transactions']).toEqual([])
})

describe('a sale since the last tick', () => {
  const NEW = { ...GIVEN, external_id: 'New-7001', invoice_number: 'INV-8002' }
  const LATER = ['NEW-70', '7001', 'inv-8', '8002', 'DE136695976', '136695976']
  const sold = async () => {
    const { key } = await newAccount()
    const customer = { ...GIVEN.customer, vat_id: 'DE136695976' }
    const sale = await created(key, { ...NEW, customer })
    return { key, sale, find: async (q: string) => (await findSales(key, q)).ids }
  }

  it('is found at once by all that it is found by later', async () => {
    const { key, sale, find } = await sold()
    for (const q of [sale, 'New-7001', 'New-', '119.00', ...LATER]) expect(await find(q), q).toEqual([sale])
    for (const q of ['001', 'V-8', 'FR136695976']) expect(await find(q), q).toEqual([])
    await tick()
    for (const q of LATER) expect(await find(q), q).toEqual([sale])
    const { key: stranger } = await newAccount()
    for (const q of LATER) expect((await findSales(stranger, q)).ids, q).toEqual([])
    const customer_id = await customerOf(key, { name: 'Ada' })
    const named = await created(key, { ...SALE, customer_id })
    expect(await find('ada')).toEqual([named])
  })

  it('is in lists, sums and reports beside those that the tick has seen', async () => {
    const { key } = await newAccount()
    for (const invoice_number of ['INV-77', 'INV-78']) {
      await created(key, { ...GIVEN, invoice_number })
      if (invoice_number === 'INV-77') await tick()
    }
    const { body } = await call('GET', '/v1/transactions?q=INV-7&sums=true', { key })
    expect(body).toMatchObject({ search_complete: true, sums: [{ transactions: 2 }] })
    const report = await call('GET', '/v1/reports/transactions?q=INV-7', { key })
    expect(report.text).toContain('INV-77')
    expect(report.text).toContain('INV-78')
  })

  it('makes a search say that it is not whole if there are too many to read', async () => {
    const { key, account_id } = await newAccount()
    await unchecked(database)
      .prepare(
        `WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < 10001)
         INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at)
         SELECT 'aud_z' || n, ?1, '', '', '', '[]', '', '' FROM each`,
      )
      .bind(account_id)
      .run()
    expect(await findSales(key, 'INV-9')).toEqual({ ids: [], complete: false })
    expect((await call('GET', '/v1/reports/transactions?q=INV-9', { key })).status).toBe(400)
  })

  it('is not skipped after a tick with a clock ahead', async () => {
    await makeSearchable(database, new Date(Date.now() + 86_400_000))
    const { sale } = await sold()
    await tick()
    expect(await isSearchable(sale)).toBe(1)
  })

  it('is found once if two runs come at once, and is not written again', async () => {
    const { sale, find } = await sold()
    await Promise.all([tick(), tick()])
    for (const q of LATER) expect(await find(q), q).toEqual([sale])
    const changed = vi.spyOn(Object.getPrototypeOf(database.prepare('SELECT 1')), 'run')
    await tick()
    const [added] = await Promise.all(changed.mock.results.map(({ value }) => value as Promise<D1Result>))
    changed.mockRestore()
    expect(added?.meta.rows_written).toBe(0)
  })

  it('waits while the books move, and is found the night after', async () => {
    const { sale, find } = await sold()
    const home = (value: string) =>
      unchecked(database)
        .prepare(
          'UPDATE accounts SET home = ?1 WHERE id = (SELECT account_id FROM transactions WHERE id = ?2)',
        )
        .bind(value, sale)
        .run()
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    await home('closing')
    await tick()
    expect(await isSearchable(sale)).toBe(0)
    await home('open')
    // A month later, and the cursor has passed the sale.
    await makeStragglersSearchable(database, hours(30 * 24))
    expect(await isSearchable(sale)).toBe(1)
    for (const q of LATER) expect(await find(q), q).toEqual([sale])
    await database.prepare("DELETE FROM job_cursors WHERE name = 'searchable_sales'").run()
  })

  it('leaves the search with its row: a replaced sale is not found by what it was called', async () => {
    const { key, sale, find } = await sold()
    await tick()
    expect(await find('7001')).toEqual([sale])
    await database.prepare('UPDATE transactions SET external_id = NULL WHERE id = ?').bind(sale).run()
    for (const q of ['NEW-70', '7001', 'New-7001']) expect(await find(q), q).toEqual([])
    await database
      .prepare("UPDATE transactions SET customer_vat_id = NULL, facts = '{}' WHERE id = ?")
      .bind(sale)
      .run()
    for (const q of LATER) expect(await find(q), q).toEqual([])
    expect((await findSales(key, sale)).ids).toEqual([sale])
  })
})

it('filters sales without tax, and by reason', async () => {
  const { key, other, named, find } = await books()
  expect(await find('no_tax=true')).toEqual([other])
  const exempt = await created(key, {
    customer: { address: { country: 'DE' } },
    currency: 'EUR',
    line_items: [{ amount: 100, product_type: 'saas', taxable: false }],
  })
  expect(await find('reason=product_exempt')).toEqual([exempt])
  expect(await find('no_tax=true&q=order')).toEqual([other])
  expect(await find('q=order-1&reason=export')).toEqual([])
  expect(named).not.toBe(other)
})

it('reads amounts as people write them', () => {
  const totals = (q: string) => amountsNamed(q).map(({ total }) => total)
  expect(totals('1.234,50')).toContain(123_450)
  expect(totals('1,234.50')).toContain(123_450)
  expect(totals('€5')).toContain(500)
  expect(totals('5.913,38 €')).toContain(591_338)
  const dinars = (q: string) =>
    amountsNamed(q).flatMap(({ total, currencies }) => (currencies?.includes('KWD') ? [total] : []))
  expect(dinars('KWD 1,470.740')).toContain(1_470_740)
  expect(dinars('12.500')).toContain(12_500)
  expect(totals('RE-2026')).toEqual([])
  expect(totals('2026-10435')).toEqual([])
})

it('finds a customer by any word of the name and by the domain, and a number by its last digits', async () => {
  const { key, named, find, customer_id } = await books()
  for (const q of ['österr', 'Österreich', 'ÖSTERREICH', 'example.com', '10435', '1001'])
    expect(await find(`q=${encodeURIComponent(q)}`), q).toEqual([named])
  expect(await find(`q=${named}`)).toEqual([named])
  for (const q of ['reich', 'xample', '0435']) expect(await find(`q=${encodeURIComponent(q)}`), q).toEqual([])
  const person = { name: 'van der Berg en Zonen', external_id: 'crm-7', address: { country: 'NL' } }
  const berg = String((await call('POST', '/v1/customers', { key, body: person })).body['id'])
  const customers = async (q: string) => {
    const { body, text } = await call('GET', `/v1/customers?q=${encodeURIComponent(q)}`, { key })
    expect(body['search_complete'], text).toBe(true)
    expect(body['total']).toBe((body['customers'] as unknown[]).length)
    return (body['customers'] as { id: string }[]).map(({ id }) => id)
  }
  for (const q of ['van', 'der', 'berg', 'EN ZON', 'crm-7', berg])
    expect(await customers(q), q).toEqual([berg])
  for (const q of ['mara', 'öster', 'mara@', 'example']) expect(await customers(q), q).toEqual([customer_id])
  for (const q of ['%', '*', 'erg', "'"]) expect(await customers(q), q).toEqual([])
  const { key: stranger } = await newAccount()
  const answer = await call('GET', '/v1/customers?q=mara', { key: stranger })
  expect(answer.body).toMatchObject({ customers: [], total: 0 })
})

it('finds a name with and without its accents', async () => {
  const { key } = await newAccount()
  const sell = async (name: string) => {
    const customer_id = await customerOf(key, { name })
    return created(key, { ...SALE, customer_id, external_id: `sale-${customer_id}` })
  }
  const accented = await sell('Łódź Müller Søren Straße')
  const plain = await sell('Lodz Muller')
  const greek = await sell('Όμηρος Παπαδόπουλος')
  for (const q of ['müller', 'MULLER', 'MÜLLER', 'Mu\u0308ller', 'lodz mull', 'ŁÓDŹ'])
    expect((await findSales(key, q)).ids, q).toEqual([plain, accented])
  for (const q of ['soren', 'Søren', 'strasse', 'STRASSE', 'Straße'])
    expect((await findSales(key, q)).ids, q).toEqual([accented])
  for (const q of ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'ομηρος', 'Όμηρ'])
    expect((await findSales(key, q)).ids, q).toEqual([greek])
})

it('follows a changed name', async () => {
  const { key } = await newAccount()
  const customer_id = await customerOf(key, { name: 'Jürgen' })
  const sale = await created(key, { ...SALE, customer_id })
  expect((await findSales(key, 'jurgen')).ids).toEqual([sale])
  await call('PUT', `/v1/customers/${customer_id}`, { key, body: { name: 'Zoë' } })
  expect((await findSales(key, 'jurgen')).ids).toEqual([])
  expect((await findSales(key, 'zoe')).ids).toEqual([sale])
})

it('finds a name by each word, however many it has', async () => {
  const { key } = await newAccount()
  const name = 'Gesellschaft für die Prüfung alter Öfen und Kessel mbH & Co. KG'
  const customer_id = await customerOf(key, { name })
  const sale = await created(key, { ...SALE, customer_id })
  for (const q of ['ofen', 'kessel mbh', 'KG'])
    expect(await findSales(key, q), q).toEqual({ ids: [sale], complete: true })
  expect(await findSales(key, 'essel')).toEqual({ ids: [], complete: true })
})

it('says that it is not complete if it looked at only some of the long names', async () => {
  const { key, account_id } = await newAccount()
  await insertCustomers(account_id, 10_001, 'One two three four five six')
  expect(await findSales(key, 'seven')).toEqual({ ids: [], complete: false })
})

it('finds the sale of the last of many customers with one name', async () => {
  const { key, account_id } = await newAccount()
  await insertCustomers(account_id, 60, 'Common')
  const customer_id = await customerOf(key, { name: 'Common' })
  const sale = await created(key, { ...SALE, customer_id })
  expect(await findSales(key, 'common')).toEqual({ ids: [sale], complete: true })
  await insertCustomers(account_id, 441, 'Common')
  expect((await findSales(key, 'common')).complete).toBe(false)
})

it('finds a VAT id, of the sale or of the customer, however it is written', async () => {
  const { key } = await newAccount()
  const vat_id = 'ATU 1358.5627'
  const customer_id = await customerOf(key, { name: 'Ada', vat_id })
  const known = await created(key, { ...SALE, customer_id })
  const given = await created(key, { ...GIVEN, customer: { ...GIVEN.customer, vat_id: 'DE-136 695 976' } })
  const bare = await created(key, { ...GIVEN, customer: { ...GIVEN.customer, vat_id: '136695977' } })
  await tick()
  for (const q of [vat_id, 'ATU13585627', 'atu 1358', '13585627'])
    expect(await findSales(key, q), q).toEqual({ ids: [known], complete: true })
  for (const q of ['DE136695976', '136695976', '136 695 976', '136.695.976'])
    expect((await findSales(key, q)).ids, q).toEqual([given])
  for (const q of ['DE 136695977', '136695977']) expect((await findSales(key, q)).ids, q).toEqual([bare])
  expect((await findSales(key, 'DE13669597')).ids).toEqual([bare, given])
  for (const q of ['FR136695976', '36695976', 'DE']) expect((await findSales(key, q)).ids, q).toEqual([])
  expect((await findSales(key, `${'A'.repeat(90)}1234`)).ids).toEqual([])
  const { body } = await call('GET', '/v1/customers?q=ATU13585627', { key })
  expect(body).toMatchObject({ customers: [{ id: customer_id }], search_complete: true })
})

function isSearchable(sale: string): Promise<number | null> {
  return database
    .prepare('SELECT searchable FROM transactions WHERE id = ?')
    .bind(sale)
    .first<number>('searchable')
}

async function customerOf(key: string, person: object): Promise<string> {
  const body = { address: { country: 'DE' }, ...person }
  return String((await call('POST', '/v1/customers', { key, body })).body['id'])
}

async function findSales(key: string, q: string): Promise<{ ids: string[]; complete: unknown }> {
  const { body, status, text } = await call('GET', `/v1/transactions?q=${encodeURIComponent(q)}`, { key })
  expect(status, text).toBe(200)
  const ids = (body['transactions'] as { id: string }[]).map(({ id }) => id)
  return { ids, complete: body['search_complete'] }
}

/** Customers without a sale, earlier in the index than those that the API makes. */
async function insertCustomers(account_id: string, count: number, name: string): Promise<void> {
  await unchecked(database)
    .prepare(
      `WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ?3)
       INSERT INTO customers (id, account_id, name, metadata, created_at, updated_at)
       SELECT 'cust_' || hex(randomblob(13)), ?1, ?2, '{}', '', '' FROM each`,
    )
    .bind(account_id, name, count)
    .run()
}

it('shows the name of the customer in the list, and never after the erasure', async () => {
  const { key, customer_id, named } = await books()
  const names = async () => {
    const { body } = await call('GET', '/v1/transactions', { key })
    const rows = body['transactions'] as { id: string; customer_name: string | null }[]
    return Object.fromEntries(rows.map(({ id, customer_name }) => [id, customer_name]))
  }
  expect(await names()).toMatchObject({ [named]: 'Mara Österreich' })
  await call('DELETE', `/v1/customers/${customer_id}`, { key })
  expect(await names()).toMatchObject({ [named]: null })
})

describe('the order of a list', () => {
  async function sales() {
    const { key } = await newAccount()
    const ids = new Map<string, string>()
    for (const [name, amount, currency, day, status] of [
      ['a', 300, 'EUR', '03', 'completed'],
      ['b', 100, 'EUR', '01', 'completed'],
      ['c', 200, 'USD', '04', 'completed'],
      ['d', 100, 'EUR', '02', 'pending'],
    ] as const) {
      const line = { amount, product_type: 'saas', tax_amount: 10, tax_rate: 0.1 }
      const of = { ...GIVEN, currency, transaction_date: `2026-03-${day}`, status, line_items: [line] }
      ids.set(await created(key, of), name)
    }
    const pages = async (query: string) => {
      const found: string[] = []
      for (let cursor = ''; ;) {
        const { body, status, text } = await call('GET', `/v1/transactions?${query}${cursor}`, { key })
        expect(status, text).toBe(200)
        found.push(...(body['transactions'] as { id: string }[]).map(({ id }) => ids.get(id) ?? ''))
        if (body['next_cursor'] === null) return found.join('')
        cursor = `&cursor=${encodeURIComponent(z.string().parse(body['next_cursor']))}`
      }
    }
    return { key, pages }
  }

  it('is by date or by amount, the same over pages and with filters', async () => {
    const { key, pages } = await sales()
    for (const limit of [1, 2, 50]) {
      expect(await pages(`limit=${limit}`)).toBe('cadb')
      expect(await pages(`limit=${limit}&sort=oldest`)).toBe('bdac')
      expect(await pages(`limit=${limit}&sort=largest&currency=EUR&status=completed`)).toBe('ab')
      expect(await pages(`limit=${limit}&sort=largest&from_date=2026-03-03`)).toBe('ca')
      expect(await pages(`limit=${limit}&sort=oldest&status=completed`)).toBe('bac')
      expect((await pages(`limit=${limit}&sort=smallest`)).slice(2)).toBe('ac')
      expect((await pages(`limit=${limit}&sort=largest`)).slice(0, 2)).toBe('ca')
    }
    const { body } = await call('GET', '/v1/transactions?limit=1', { key })
    for (const query of [`sort=largest&cursor=${String(body['next_cursor'])}`, 'sort=largest&offset=1'])
      expect((await call('GET', `/v1/transactions?${query}`, { key })).status).toBe(400)
  })

  it('has sums of all pages by currency, of what counts', async () => {
    const { key } = await sales()
    const sums = async (query: string) =>
      (await call('GET', `/v1/transactions?sums=true&limit=1&${query}`, { key })).body['sums']
    const eur = { currency: 'EUR', transactions: 2, subtotal: 400, tax_amount: 20, total: 420 }
    const usd = { currency: 'USD', transactions: 1, subtotal: 200, tax_amount: 10, total: 210 }
    expect(await sums('')).toMatchObject([eur, usd])
    expect(await sums('sort=largest')).toMatchObject([eur, usd])
    expect(await sums('currency=USD')).toMatchObject([usd])
    expect(await sums('q=3.10')).toMatchObject([{ currency: 'EUR', transactions: 1, total: 310 }])
    expect(await sums('status=pending')).toMatchObject([{ currency: 'EUR', transactions: 1, total: 110 }])
    expect(await sums('no_tax=true')).toEqual([])
    expect((await call('GET', '/v1/transactions', { key })).body).not.toHaveProperty('sums')
  })
})

it('exports what a search finds, with invoice number, name and decimal amounts', async () => {
  const { key } = await books()
  const csv = async (query: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    const url = `https://service.test/v1/reports/export?report=transactions&${query}`
    const answer = await exports.default.fetch(url, { headers })
    expect(answer.status).toBe(200)
    return (await answer.text()).trim().split('\r\n')
  }
  const [head = '', ...rows] = await csv('q=re-2026')
  expect(head).toMatch(
    /invoice_number,customer_name,subtotal_decimal,tax_decimal,total_decimal,transaction_day,taxable_decimal,amount_refunded_decimal,tax_refunded_decimal,of_other_seller$/,
  )
  expect(rows).toEqual([
    expect.stringMatching(/RE-2026-10435,Mara Österreich,100,19,119,\d{4}-\d\d-\d\d,100,0,0,false$/),
  ])
  expect(await csv('no_tax=true')).toHaveLength(2)
  expect(await csv('reason=export')).toHaveLength(1)
})

it('exports the day of a sale in the time zone of the account, as the list has it', async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'Europe/Berlin' } })
  await created(key, {
    customer: { address: { country: 'DE' } },
    currency: 'EUR',
    transaction_date: '2026-10-01',
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  })
  const headers = { Authorization: `Bearer ${key}` }
  const url = 'https://service.test/v1/reports/export?report=transactions'
  const text = await (await exports.default.fetch(url, { headers })).text()
  expect(text).toContain('2026-09-30T22:00:00.000Z')
  expect(text.trim()).toMatch(/,2026-10-01,100,0,0,false$/)
})

describe('no statement of a search reads a whole table', () => {
  const planOf = async (sql: string, values: readonly unknown[]) => {
    const found = await unchecked(database)
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...values)
      .all<{ detail: string }>()
    return found.results.map(({ detail }) => detail)
  }
  const account = { account_id: 'acc_1', time_zone: 'UTC' }

  it.each(['mara', '10435', 'Österreich', '139,23'])('for sales and customers: %s', async (q) => {
    const statements = [...saleStatements('acc_1', q), ...customerStatements('acc_1', q)]
    expect(statements.length).toBeGreaterThan(12)
    for (const { sql, values } of statements) {
      const plan = await planOf(sql, values)
      expect(
        plan.filter((step) => step.startsWith('SCAN') && !/json_each|amount|subquery|sold_in|ROW/.test(step)),
        sql,
      ).toEqual([])
      expect(plan.join('; '), sql).toMatch(
        /SEARCH (transactions|customers|audit_events) USING (COVERING )?INDEX/,
      )
    }
  })

  it.each<[TransactionFilter & { ids?: string[] }, RegExp]>([
    [{ sort: 'oldest' }, /USING INDEX transactions_by_date/],
    [{ sort: 'largest' }, /USING INDEX transactions_by_amount/],
    [{ sort: 'smallest', currency: 'EUR' }, /USING INDEX transactions_by_amount/],
    [{ sort: 'largest', status: 'completed', from_date: '2026-01-01' }, /USING INDEX transactions_by_amount/],
    [{ ids: ['txn_1'] }, /SEARCH transactions USING INDEX sqlite_autoindex_transactions_1/],
    [{ ids: ['txn_1'], sort: 'largest' }, /SEARCH transactions USING INDEX sqlite_autoindex_transactions_1/],
  ])('for the list %o', async (filter, expected) => {
    const { sql, values } = listStatement(account, filter)
    const plan = (await planOf(sql, [...values, 10, 0])).join('; ')
    expect(plan).toMatch(expected)
    expect(plan).not.toMatch(/SCAN transactions/)
    if (filter.ids === undefined) expect(plan).not.toContain('TEMP B-TREE')
    const { read, sums, scanned } = sumsStatements(account, filter)
    for (const [statement, bound] of [
      [read, values],
      [sums, [...values, ...scanned]],
    ] as const)
      expect(
        (await planOf(statement, bound.slice(0, statement.split('?').length - 1))).join('; '),
      ).not.toMatch(/SCAN transactions/)
  })
})
