import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../migrations')

const SALE = `
  INSERT INTO transactions (id, account_id, customer_country, customer_region, currency, subtotal, tax_amount,
  total, tax_rate, tax_source, jurisdiction_id, seller_registered, reverse_charge, status, transaction_date,
  created_at, updated_at)
  VALUES (?, 'acct_1', ?, ?, 'EUR', 1000, 0,
  1000, 0, 'calculated', ?, 1, 0, ?, '2026-03-05T00:00:00.000Z', '', '')`
const LINE = `
  INSERT INTO transaction_lines (transaction_id, position, id, account_id, amount, quantity, product_type,
  taxable, net_amount, taxable_amount, uncollected_amount, tax_rate, tax_amount, provincial_tax_amount,
  taxability_reason, place_of_supply, scheme, tax_breakdown, opens_product)
  VALUES (?1, 0, ?1, 'acct_1', 1000, 1, 'physical_goods', 1, 1000, 0, 0, 0, 0, 0, ?2, 'DE', '', '[]', 1)`
const REFUND = `
  INSERT INTO refunds (id, account_id, transaction_id, amount, tax_amount, reason, parts, refunded_at)
  VALUES ('rfd_1', 'acct_1', 'txn_exported', 400, 0, '', ?, '2026-04-01T00:00:00.000Z')`
const PART = {
  place_of_supply: 'DE',
  scheme: '',
  product_type: 'physical_goods',
  tax_rate: 0,
  reason: 'export',
  opens_product: 1,
}

it('gives recorded exports the place that they went to, and makes the totals anew', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const apply = (file: string) => db.exec(readFileSync(join(FOLDER, file), 'utf8'))
  files.filter((file) => file < '0004').forEach(apply)
  const sell = (
    id: string,
    country: string,
    region: string | null,
    status: string,
    reason: string | null,
  ) => {
    db.prepare(SALE).run(id, country, region, 'DE', status)
    db.prepare(LINE).run(id, reason)
  }
  sell('txn_home', 'DE', null, 'completed', null)
  sell('txn_exported', 'US', 'TX', 'refunded', 'export')
  sell('txn_pending', 'CH', null, 'pending', 'export')
  const amounts = { net_amount: 400, taxable_amount: 0, tax_amount: 0, provincial_tax_amount: 0 }
  db.prepare(REFUND).run(JSON.stringify([{ ...PART, ...amounts }]))

  apply('0004_exports.sql')

  expect(db.prepare('SELECT id, exported_to FROM transactions ORDER BY id').all()).toEqual([
    { id: 'txn_exported', exported_to: 'US-TX' },
    { id: 'txn_home', exported_to: '' },
    { id: 'txn_pending', exported_to: 'CH' },
  ])
  const rows = db.prepare(
    `SELECT period, reason, exported_to, transactions, net_amount, refunds, refunded_net_amount
     FROM tax_totals ORDER BY period, exported_to`,
  )
  const none = { transactions: 0, net_amount: 0, refunds: 0, refunded_net_amount: 0 }
  const sold = { ...none, transactions: 1, net_amount: 1000 }
  const refunded = { ...none, refunds: 1, refunded_net_amount: 400 }
  const exported = { reason: 'export', exported_to: 'US-TX' }
  const home = { reason: '', exported_to: '' }
  expect(rows.all()).toEqual([
    { period: '2026-03', ...home, ...sold },
    { period: '2026-03', ...exported, ...sold },
    { period: '2026-03-05', ...home, ...sold },
    { period: '2026-03-05', ...exported, ...sold },
    { period: '2026-04', ...exported, ...refunded },
    { period: '2026-04-01', ...exported, ...refunded },
  ])
})
