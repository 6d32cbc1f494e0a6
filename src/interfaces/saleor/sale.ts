import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { type ProductNamed, ProductTypeOrCode } from '../../platform/http/tax-enums.ts'
import type { SaleorAddress, SaleorParties, SoldVariant } from './tax-payload.ts'

/** An address as our requests have it. An empty text of Saleor means that there is none. */
function addressOf({
  streetAddress1,
  streetAddress2,
  city,
  countryArea,
  postalCode,
  country,
}: SaleorAddress) {
  return {
    country: country.code,
    region: countryArea || null,
    city: city || null,
    postal_code: postalCode || null,
    line1: streetAddress1 || null,
    line2: streetAddress2 || null,
  }
}

/**
 * Who buys, and how the goods reach the customer, as fields of our requests. Goods of click and collect leave
 * from the warehouse where they are fetched. Without a VAT id of the shop, that of the customer on file
 * counts.
 */
export function partiesOf(
  address: SaleorAddress,
  { vatId, user, deliveryMethod }: SaleorParties & { vatId?: string | null | undefined },
) {
  const fetched = deliveryMethod?.__typename === 'Warehouse'
  return {
    customer: { address: addressOf(address), ...(vatId && { vat_id: vatId }) },
    ...(user?.customerId && { customer_id: user.customerId }),
    ...(fetched && { delivery: 'pickup' as const }),
    ...(fetched && deliveryMethod.address && { ship_from: addressOf(deliveryMethod.address) }),
  }
}

/**
 * What a product is: the field `tax_product_type` of the product, or of its tax class; else the name of the
 * tax class, if it is that of a product type; else goods. Throws unknown_product_type for a field that names
 * none, and unknown_product_code for such a name if the account refuses unknown codes.
 */
export function productTypeOf({ principal }: Context, sold: SoldVariant, path: string): ProductNamed {
  const tax_class = sold?.product?.taxClass ?? null
  const stated = sold?.product?.taxType || tax_class?.taxType || null
  if (stated !== null) {
    const read = ProductTypeOrCode.safeParse(stated)
    if (read.success) return read.data
    const message = 'tax_product_type must be one of GET /v1/metadata/product-types'
    throw fieldError('unknown_product_type', path, message)
  }
  const name = tax_class?.name ?? ''
  const named = ProductTypeOrCode.safeParse(
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  if (named.success) return named.data
  if (name !== '' && principal.refuses_unknown_codes)
    throw fieldError(
      'unknown_product_code',
      path,
      `the tax class "${name.slice(0, 100)}" is not a product type: set its tax_product_type`,
    )
  return 'physical_goods'
}
