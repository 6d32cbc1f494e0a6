/** The place of a sale. Names and streets are not asked for, except where a street decides the tax. */
const ADDRESS = `fragment Place on Address {
  streetAddress1 streetAddress2 city countryArea postalCode country { code }
}`

/** What a product is: the shop says it in a field of the product, or of its tax class. */
const PRODUCT = `fragment Sold on Product {
  taxType: metafield(key: "tax_product_type")
  taxClass { name taxType: metafield(key: "tax_product_type") }
}`

/** Who buys, on file here. Staff and the user write metadata of a user, and nobody guesses our ids. */
const CUSTOMER = 'fragment Buyer on User { customerId: metafield(key: "tax_customer_id") }'

/** The buyer, and the warehouse where a customer fetches the goods (click and collect). */
function partiesFragment(name: string, type: 'Checkout' | 'Order'): string {
  return `fragment ${name} on ${type} {
  user { ...Buyer }
  deliveryMethod { __typename ... on Warehouse { address { ...Place } } }
}`
}

/** What a checkout or an order is asked with. No moment: the same cart is the same question. */
export const TAXES_QUERY = `subscription Taxes {
  event {
    __typename
    ... on CalculateTaxes {
      taxBase {
        pricesEnteredWithTax
        currency
        discounts { amount { amount } type }
        address { ...Place }
        shippingPrice { amount }
        lines {
          quantity
          totalPrice { amount }
          sourceLine {
            __typename
            ... on CheckoutLine { id variant { sku product { ...Sold } } }
            ... on OrderLine { id variant { sku product { ...Sold } } }
          }
        }
        sourceObject {
          __typename
          ... on Checkout { id vatId: metafield(key: "vat_id") ...Fetched }
          ... on Order { id vatId: metafield(key: "vat_id") ...Handed }
        }
      }
    }
  }
}
${ADDRESS}
${PRODUCT}
${CUSTOMER}
${partiesFragment('Fetched', 'Checkout')}
${partiesFragment('Handed', 'Order')}`

const ORDER = `fragment Booked on Order {
  id number created status
  vatId: metafield(key: "vat_id")
  ...Handed
  billingAddress { ...Place }
  shippingAddress { ...Place }
  shippingPrice { net { amount } gross { amount } }
  total { currency gross { amount } }
  totalRefunded { amount }
  grantedRefunds {
    id status shippingCostsIncluded
    amount { amount }
    lines { quantity orderLine { id } }
  }
  fulfillments {
    id status
    totalRefundedAmount { amount }
    shippingRefundedAmount { amount }
    lines { quantity orderLine { id } }
  }
  lines {
    id productName productSku quantity
    totalPrice { net { amount } gross { amount } }
    variant { product { ...Sold } }
  }
}
${ADDRESS}
${PRODUCT}
${CUSTOMER}
${partiesFragment('Handed', 'Order')}`

export const ORDER_QUERY = `subscription Orders {
  event {
    __typename
    ... on OrderConfirmed { order { ...Booked } }
    ... on OrderCancelled { order { ...Booked } }
    ... on OrderRefunded { order { ...Booked } }
    ... on OrderFullyRefunded { order { ...Booked } }
  }
}
${ORDER}`

/** The orders that changed, the oldest change first. Its place in that order is the cursor of an order. */
export const ORDERS_QUERY = `query Orders($since: DateTime!, $first: Int!, $after: String) {
  orders(
    first: $first
    after: $after
    filter: { updatedAt: { gte: $since } }
    sortBy: { field: LAST_MODIFIED_AT, direction: ASC }
  ) {
    edges { cursor node { updatedAt ...Booked } }
    pageInfo { hasNextPage }
  }
}
${ORDER}`

/** Orders by their ids. */
export const REFUSED_QUERY = `query Refused($ids: [ID!], $first: Int!) {
  orders(first: $first, filter: { ids: $ids }) {
    edges { cursor node { updatedAt ...Booked } }
    pageInfo { hasNextPage }
  }
}
${ORDER}`

export const APP_QUERY = 'query App { app { id } }'
