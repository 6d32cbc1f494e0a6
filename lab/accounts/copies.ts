import { unchecked, type WholeDb } from '../../src/platform/database/databases.ts'
import { readTables, type TableOfBackup } from '../../src/service/backups/backup-store.ts'

/** Asks the service, and throws if it refuses. */
type Ask = (method: string, path: string, body: object) => Promise<Record<string, unknown>>

const SELLER = { country: 'DE', time_zone: 'Europe/Berlin' }
const REGISTRATIONS = [
  { jurisdiction_id: 'DE', valid_from: '2020-01-01', filing_frequency: 'monthly' },
  { jurisdiction_id: 'US-TX', valid_from: '2020-01-01', filing_frequency: 'monthly' },
]
const CERTIFICATE = { jurisdiction_id: 'US-TX', exemption_type: 'resale', certificate_number: 'C-1' }

/** Fills an account with the books of a small seller: sales, a refund, a customer, and a filed return. */
export async function fillFirst(ask: Ask, now: Date): Promise<void> {
  await ask('PUT', '/v1/account', SELLER)
  for (const registration of REGISTRATIONS) await ask('POST', '/v1/registrations', registration)
  const customer = await ask('POST', '/v1/customers', { name: 'Ada Lovelace', address: { country: 'DE' } })
  const valid = { valid_from: '2020-01-01', valid_to: daysFrom(now, 40) }
  await ask('POST', `/v1/customers/${String(customer['id'])}/exemptions`, { ...CERTIFICATE, ...valid })
  const month = `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 5)).toISOString()}`
  for (const [index, place] of [{ country: 'DE' }, { country: 'FR' }, { country: 'DE' }].entries())
    await ask('POST', '/v1/transactions', {
      external_id: `order-${index}`,
      currency: 'EUR',
      transaction_date: month,
      customer: { address: place },
      line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
    })
  const { id } = await ask('GET', '/v1/transactions/external/order-0', {})
  await ask('POST', `/v1/transactions/${String(id)}/refund`, { amount: 500, reason: 'partial' })
  await ask('POST', '/v1/returns', { type: 'generic', period: month.slice(0, 7) })
}

function daysFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

/** Returns of an account: a year of months. */
const RETURNS = 12
/** Tables of copies that the jobs make. */
const NOT_COPIED = new Set(['audit_seals', 'return_checks', 'message_settings'])
/** Characters at the end of an id that a copy replaces: the digits of its account, and two of its own. */
const DIGITS = 8

/**
 * Copies an account, with all its rows, as the accounts of some numbers. Its ids keep their begin, with their
 * time. The returns become those of a year, most of them checked in the quarter before `now`. So they have
 * other hashes than the account that was copied: a check finds that, after it has read all that it must.
 */
export async function copyAccount(
  db: WholeDb,
  account_id: string,
  { from, to, now }: { from: number; to: number; now: Date },
): Promise<void> {
  const numbers = `WITH RECURSIVE n (i) AS
    (VALUES (${from}) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`
  const tables = (await readTables(db)).filter(({ name }) => !NOT_COPIED.has(name))
  const ordered = [...tables.filter(isAccounts), ...tables.filter((table) => !isAccounts(table))]
  const own = { id: account_id, at: now.toISOString() }
  await db.batch([
    unchecked(db).prepare('PRAGMA defer_foreign_keys = on'),
    ...ordered.flatMap((table) => {
      const owner = isAccounts(table)
        ? 'id'
        : table.columns.find((column) => column === 'account_id' || column === 'owner_account_id')
      if (owner === undefined) return []
      return unchecked(db)
        .prepare(
          `${numbers} INSERT INTO "${table.name}" (${table.columns.map((column) => `"${column}"`).join()})
           SELECT ${table.columns.map((column) => valueOf(table, column)).join()}
           FROM n, "${table.name}" AS row ${isYearly(table) ? YEAR : ''} WHERE row.${owner} = ?`,
        )
        .bind(account_id)
    }),
    ...Object.values(OF_JOBS).map((sql) => unchecked(db).prepare(`${numbers} ${sql}`).bind(own.id, own.at)),
  ])
}

function isAccounts({ name }: TableOfBackup): boolean {
  return name === 'accounts'
}

/** A table of returns, or of their rows. */
function isYearly({ name }: TableOfBackup): boolean {
  return name === 'returns' || name === 'filed_rows'
}

const YEAR = `, (SELECT value AS k FROM json_each('${JSON.stringify([...Array(RETURNS).keys()])}'))`

function valueOf(table: TableOfBackup, column: string): string {
  const value = `row."${column}"`
  if (isYearly(table)) {
    if (column === 'id' || column === 'return_id') return idOfCopy(value, 'k')
    if (column === 'version') return 'k + 1'
    if (column === 'previous_hash') return 'k'
  }
  if (['name', 'hash', 'dedupe', 'stop_hash'].includes(column)) return `${value} || ' ' || i`
  return `iif(${value} GLOB '[a-z]*_0*' AND length(${value}) > 28, ${idOfCopy(value)}, ${value})`
}

function idOfCopy(id: string, own = '0'): string {
  return `substr(${id}, 1, length(${id}) - ${DIGITS}) || printf('%0${DIGITS}d', i * 100 + ${own})`
}

const ACCOUNT = idOfCopy('?1')

/** What makes the jobs busy at a moment (?2): an id to check, checks of returns, messages, webhooks. */
const OF_JOBS = {
  customers: `UPDATE customers SET vat_id = 'DE136695976', vat_id_validated = 1,
      vat_id_validated_at = date(?2, '-40 days')
    FROM n WHERE account_id = ${ACCOUNT}`,
  return_checks: `INSERT INTO return_checks (return_id, account_id, checked_at, fault)
    SELECT id, account_id, strftime('%FT%TZ', ?2, '-' || ((i * ${RETURNS} + version) % 90) || ' days'), NULL
    FROM n, returns WHERE account_id = ${ACCOUNT} AND (i * ${RETURNS} + version) % 30 > 0`,
  message_settings: `INSERT INTO message_settings
      (account_id, hour, kinds_off, next_at, read_until, created_at, updated_at)
    SELECT ${ACCOUNT}, 8, '[]', ?2, ?2, ?2, ?2 FROM n`,
  webhooks: `INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
    SELECT 'wh_' || ${ACCOUNT}, ${ACCOUNT}, 'https://example.com/', '["*"]', 'active', 'none', ?2, ?2
    FROM n WHERE i % 10 = 0`,
} as const
