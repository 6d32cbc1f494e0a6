import * as z from 'zod'

/** CalculateTaxesSchema of Saleor (saleor/webhook/response_schemas/taxes.py), ported: Decimals of 0 or more. */
const Positive = z.string().regex(/^\d{1,12}(\.\d{1,4})?$/)
export const CalculateTaxesSchema = z.object({
  shipping_tax_rate: Positive,
  shipping_price_gross_amount: Positive,
  shipping_price_net_amount: Positive,
  lines: z.array(z.object({ tax_rate: Positive, total_gross_amount: Positive, total_net_amount: Positive })),
})

export const SAN_FRANCISCO = {
  streetAddress1: '600 Montgomery St',
  streetAddress2: '',
  city: 'SAN FRANCISCO',
  countryArea: 'CA',
  postalCode: '94111',
  country: { code: 'US' },
}

export const PARIS = {
  streetAddress1: '1 rue de Rivoli',
  streetAddress2: '',
  city: 'PARIS',
  countryArea: '',
  postalCode: '75001',
  country: { code: 'FR' },
}

export type CartLine = { amount: number; quantity?: number; tax_class?: string; tax_type?: string }

type Cart = {
  address?: object | null
  currency?: string
  inclusive?: boolean
  discount?: number
  shipping?: number
  vat_id?: string | null
  kind?: 'Checkout' | 'Order'
  /** More fields of the checkout or order. */
  more?: object
}

/** A payload of our subscription, in the shape of Saleor. Amounts in major units. */
export function cartOf(lines: readonly CartLine[], cart: Cart = {}): object {
  const { address = PARIS, currency = 'EUR', inclusive = false, discount = 0, shipping = 0 } = cart
  const kind = cart.kind ?? 'Checkout'
  return {
    __typename: 'CalculateTaxes',
    taxBase: {
      pricesEnteredWithTax: inclusive,
      currency,
      discounts: [
        ...(discount > 0 ? [{ amount: { amount: discount }, type: 'SUBTOTAL' }] : []),
        { amount: { amount: 3 }, type: 'SHIPPING' },
      ],
      address,
      shippingPrice: { amount: shipping },
      lines: lines.map(({ amount, quantity = 1, tax_class, tax_type }, index) => ({
        quantity,
        totalPrice: { amount },
        sourceLine: {
          __typename: `${kind}Line`,
          id: `line-${index}`,
          variant: {
            sku: `sku-${index}`,
            product: {
              taxType: tax_type ?? null,
              taxClass: tax_class === undefined ? null : { name: tax_class, taxType: null },
            },
          },
        },
      })),
      sourceObject: { __typename: kind, id: `${kind}:1`, vatId: cart.vat_id ?? null, ...cart.more },
    },
  }
}

type Priced = { net: number; gross: number }
type OrderFields = {
  id: string
  status?: string
  refunded?: number
  address?: object | null
  currency?: string
  more?: object
}

const taxed = ({ net, gross }: Priced) => ({ net: { amount: net }, gross: { amount: gross } })

/** An event of an order. Amounts in major units. */
export function orderEvent(
  __typename: string,
  { id, status = 'UNFULFILLED', refunded = 0, address = PARIS, currency = 'EUR', more = {} }: OrderFields,
  lines: readonly Priced[],
  shipping: Priced = { net: 0, gross: 0 },
): object {
  const gross = [...lines, shipping].reduce((sum, line) => sum + Math.round(line.gross * 100), 0) / 100
  return {
    __typename,
    order: {
      id,
      number: '7',
      created: '2026-11-20T10:00:00.123456+00:00',
      status,
      vatId: null,
      billingAddress: null,
      shippingAddress: address,
      shippingPrice: taxed(shipping),
      total: { currency, gross: { amount: gross } },
      totalRefunded: { amount: refunded },
      lines: lines.map((line, index) => ({
        id: `line-${index}`,
        productName: 'Lamp',
        productSku: `sku-${index}`,
        quantity: 1,
        totalPrice: taxed(line),
        variant: null,
      })),
      ...more,
    },
  }
}
