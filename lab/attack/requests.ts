type AttackRequest = { method: string; path: string; body: object }
type Attack = {
  name: string
  request: (db: D1Database, account_id: string) => Promise<AttackRequest>
}

const post = (path: string, body: object): AttackRequest => ({ method: 'POST', path, body })
const random = (length: number) =>
  Array.from({ length: Math.ceil(length / 36) }, () => crypto.randomUUID())
    .join('')
    .slice(0, length)

/** The largest batch that one request may record: 2,000 lines, and nearly 1 MiB. */
export function largestBatch(): object {
  const line = () => ({ amount: 100, product_type: 'saas', description: random(400) })
  const transaction = () => ({
    currency: 'CAD',
    customer: { address: { country: 'CA', region: 'QC' } },
    line_items: Array.from({ length: 40 }, line),
  })
  return { transactions: Array.from({ length: 50 }, transaction) }
}

/** The largest order that the form of TaxJar takes: 500 lines with long descriptions. */
function largestOrder(): object {
  return {
    transaction_id: random(100),
    transaction_date: new Date().toISOString(),
    from_country: 'US',
    from_state: 'NY',
    to_country: 'US',
    to_zip: '10001',
    to_state: 'NY',
    amount: 500,
    shipping: 0,
    sales_tax: 0,
    line_items: Array.from({ length: 500 }, (_, index) => ({
      id: index,
      quantity: 1,
      unit_price: 1,
      sales_tax: 0,
      description: random(1_000),
    })),
  }
}

const metadata = () =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key_${index}`, random(500)]))

async function newestId(db: D1Database, table: string, account_id: string): Promise<string> {
  const id = await db
    .prepare(`SELECT id FROM ${table} WHERE account_id = ? ORDER BY id DESC`)
    .bind(account_id)
    .first<string>('id')
  return id ?? 'none'
}

/** What one key can send to fill the database, each as large as allowed. */
export const ATTACKS: readonly Attack[] = [
  { name: 'batch', request: async () => post('/v1/transactions/batch', largestBatch()) },
  {
    name: 'too many lines',
    request: async () =>
      post('/v1/transactions/batch', {
        transactions: Array.from({ length: 40 }, () => ({
          currency: 'EUR',
          customer: { address: { country: 'DE' } },
          line_items: Array.from({ length: 400 }, () => ({ amount: 1, product_type: 'saas' })),
        })),
      }),
  },
  {
    name: 'customer',
    request: async () => post('/v1/customers', { name: random(200), metadata: metadata() }),
  },
  {
    name: 'exemption',
    request: async (db, account_id) =>
      post(`/v1/customers/${await newestId(db, 'customers', account_id)}/exemptions`, {
        jurisdiction_id: 'DE',
        exemption_type: 'other',
        certificate_number: random(50),
        valid_from: '2026-01-01',
      }),
  },
  {
    name: 'refund',
    request: async (db, account_id) =>
      post(`/v1/transactions/${await newestId(db, 'transactions', account_id)}/refund`, {
        amount: 1,
        reason: random(400),
      }),
  },
  {
    name: 'registration',
    request: async () => post('/v1/registrations', { jurisdiction_id: 'DE', valid_from: '2026-01-01' }),
  },
  { name: 'key', request: async () => post('/v1/api-keys', { scopes: ['tax:read'] }) },
  {
    name: 'webhook',
    request: async () => post('/v1/webhooks', { url: 'https://hooks.example.com/victim', events: ['*'] }),
  },
  {
    name: 'profile',
    request: async () => ({
      method: 'PUT',
      path: '/v1/account',
      body: { name: random(100), taxjar_api: { enabled: true } },
    }),
  },
  {
    name: 'order in the form of TaxJar',
    request: async () => post('/v2/transactions/orders', largestOrder()),
  },
  {
    name: 'customer in the form of TaxJar',
    request: async () =>
      post('/v2/customers', {
        customer_id: random(200),
        exemption_type: 'wholesale',
        name: random(300),
        exempt_regions: Array.from({ length: 50 }, () => ({ country: 'US', state: 'NY' })),
      }),
  },
  { name: 'sync', request: async () => post('/v1/metadata/sync', { region: 'AU' }) },
]
