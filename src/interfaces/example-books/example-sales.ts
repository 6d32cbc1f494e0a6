import { daysAfter } from '../../platform/kit/calendar.ts'
import type * as z from 'zod'
import type { CustomerBody } from '../../parties/customers/schemas.ts'
import type { RegistrationBody } from '../../returns/registrations/schemas.ts'
import type { TransactionRequest } from '../../sales/transactions/sale/schemas.ts'

/** A state whose returns are monthly, and due on the last day of the next month: one is due on every day. */
export const EXAMPLE_STATE = 'US-UT'

/** A year of books of a shop for furniture in Germany. The places are all that is special about it. */
export const EXAMPLE_COUNTRY = 'DE'

const SELLER = { country: EXAMPLE_COUNTRY, registrations: ['DE', 'oss_union', 'GB', EXAMPLE_STATE] }

/** The usual sales. After them come those to California, which reach 92 % of its threshold of $500,000. */
const USUAL_SALES = 60

/** The days between two sales: 60 of them are almost a year. */
const DAYS_APART = 6

type SaleRequested = z.input<typeof TransactionRequest>

/** A kind of sale: to whom, in which currency, and its goods. The price is in minor units. */
type KindOfSale = {
  customer: CustomerBody & { name: string; address: { country: string } }
  type: 'individual' | 'business'
  currency: string
  product_type: string
  description: string
  price: number
}

const KINDS: readonly KindOfSale[] = [
  {
    customer: {
      name: 'Jana Lindner',
      email: 'jana.lindner@example.com',
      address: { country: 'DE', postal_code: '10115', city: 'Berlin' },
    },
    type: 'individual',
    currency: 'EUR',
    product_type: 'physical_goods',
    description: 'Desk lamp',
    price: 18_900,
  },
  {
    customer: {
      name: 'Claire Moreau',
      email: 'claire.moreau@example.com',
      address: { country: 'FR', postal_code: '75011', city: 'Paris' },
    },
    type: 'individual',
    currency: 'EUR',
    product_type: 'saas',
    description: 'Room planner, one year',
    price: 9_600,
  },
  {
    customer: {
      name: 'Studio Bianchi S.r.l.',
      email: 'ordini@bianchi.example.com',
      address: { country: 'IT', postal_code: '20121', city: 'Milano' },
      vat_id: 'IT00743110157',
    },
    type: 'business',
    currency: 'EUR',
    product_type: 'saas',
    description: 'Room planner for teams',
    price: 48_000,
  },
  {
    customer: {
      name: 'Oliver Hughes',
      email: 'oliver.hughes@example.com',
      address: { country: 'GB', postal_code: 'SW1A 1AA', city: 'London' },
    },
    type: 'individual',
    currency: 'GBP',
    product_type: 'saas',
    description: 'Room planner, one year',
    price: 8_400,
  },
  {
    customer: {
      name: 'Café Lindenhof GmbH',
      email: 'einkauf@lindenhof.example.com',
      address: { country: 'DE', postal_code: '80331', city: 'München' },
    },
    type: 'business',
    currency: 'EUR',
    product_type: 'physical_goods',
    description: 'Chairs, set of four',
    price: 52_000,
  },
  {
    customer: {
      name: 'Harbor Coffee LLC',
      email: 'books@harborcoffee.example.com',
      address: { country: 'US', region: 'UT', postal_code: '84101', city: 'Salt Lake City' },
    },
    type: 'business',
    currency: 'USD',
    product_type: 'saas',
    description: 'Room planner for teams',
    price: 54_000,
  },
]

const TO_CALIFORNIA: KindOfSale = {
  customer: {
    name: 'Redwood Hotels Inc.',
    email: 'purchasing@redwoodhotels.example.com',
    address: { country: 'US', region: 'CA', postal_code: '90012', city: 'Los Angeles' },
  },
  type: 'business',
  currency: 'USD',
  product_type: 'physical_goods',
  description: 'Furniture for a floor of guest rooms',
  price: 11_500_000,
}

/** The example customers, one for each kind of sale. */
export const EXAMPLE_CUSTOMERS: readonly CustomerBody[] = [...KINDS, TO_CALIFORNIA].map(
  ({ customer }) => customer,
)

/** The certificate of the last customer, which ends in 12 days. */
export function exampleCertificate(today: string) {
  return {
    jurisdiction_id: 'US-CA',
    exemption_type: 'resale',
    certificate_number: 'SR-100-123456',
    valid_from: daysAfter(today, -353),
    valid_to: daysAfter(today, 12),
  } as const
}

/** The example registrations, from a day on. */
export function exampleRegistrations(valid_from: string): RegistrationBody[] {
  return [
    { jurisdiction_id: 'DE', registration_number: 'DE136695976', valid_from },
    { scheme: 'oss_union', valid_from },
    { jurisdiction_id: 'GB', registration_number: 'GB123456789', valid_from },
    { jurisdiction_id: EXAMPLE_STATE, registration_number: '12345678-002-STC', valid_from },
  ]
}

/** The number of the customer of a sale. */
export function customerOfSale(number: number): number {
  return number < USUAL_SALES ? number % KINDS.length : KINDS.length
}

/** The example sale of a number: the higher, the longer ago. */
export function exampleSale(number: number, today: string): SaleRequested {
  const kind = KINDS[customerOfSale(number)] ?? TO_CALIFORNIA
  const { customer, type, currency, product_type, description, price } = kind
  const { vat_id = null, address } = customer
  // Sales grow a little from month to month, so that a chart has something to tell.
  const amount = price + Math.max(0, USUAL_SALES - number) * 150
  return {
    external_id: `EXAMPLE-${1001 + number}`,
    invoice_number: `EX-${1001 + number}`,
    transaction_date: dayOfSale(number, today),
    seller: SELLER,
    customer: { address, type, ...(vat_id !== null && { vat_id }) },
    currency,
    line_items: [{ amount, product_type, description }],
  }
}

/** Every eleventh sale has a refund of a quarter, some days later. */
export function exampleRefund(number: number, total: number, today: string) {
  if (number >= USUAL_SALES || number % 11 !== 5) return null
  return {
    amount: Math.floor(total / 4),
    reason: 'Damaged in transit',
    refunded_at: daysAfter(dayOfSale(number, today), 3),
  }
}

function dayOfSale(number: number, today: string): string {
  const yesterday = daysAfter(today, -1)
  if (number < USUAL_SALES) return daysAfter(yesterday, -number * DAYS_APART)
  // A threshold counts a calendar year, so the sales that reach it are all in one.
  const last = yesterday.slice(5) < '02-01' ? `${Number(yesterday.slice(0, 4)) - 1}-12-31` : yesterday
  return daysAfter(last, (USUAL_SALES - number) * DAYS_APART)
}
