import type { Known } from './arbitrary.ts'

/** Every resource of the victim contains this mark. If another account reads it, there is a leak. */
export const OWNER_MARK = 'belongs-to-the-victim'

/** Ids by the part of the path before them, e.g. `customers/`. */
type Ids = Record<string, string[]>

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE', postal_code: '10115' } },
  line_items: [{ amount: 10_000, product_type: 'saas' }],
}

/** Makes one resource of each kind in an account, and returns their ids. */
export async function makeVictim(origin: string, key: string): Promise<Ids> {
  return makeOneOfAll(origin, key, OWNER_MARK)
}

const COUNTRIES = ['US', 'CA', 'DE', 'FR', 'GB', 'ZZ', '']
const STATES = ['NY', 'CA', 'WA', 'QC', null, 'XX']
const ZIPS = ['10001', '94105', '98101', '90404-3370', '10115', '']
const AMOUNTS = [0, 19.99, 1000, -5, '12.50', 0.001, null]

/** Values for the generators of requests in the form of TaxJar, whose fields have the same names. */
export const TAXJAR_FIELDS: Known = {
  'customers/': ['customer-of-attacker', 'customer-of-victim'],
  customer_id: ['customer-of-attacker', 'customer-of-victim', 'another', null],
  vat: ['DE136695976', 'IE6388047V', 'DE1'],
  'rates/': ['94105', '90404-3370', '10115', '00000'],
  from_country: COUNTRIES,
  to_country: COUNTRIES,
  from_state: STATES,
  to_state: STATES,
  state: STATES,
  from_zip: ZIPS,
  to_zip: ZIPS,
  zip: ZIPS,
  amount: [10_000, 1_999, 0, -5, 19.99, '12.50', null],
  shipping: AMOUNTS,
  sales_tax: AMOUNTS,
  unit_price: AMOUNTS,
  discount: AMOUNTS,
  quantity: [1, 2, 0, -1, 1.5, 1e9],
  product_tax_code: ['20010', '30070', '40030', '', null, '99999'],
  exemption_type: ['wholesale', 'government', 'other', 'resale', 'non_exempt', ''],
  exempt_regions: [[], [{ country: 'US', state: 'NY' }], [{ country: 'US', state: 'XX' }]],
}

/** Values for the generators: meaningful values, the attacker's own ids, and the victim's ids. */
export async function knownTo(origin: string, key: string, victim: Ids): Promise<Known> {
  const own = await makeOneOfAll(origin, key, 'mine')
  const ids = Object.fromEntries(
    Object.keys(own).map((name) => [name, [...(own[name] ?? []), ...(victim[name] ?? [])]]),
  )
  return {
    ...ids,
    'jurisdictions/': ['DE', 'US-NY', 'CA-QC', 'XI', 'ZZ'],
    'regions/': ['US', 'CA', 'DE', 'ZZ'],
    customer_id: [...(ids['customers/'] ?? []), null],
    resource_id: Object.values(ids).flat(),
    country: ['DE', 'FR', 'US', 'CA', 'AU', 'GB', 'JP', 'ES', 'ZZ'],
    region: ['NY', 'CA', 'QC', 'ON', 'TX', null, 'XX'],
    postal_code: ['10115', '94105', 'H2X 1Y4', 'BT1 1AA', '35001', null],
    currency: ['EUR', 'USD', 'CAD', 'AUD', 'GBP', 'JPY', 'BHD'],
    jurisdiction: ['DE', 'US-CA', 'CA', 'EU', 'GB', 'ZZ'],
    jurisdiction_id: ['DE', 'US-NY', 'CA-QC', 'GB', 'AU', 'EU', 'ZZ'],
    date: ['2026-10-15', '2020-02-29', '2026-02-30'],
    from_date: ['2026-01-01', '2026-11-01T00:00:00Z'],
    to_date: ['2026-12-31', '2026-11-30T00:00:00Z'],
    transaction_date: ['2026-10-15T10:00:00Z', '2026-11-01', '2019-01-01T00:00:00Z'],
    valid_from: ['2026-01-01', '2025-06-30'],
    valid_to: ['2026-12-31', null, '2024-01-01'],
    expires_at: ['2027-01-01T00:00:00Z', '2020-01-01T00:00:00Z', null],
    period: ['2026-Q4', '2026-10', '2026', '2026-13'],
    fx_rates: ['USD:1.08', 'EUR:1', 'USD:0'],
    vat_id: ['DE136695976', 'IE6388047V', 'DE1', 'GB980780684', null],
    email: ['ada@example.com', null],
    url: ['https://hooks.example.com/a', 'http://127.0.0.1/', 'https://[::1]/', 'https://0x7f000001/'],
    cursor: ['dlv_01m7yb3zbqfvpakx03p0pfwfzm', '2026-10-15T10:00:00.000Z~txn_01m7yb3zbqfvpakx03p0pfwfzm'],
    data_version: ['current', '2026-01-01', 'v0'],
  }
}

