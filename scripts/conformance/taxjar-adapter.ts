import { minorDigits } from '../../src/engine/book/minor-digits.ts'
import { MEMBER_STATES } from '../../src/engine/regimes/eu-member-states.ts'
import { type Adapter, fieldOf, told } from './adapter.ts'
import type { SaleCase } from './deck.ts'

/** Codes of TaxJar's categories. Goods in general have none. */
const CODES: Readonly<Record<string, string | undefined>> = {
  physical_goods: undefined,
  clothing: '20010',
  groceries: '40030',
  saas: '30070',
  digital_goods: '31000',
  books: '81100',
  candy: '40010',
  soft_drinks: '40050',
  prepared_food: '41000',
  otc_drugs: '51010',
  prescription_drugs: '51020',
}

/** The form names no currency: it is that of the country. */
const CURRENCIES: Readonly<Record<string, string>> = {
  US: 'USD',
  CA: 'CAD',
  AU: 'AUD',
  GB: 'GBP',
  NZ: 'NZD',
}

const WITH_STATES: ReadonlySet<string> = new Set(['US', 'CA'])

/** The form of TaxJar's `POST /v2/taxes`, which others answer, too. It has no date, and asks for today. */
export const taxjarAdapter: Adapter = {
  name: 'taxjar',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  ask(asked, as_of) {
    if (asked.kind !== 'sale') return { cannot: 'the form asks only for the tax of an order' }
    const cannot = whyNot(asked, as_of)
    return cannot === null ? { method: 'POST', path: '/v2/taxes', body: orderOf(asked) } : { cannot }
  },
  read(body, asked) {
    if (asked.kind !== 'sale') return {}
    const tax = fieldOf(body, 'tax')
    const sum = fieldOf(tax, 'amount_to_collect')
    return told({
      tax: typeof sum === 'number' ? Math.round(sum * 10 ** minorDigits(asked.currency)) : undefined,
      // An answer without tax has the rate 0 for several reasons, so it tells nothing of the rate.
      rate: sum === 0 ? undefined : fieldOf(tax, 'rate'),
    })
  },
}

function whyNot(asked: SaleCase, as_of: string): string | null {
  const { seller, buyer, lines } = asked
  if (asked.date !== as_of) return 'the form has no date'
  if (asked.currency !== (CURRENCIES[seller.country] ?? 'EUR'))
    return 'the form has no currency: it is that of the seller'
  if (asked.prices === 'inclusive') return 'the form has no prices with tax'
  if (asked.rounding === 'document') return 'the form has no choice of rounding'
  if (buyer.type === 'business' || buyer.vat_id !== undefined) return 'the form has no business customers'
  if (asked.place_of_event !== undefined) return 'the form has no place of an event'
  if (seller.over_eu_threshold === true) return 'the form has no threshold of the Union'
  if (lines.some(({ amount }) => amount < 0)) return 'the form has no credits'
  if (lines.some(({ product }) => !Object.hasOwn(CODES, product))) return 'the form has no such product'
  if (registeredInShop(seller) && !MEMBER_STATES.includes(buyer.country))
    return 'the form has no one-stop shop: nexus is a place'
  if (WITH_STATES.has(buyer.country) && buyer.region === undefined) return 'the form needs a state'
  if (buyer.country === 'US' && buyer.postal_code === undefined) return 'the form needs a ZIP code'
  return null
}

function orderOf({ seller, buyer, lines, shipping = 0, currency }: SaleCase) {
  const major = (amount: number) => amount / 10 ** minorDigits(currency)
  return {
    from_country: seller.country,
    from_state: seller.region,
    from_zip: seller.postal_code,
    to_country: buyer.country,
    to_state: buyer.region,
    to_zip: buyer.postal_code,
    to_city: buyer.city,
    amount: major(lines.reduce((sum, { amount }) => sum + amount, 0)),
    shipping: major(shipping),
    nexus_addresses: nexusOf(seller, buyer).map((place, index) => ({ id: String(index + 1), ...place })),
    line_items: lines.map(({ product, amount, quantity = 1 }, index) => ({
      id: String(index + 1),
      quantity,
      unit_price: major(amount) / quantity,
      ...(CODES[product] !== undefined && { product_tax_code: CODES[product] }),
    })),
  }
}

const JURISDICTION = /^[A-Z]{2}(-|$)/

function registeredInShop({ registrations = [] }: SaleCase['seller']): boolean {
  return registrations.some((id) => !JURISDICTION.test(id))
}

/** Registrations as addresses. A one-stop shop is nexus where the buyer is. */
function nexusOf({ country, region, registrations }: SaleCase['seller'], buyer: SaleCase['buyer']) {
  const ids = registrations ?? [region === undefined ? country : `${country}-${region}`]
  return ids.map((id) => {
    const [of = '', state] = JURISDICTION.test(id) ? id.split('-') : [buyer.country]
    return { country: of, ...(state !== undefined && { state }) }
  })
}
