'use strict'
const core = require('@vendure/core')

/** An order that was placed and is canceled before its payment was settled gives back its whole sale. */
async function keepCancellation(service, { ctx, toState, order }) {
  if (toState !== 'Cancelled' || !order.orderPlacedAt) return
  // What was paid is given back by refunds, which are recorded on their own.
  if (await isPaid(service, ctx, order)) return
  const refund = {
    external_id: `${order.code} cancelled`,
    rest: true,
    reason: 'The order was cancelled',
    refunded_at: new Date().toISOString(),
  }
  const id = `refund ${refund.external_id}`
  await service.keep(ctx, { id, kind: 'refund', sale_external_id: order.code, refund })
}

async function isPaid({ connection }, ctx, { id }) {
  const payments = ctx
    ? connection.getRepository(ctx, core.Payment)
    : connection.rawConnection.getRepository(core.Payment)
  return payments.existsBy({ order: { id }, state: 'Settled' })
}

/**
 * Tells the merchant a change of a placed order that no refund records: a modification that does not lower
 * its price, and lines that are cancelled before the payment is settled.
 */
async function reportChange(service, { entity, type }) {
  if (type !== 'created' || !['ORDER_MODIFIED', 'ORDER_CANCELLATION'].includes(entity.type)) return
  try {
    const change =
      entity.type === 'ORDER_MODIFIED' ? await modification(service, entity) : await lines(service, entity)
    if (change === undefined) return
    const sentence = `The order ${change.order_code} was changed after it was placed (${change.what})`
    core.Logger.error(`${sentence}: the books do not have the change`, 'TaxCompliancePlugin')
    await service.options.onChanged?.(change)
  } catch (error) {
    core.Logger.error(`A change of a placed order could not be reported: ${error}`, 'TaxCompliancePlugin')
  }
}

async function modification({ connection }, { data }) {
  const changes = connection.rawConnection.getRepository('OrderModification')
  const change = await changes.findOne({ where: { id: data.modificationId }, relations: { order: true } })
  if (change === null || change.priceChange < 0) return undefined
  return { what: 'modified', order_code: change.order.code, price_change: change.priceChange }
}

async function lines(service, { order: { id } }) {
  const { connection } = service
  const order = await connection.rawConnection.getRepository(core.Order).findOneBy({ id })
  if (order === null || order.state === 'Cancelled' || !order.orderPlacedAt) return undefined
  if (await isPaid(service, undefined, order)) return undefined
  return { what: 'lines_cancelled', order_code: order.code, price_change: null }
}

module.exports = { keepCancellation, reportChange }
