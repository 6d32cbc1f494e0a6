import type { WholeDb } from '../../src/platform/database/databases.ts'
import { storePublishedRates } from '../../src/tax-data/records/published-rates-store.ts'
import { countTransactions } from '../../src/sales/transactions/sums/counts-store.ts'
import { addSalesToTotals } from '../../src/sales/transactions/sums/totals-store.ts'

const CHUNK = 5_000
const DAYS = 365
const FIRST_DAY = '2025-11-21'

// Sixty places, like those of a shop that sells in Europe, North America and, in US dollars, in Australia.
const PLACES = [
  ...'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'
    .split(' ')
    .map((id) => [id, id, 'EUR', 200_000]),
  ...'AZ AR CA CO CT FL GA IL IN IA KS KY LA ME MD MA MI MN MO NC NJ NY OH TX UT VA WA'
    .split(' ')
    .map((state) => [`US-${state}`, 'US', 'USD', 60_000]),
  ...'BC ON QC MB NS'.split(' ').map((province) => [`CA-${province}`, 'CA', 'CAD', 130_000]),
  ['AU', 'AU', 'USD', 100_000],
]
const STATES = PLACES.flatMap(([id]) => (String(id).startsWith('US-') ? [id] : []))
const PRODUCTS = ['saas', 'physical_goods', 'books', 'ebooks', 'clothing']

/**
 * Fills an account with sales spread evenly over a year, 60 jurisdictions and 5 products, with their totals,
 * and exemptions in 27 states. Deterministic.
 */
export async function generateSales(
  db: WholeDb,
  account_id: string,
  count: number,
  progress: (done: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += CHUNK) {
    const to = Math.min(from + CHUNK, count)
    const rows = numbers(from, to)
    const ids = JSON.stringify(
      Array.from({ length: to - from }, (_, index) => idOf(account_id, from + index)),
    )
    await db.batch([
      db.prepare(`${rows} ${INSERT_CUSTOMERS}`).bind(account_id, account_id.slice(-6), FIRST_DAY),
      db
        .prepare(`${rows} ${INSERT_EXEMPTIONS}`)
        .bind(account_id, account_id.slice(-6), JSON.stringify(STATES), FIRST_DAY),
      db
        .prepare(`${rows} ${INSERT_SALES}`)
        .bind(account_id, account_id.slice(-6), JSON.stringify(PLACES), FIRST_DAY),
      db
        .prepare(`${rows} ${INSERT_LINES}`)
        .bind(account_id, account_id.slice(-6), JSON.stringify(PLACES), JSON.stringify(PRODUCTS)),
      addSalesToTotals(db, account_id, JSON.parse(ids)),
      countTransactions(
        db,
        account_id,
        Array.from({ length: to - from }, (_, index) => countOf(from + index)),
      ),
    ])
    progress(to)
  }
}

/** The id of the customer of the first sales. */
export function firstCustomer(account_id: string): string {
  return `cust_${account_id.slice(-6)}${'0'.repeat(20)}`
}

/** A rate of the European Central Bank for each day of the sales. */
export async function generateRates(db: WholeDb): Promise<void> {
  const days = Array.from({ length: DAYS }, (_, index) => ({
    day: new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10),
    rates: { USD: 1_100_000 + index, AUD: 1_700_000 + 3 * index },
    document_hash: 'generated',
  }))
  await db.batch(storePublishedRates(db, 'ecb', days, new Date()))
}

function numbers(from: number, to: number): string {
  return `WITH RECURSIVE n (i) AS (VALUES (${from}) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`
}

function idOf(account_id: string, index: number): string {
  return `txn_${account_id.slice(-6)}${String(index).padStart(20, '0')}`
}

function countOf(index: number) {
  const day = new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + (index % DAYS) * 86_400_000)
    .toISOString()
    .slice(0, 10)
  return { day, jurisdiction_id: String(PLACES[index % PLACES.length]?.[0]), status: 'completed', change: 1 }
}

const PLACE = `json_extract(?3, '$[' || (i % ${PLACES.length}) || ']')`
const AMOUNT = '(1000 + i % 9000)'
const TAX = `(${AMOUNT} * (${PLACE} ->> 3) / 1000000)`

