const { ContainerRegistrationKeys } = require('@medusajs/framework/utils')
const { addressOf } = require('./cart')

/** The stock location of a way of shipping, and whether its set of fulfilments is for customers who come. */
const FIELDS = ['id', 'service_zone.fulfillment_set.type', 'service_zone.fulfillment_set.location.address.*']

/**
 * Where the goods of a cart or order leave from, and whether the customer fetches them, as fields of a
 * question. Medusa says it by the shipping option: the admin names sets of fulfilments `pickup`.
 */
async function deliveryOf(container, shop, whole) {
  const methods = whole.shipping_methods ?? []
  const places = await placesOf(container, methods)
  const fetched = places.length > 0 && places.every(({ pickup }) => pickup)
  if (!fetched && places.some(({ pickup }) => pickup))
    shop.tell({ outcome: 'pickup_and_shipping', id: whole.id })
  const location = places.find(({ address }) => address !== null)?.address ?? null
  const given = shop.shipFromOf(whole, location)
  const ship_from = fetched ? (location ?? given) : given
  return { ...(fetched && { delivery: 'pickup' }), ...(ship_from && { ship_from }) }
}

/** For each method of shipping. */
async function placesOf(container, methods) {
  const ids = [...new Set(methods.flatMap(({ shipping_option_id }) => shipping_option_id ?? []))]
  if (ids.length === 0) return []
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: 'shipping_option', fields: FIELDS, filters: { id: ids } })
  const options = new Map(data.map((option) => [option.id, option]))
  return methods.map(({ shipping_option_id }) => {
    const { type, location } = options.get(shipping_option_id)?.service_zone?.fulfillment_set ?? {}
    const address = location?.address?.country_code ? addressOf(location.address) : null
    return { pickup: type === 'pickup', address }
  })
}

module.exports = { deliveryOf }
