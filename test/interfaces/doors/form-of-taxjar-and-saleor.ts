import type { CalculateRequest } from '../../../client/src/client.ts'
import { toMajorUnits } from '../../../client/src/shop.ts'
import { RESELLER } from '../../../lab/native-carts.ts'
import { cartOf } from '../saleor/payloads.ts'

type Place = NonNullable<CalculateRequest['ship_from']>
type Line = CalculateRequest['line_items'][number]

/** Codes of TaxJar for the products of the carts. Goods have none. */
const CODES: Readonly<Record<string, string>> = {
  clothing: '20010',
  txcd_30011000: '20010',
  books: '81100',
  groceries: '40030',
  no_supply_tip: 'no_supply_tip',
}

/** A sale as an order of TaxJar: goods leave from the place that it calls the seller's. */
export function orderOf({ currency, seller, customer, ship_from, ...sale }: CalculateRequest): object {
  const money = (amount: number) => toMajorUnits(amount, currency)
  return {
    ...prefixed('from', ship_from ?? seller),
    ...prefixed('to', customer?.address),
    nexus_addresses: (seller?.registrations ?? []).map((id) => {
      const [country, state] = id.split('-')
      return { country, state }
    }),
    shipping: money(sale.shipping_cost?.amount ?? 0),
    ...(sale.customer_id && { customer_id: RESELLER }),
    ...(sale.line_items.some(({ exemption }) => exemption) && { exemption_type: 'wholesale' }),
    line_items: sale.line_items.map((line) => ({ ...priceOf(line, money), ...pieceOf(line) })),
  }
}

function priceOf(
  { amount, unit_amount, quantity = 1, discount = 0 }: Line,
  money: (amount: number) => string,
) {
  const unit_price = unit_amount ?? (amount ?? 0) / quantity
  return { quantity, unit_price: money(unit_price), discount: money(discount) }
}

function pieceOf({ product_type }: Line) {
  return { product_tax_code: CODES[product_type] ?? null }
}

function prefixed(way: 'from' | 'to', place: Partial<Place> | undefined): object {
  return {
    [`${way}_country`]: place?.country,
    [`${way}_state`]: place?.region,
    [`${way}_zip`]: place?.postal_code,
    [`${way}_city`]: place?.city,
  }
}

/** A sale as Saleor asks for it. The discounts of lines are in their prices. */
export function saleorCart({ currency, customer, customer_id, ...sale }: CalculateRequest): object {
  const money = (amount: number) => Number(toMajorUnits(amount, currency))
  const fetched = sale.delivery === 'pickup'
  return cartOf(
    sale.line_items.map(({ amount = 0, discount = 0, quantity = 1, product_type }) => ({
      amount: money(amount - discount),
      quantity,
      tax_type: product_type,
    })),
    {
      currency,
      address: saleorPlace(customer?.address),
      inclusive: sale.tax_behavior === 'inclusive',
      discount: money(sale.discount_amount ?? 0),
      shipping: money(sale.shipping_cost?.amount ?? 0),
      vat_id: customer?.vat_id ?? null,
      more: {
        user: customer_id ? { customerId: customer_id } : null,
        deliveryMethod: fetched
          ? { __typename: 'Warehouse', address: saleorPlace(sale.ship_from) }
          : { __typename: 'ShippingMethod' },
      },
    },
  )
}

function saleorPlace(place: Partial<Place> | null | undefined) {
  return {
    streetAddress1: '',
    city: place?.city ?? '',
    countryArea: place?.region ?? '',
    postalCode: place?.postal_code ?? '',
    country: { code: place?.country },
  }
}
