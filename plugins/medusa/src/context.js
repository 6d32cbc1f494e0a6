const { ContainerRegistrationKeys, MathBN } = require('@medusajs/framework/utils')
const { deliveryOf } = require('./delivery')
const { checkTaxRegionsOnce, shopOf } = require('./regions')

const FIELDS = [
  'id',
  'currency_code',
  'email',
  'metadata',
  'items.*',
  'items.adjustments.*',
  'shipping_methods.*',
  'shipping_methods.adjustments.*',
  'shipping_address.*',
  'customer.*',
]

/**
 * Fills the context of the two questions that Medusa asks about a cart or an order, so that each sees all of
 * it. Call it in the one handler of the hook `setTaxLineContext`, and return what it returns.
 */
async function setTaxContext({ cart, order, items, shipping_methods }, { container }) {
  await checkTaxRegionsOnce(container)
  const [entity, { id }] = cart === undefined ? ['order', order] : ['cart', cart]
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity, fields: FIELDS, filters: { id } })
  const whole = data[0] ?? cart ?? order
  const country = whole.shipping_address?.country_code
  const shop = country ? await shopOf(container, country) : null
  const all_methods = withNew(whole.shipping_methods, shipping_methods)
  return {
    tax_compliance: {
      currency: whole.currency_code.toUpperCase(),
      vat_id: shop?.vatIdOf(whole) ?? null,
      customer_id: (await shop?.customerOf(whole)) ?? null,
      ...(shop && (await deliveryOf(container, shop, { ...whole, shipping_methods: all_methods }))),
      items: withNew(whole.items, items)
        .filter(({ is_giftcard }) => is_giftcard !== true)
        .map(itemOf),
      shipping_methods: all_methods.map(methodOf),
    },
  }
}

/** Lines that a change of an order adds are not on the order yet. */
function withNew(kept, given) {
  const lines = kept ?? []
  const ids = new Set(lines.map(({ id }) => id))
  return [...lines, ...(given ?? []).filter(({ id }) => !ids.has(id))]
}

function itemOf(item) {
  const { id, product_id, product_type, product_type_id, variant_id, variant_sku, metadata } = item
  return {
    ...{ id, product_id, product_type, product_type_id, variant_id, variant_sku, metadata },
    title: item.title,
    unit_price: decimal(item.unit_price),
    quantity: decimal(item.quantity),
    ...discountsOf(item),
  }
}

function methodOf(method) {
  return { id: method.id, amount: decimal(method.amount), ...discountsOf(method) }
}

function discountsOf({ is_tax_inclusive, adjustments }) {
  return {
    is_tax_inclusive: is_tax_inclusive === true,
    adjustments: (adjustments ?? []).map((each) => ({
      amount: decimal(each.amount),
      is_tax_inclusive: each.is_tax_inclusive === true,
    })),
  }
}

function decimal(value) {
  return MathBN.convert(value).toFixed()
}

module.exports = { setTaxContext }