/** Makes a resource, and returns its id. */
type Make = (path: string, body: object, method?: string) => Promise<string>

/** The ids that callers choose do not contain the mark, because an answer may repeat what was asked for. */
function ownerOf(mark: string): string {
  return mark === OWNER_MARK ? 'victim' : 'attacker'
}

/** Makes an order, a refund and a customer in the form of TaxJar, and returns their ids. */
async function makeInFormOfTaxJar(make: Make, mark: string): Promise<Ids> {
  const owner = ownerOf(mark)
  await make('/v1/account', { taxjar_api: { enabled: true } }, 'PUT')
  const order = {
    transaction_id: `order-of-${owner}`,
    transaction_date: '2026-10-15',
    from_country: 'US',
    from_state: 'NY',
    to_country: 'US',
    to_zip: '10001',
    to_state: 'NY',
    to_street: mark,
    amount: 20,
    shipping: 5,
    sales_tax: 0,
  }
  await make('/v2/transactions/orders', order)
  const refund = {
    ...order,
    transaction_id: `refund-of-${owner}`,
    transaction_reference_id: order.transaction_id,
    amount: -20,
    shipping: -5,
  }
  await make('/v2/transactions/refunds', refund)
  const customer = { customer_id: `customer-of-${owner}`, exemption_type: 'other', name: mark }
  await make('/v2/customers', customer)
  return {
    'orders/': [order.transaction_id],
    'refunds/': [refund.transaction_id],
  }
}

async function makeOneOfAll(origin: string, key: string, mark: string): Promise<Ids> {
  const make: Make = async (path, body, method = 'POST') => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(origin + path, { method, headers, body: JSON.stringify(body) })
    const answer: { id: string } = await response.json()
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.id
  }
  const inFormOfTaxJar = await makeInFormOfTaxJar(make, mark)
  const sales = ['', '-2'].map((more) => `sale-of-${ownerOf(mark)}${more}`)
  const line_items = [{ ...SALE.line_items[0], description: mark }]
  const customer = await make('/v1/customers', {
    name: mark,
    external_id: mark,
    email: `${mark}@example.com`,
    vat_id: 'IE6388047V',
  })
  const certificate = {
    jurisdiction_id: 'DE',
    exemption_type: 'other',
    certificate_number: mark,
    valid_from: '2026-01-01',
  }
  const registration = { jurisdiction_id: 'DE', registration_number: mark, valid_from: '2025-01-01' }
  return {
    ...inFormOfTaxJar,
    'customers/': [customer],
    'validate-customer/': [customer],
    'exemptions/': [await make(`/v1/customers/${customer}/exemptions`, certificate)],
    'transactions/': [
      await make('/v1/transactions', { ...SALE, external_id: sales[0], line_items }),
      await make('/v1/transactions', { ...SALE, external_id: sales[1], status: 'pending', line_items }),
    ],
    'external/': sales,
    'registrations/': [await make('/v1/registrations', registration)],
    'api-keys/': [await make('/v1/api-keys', { name: mark, scopes: ['tax:read'] })],
    'webhooks/': [
      await make('/v1/webhooks', {
        url: `https://hooks.example.com/${mark}`,
        events: ['*'],
        description: mark,
      }),
    ],
    'deliveries/': ['dlv_01m7yb3zbqfvpakx03p0pfwfzm'],
  }
}