const DAY = `date(?4, '+' || (i % ${DAYS}) || ' days')`
const TIME = `printf('%02d:%02d:%02d.000Z', i % 24, i % 60, i % 59)`

/** Twenty sales in turn have one customer. */
const CUSTOMER = `'cust_' || ?2 || printf('%020d', i / 20)`

/** One customer of five hundred is found by the second word of its name. */
const INSERT_CUSTOMERS = `INSERT INTO customers
    (account_id, id, name, email, metadata, created_at, updated_at)
  SELECT ?1, ${CUSTOMER},
    format('%s %s %d', 'Kees', iif(i / 20 % 500 = 7, 'Jansen', 'de Vries'), i),
    format('buyer%d@shop%d.example', i, i % 977), '{}', ?3, ?3
  FROM n WHERE i % 20 = 0`

/**
 * An exemption for each five sales: of ten, one waits for a review, one is rejected, two have expired, one
 * begins later, two have no end, and the others end on one of 365 days.
 */
const INSERT_EXEMPTIONS = `INSERT INTO exemptions
    (account_id, id, customer_id, jurisdiction_id, exemption_type, certificate_number, valid_from, valid_to,
    status, ended_on, created_at, updated_at)
  SELECT ?1, 'exm_' || ?2 || printf('%020d', i), ${CUSTOMER},
    json_extract(?3, '$[' || (k % ${STATES.length}) || ']'), 'resale', 'CERT-' || i,
    iif(k % 10 = 4, '2099-01-01', ?4), ends, status, iif(status = 'expired', ends, NULL), ?4, ?4
  FROM (SELECT i, k,
    CASE k % 10 WHEN 0 THEN 'pending' WHEN 1 THEN 'rejected' WHEN 2 THEN 'expired' WHEN 3 THEN 'expired'
      ELSE 'verified' END AS status,
    iif(k % 10 < 4, date(?4, '+' || (k % 300) || ' days'),
      iif(k % 10 < 7, NULL, date('2099-01-01', '+' || (k % ${DAYS}) || ' days'))) AS ends
    FROM (SELECT i, i / 5 AS k FROM n WHERE i % 5 = 0))`

const INSERT_SALES = `INSERT INTO transactions (account_id, id, external_id,
    customer_country, customer_postal_code, currency, subtotal, tax_amount, total,
    tax_rate, tax_source, jurisdiction_id, seller_registered, reverse_charge, customer_id, facts,
    status, day, transaction_date, completed_at, created_at, updated_at)
  SELECT ?1, 'txn_' || ?2 || printf('%020d', i), 'order-' || i,
    ${PLACE} ->> 1, '10115', ${PLACE} ->> 2, ${AMOUNT}, ${TAX}, ${AMOUNT} + ${TAX},
    ${PLACE} ->> 3, 'calculated', ${PLACE} ->> 0, 1, 0, ${CUSTOMER},
    format('{"invoice_number":"RE-%d"}', i),
    'completed', substr(at, 1, 10), at, at, at, at
  FROM (SELECT i, ${DAY} || 'T' || ${TIME} AS at FROM n)`

const INSERT_LINES = `INSERT INTO transaction_lines (account_id, transaction_id, position, id,
    amount, quantity, product_type, taxable,
    net_amount, taxable_amount, uncollected_amount, tax_rate, tax_amount,
    provincial_tax_amount, place_of_supply, scheme, tax_breakdown, opens_product)
  SELECT ?1, 'txn_' || ?2 || printf('%020d', i), 0, 'li_' || ?2 || printf('%020d', i),
    ${AMOUNT}, 1, json_extract(?4, '$[' || (i / 7 % ${PRODUCTS.length}) || ']'), 1,
    ${AMOUNT}, ${AMOUNT}, 0, ${PLACE} ->> 3, ${TAX},
    0, ${PLACE} ->> 0, iif(${PLACE} ->> 2 = 'EUR' AND ${PLACE} ->> 0 <> 'DE', 'oss_union', ''), '[]', 1
  FROM n`
