'use strict'
const core = require('@vendure/core')
const { LessThan } = require('typeorm')
const { createClient } = require('tax-compliance')
const { createCheckout, createRecorder } = require('tax-compliance/shop')
const { TaxComplianceAnswer, TaxComplianceOutbox } = require('./entities.js')
const { toService, toVendure } = require('./money.js')
const { keepCancellation, reportChange } = require('./placed-orders.js')
const { partsOf, questionOf, shopLinesOf } = require('./question.js')
const { isCurrent, taxOf, writeAnswer } = require('./tax-lines.js')

const CONTEXT = 'TaxCompliancePlugin'
/** How many entries a flush reads. The next flush reads on. */
const FLUSH_MAX = 200
/** How long the answer of a cart is kept. A sale whose payment is later goes by the tax lines of its order. */
const ANSWER_KEPT_MS = 90 * 24 * 60 * 60 * 1_000
/** How many old answers one run deletes. The next run deletes more. */
const PRUNED_MAX = 1_000

/** A refusal of the service by its code: its message may quote what a buyer typed. */
function reasonOf(error) {
  return error?.reason ?? error
}

/** Asks the service, writes its answers into orders, and records sales and refunds. */
class TaxComplianceService {
  constructor(options, connection, eventBus, orderCalculator, configService, processContext) {
    Object.assign(this, { options, connection, eventBus, orderCalculator, configService, processContext })
    const tax = createClient({ baseUrl: options.url, apiKey: options.apiKey })
    this.checkout = createCheckout({
      ...options.checkout,
      tax,
      on_failure: options.onFailure,
      onTrouble: (trouble) => {
        core.Logger.warn(`The tax service is away: ${trouble.outcome}. ${reasonOf(trouble.error)}`, CONTEXT)
        return options.onTrouble?.(trouble)
      },
    })
    this.recorder = createRecorder({
      tax,
      outbox: this.outbox(),
      onUnrecorded: (unrecorded) => {
        core.Logger.error(
          `${unrecorded.entry.id} is not in the books: ${reasonOf(unrecorded.error)}`,
          CONTEXT,
        )
        return options.onUnrecorded?.(unrecorded)
      },
    })
    this.flushing = Promise.resolve(0)
  }

  onApplicationBootstrap() {
    this.settleAfterCalculator()
    const { eventBus } = this
    // Blocking handlers run in the transaction of their event: either both are stored, or none.
    eventBus.registerBlockingEventHandler({
      event: core.OrderPlacedEvent,
      id: 'tax-compliance-sale',
      handler: (event) => this.keepSale(event),
    })
    eventBus.registerBlockingEventHandler({
      event: core.RefundStateTransitionEvent,
      id: 'tax-compliance-refund',
      handler: (event) => this.keepRefund(event),
    })
    eventBus.registerBlockingEventHandler({
      event: core.OrderStateTransitionEvent,
      id: 'tax-compliance-cancellation',
      handler: (event) => keepCancellation(this, event),
    })
    // Subscribers get an event after its transaction.
    const flush = () => void this.flush()
    const report = eventBus
      .ofType(core.HistoryEntryEvent)
      .subscribe((event) => void reportChange(this, event))
    this.subscriptions = [report]
    if (!this.processContext.isServer) return
    for (const type of [
      core.OrderPlacedEvent,
      core.RefundStateTransitionEvent,
      core.OrderStateTransitionEvent,
    ])
      this.subscriptions.push(eventBus.ofType(type).subscribe(flush))
    const work = () => void this.flush().then(() => this.prune())
    this.timer = setInterval(work, this.options.flushEveryMs ?? 60_000).unref()
    work()
  }

  async onModuleDestroy() {
    clearInterval(this.timer)
    this.subscriptions?.forEach((each) => each.unsubscribe())
    await this.flushing
  }

  /**
   * Vendure calls no strategy after it has applied promotions and shipping, so the final state of an order is
   * asked here. Without promotions it is the state that the strategy has just asked.
   */
  settleAfterCalculator() {
    const { orderCalculator } = this
    const apply = orderCalculator.applyPriceAdjustments.bind(orderCalculator)
    orderCalculator.applyPriceAdjustments = async (ctx, ...args) => {
      const order = await apply(ctx, ...args)
      await this.settle(ctx, order)
      return order
    }
  }

  get precision() {
    return this.configService.entityOptions.moneyStrategy.precision ?? 2
  }

  /** The question of an order, its answer, and its lines. Undefined: there is nothing to ask. */
  async ask(order) {
    const sale = await questionOf(order, this.options, this.precision)
    if (!sale) return undefined
    const { answer } = await this.checkout.calculate(sale)
    return { sale, answer, shop_lines: shopLinesOf(order) }
  }

  write(order, answer) {
    writeAnswer(order, answer, (amount) => toVendure(amount, order.currencyCode, this.precision))
  }

  /** The tax lines of one line, for the order as it is while Vendure calculates. */
  async taxLinesOf(order, orderLine) {
    const asked = await this.ask(order)
    if (asked) this.write(order, asked.answer)
    return (asked && orderLine.taxLines) ?? []
  }

  /** Writes the answer for the order as it is, and keeps it for the record of the sale. */
  async settle(ctx, order) {
    const asked = await this.ask(order)
    const { lines, surcharges, shippingLines } = partsOf(order)
    if (asked) this.write(order, asked.answer)
    // Tax of an earlier address must not stay.
    else for (const line of [...lines, ...surcharges, ...shippingLines]) line.taxLines = []
    Object.assign(
      order,
      this.configService.taxOptions.orderTaxCalculationStrategy.calculateOrderTotals(order),
    )
    // An order of a test of shipping methods is not stored.
    if (order.id === undefined) return
    for (const { id, taxLines } of surcharges)
      await this.connection.getRepository(ctx, core.Surcharge).update(id, { taxLines })
    // The sale of a placed order is recorded already: `reportChange` reports a later change.
    if (order.orderPlacedAt) return
    const answers = this.connection.getRepository(ctx, TaxComplianceAnswer)
    if (asked) await answers.save({ orderId: String(order.id), keptAt: Date.now(), body: asked })
    else await answers.delete({ orderId: String(order.id) })
  }

  /** Calculates anew when the checkout begins: the cart may be of last year, with its rates. */
  async settleAndSave(ctx, order) {
    await this.settle(ctx, order)
    const save = async (type, list) => {
      const repository = this.connection.getRepository(ctx, type)
      for (const { id, taxLines } of list) await repository.update(id, { taxLines })
    }
    await save(core.OrderLine, order.lines)
    await save(core.ShippingLine, order.shippingLines)
  }

  /** Whether each part of the order has the tax of an answer. */
  isTaxed(order) {
    return Object.values(partsOf(order)).flat().every(isCurrent)
  }

  /** Deletes the answers of carts that nobody changed for long. Returns how many it deleted. */
  async prune(now = Date.now()) {
    const answers = this.connection.rawConnection.getRepository(TaxComplianceAnswer)
    try {
      const where = { keptAt: LessThan(now - ANSWER_KEPT_MS) }
      const old = await answers.find({ select: { orderId: true }, where, take: PRUNED_MAX })
      for (const { orderId } of old) await answers.delete({ orderId, ...where })
      return old.length
    } catch (error) {
      core.Logger.error(`Old answers could not be deleted: ${error}`, CONTEXT)
      return 0
    }
  }

  async keepSale({ ctx, order }) {
    const answers = this.connection.getRepository(ctx, TaxComplianceAnswer)
    const kept = await answers.findOneBy({ orderId: String(order.id) })
    if (kept === null && partsOf(order).lines.length === 0) return
    const recorded = {
      external_id: order.code,
      transaction_date: order.orderPlacedAt.toISOString(),
      ...(kept === null ? await this.saleAsCharged(order) : saleAsAnswered(kept.body)),
    }
    await this.keep(ctx, { id: `sale ${order.code}`, kind: 'sale', sale: recorded })
    await answers.delete({ orderId: String(order.id) })
  }

  /** The sale of an order whose answer is deleted, with the taxes that its tax lines have. */
  async saleAsCharged(order) {
    const sale = await questionOf(order, this.options, this.precision)
    if (!sale || !this.isTaxed(order))
      throw new core.InternalServerError(`The tax of the order ${order.code} is not known`)
    const { lines, surcharges, shippingLines } = partsOf(order)
    const taxOfAll = (parts) => {
      const tax = parts.reduce((sum, part) => sum + taxOf(part).tax, 0)
      return toService(tax, order.currencyCode, this.precision)
    }
    const { shipping_cost, ...rest } = sale
    const items = [...lines, ...surcharges].map((part, at) => ({
      ...sale.line_items[at],
      tax_amount: taxOfAll([part]),
    }))
    const shipping = shipping_cost && {
      ...shipping_cost,
      product_type: 'shipping',
      tax_amount: taxOfAll(shippingLines),
    }
    return {
      ...rest,
      line_items: shipping ? [...items, shipping] : items,
      shop_lines: shopLinesOf(order),
    }
  }

  async keepRefund({ ctx, toState, refund, order }) {
    if (toState !== 'Settled' || refund.total <= 0) return
    const minor = (amount) => toService(amount, order.currencyCode, this.precision)
    const entry = {
      external_id: `${order.code} refund ${refund.id}`,
      amount: minor(refund.total),
      reason: refund.reason || 'Refund',
      refunded_at: new Date().toISOString(),
      shop_lines: await this.refundedLines(ctx, refund),
      shop_shipping: minor(Math.max(refund.shipping ?? 0, 0)),
    }
    const id = `refund ${entry.external_id}`
    await this.keep(ctx, { id, kind: 'refund', sale_external_id: order.code, refund: entry })
  }

  /** The lines of a refund: its event does not have them. */
  async refundedLines(ctx, { id }) {
    const lines = await this.connection.getRepository(ctx, core.RefundLine).findBy({ refundId: id })
    return lines
      .filter(({ quantity }) => quantity > 0)
      .map(({ orderLineId, quantity }) => ({ shop_line: String(orderLineId), quantity }))
  }

  async keep(ctx, entry) {
    const outbox = ctx
      ? this.connection.getRepository(ctx, TaxComplianceOutbox)
      : this.connection.rawConnection.getRepository(TaxComplianceOutbox)
    if (await outbox.existsBy({ id: entry.id })) return
    await outbox.insert({ id: entry.id, keptAt: Date.now(), body: entry })
  }

  outbox() {
    const table = () => this.connection.rawConnection.getRepository(TaxComplianceOutbox)
    return {
      put: (entry) => this.keep(undefined, entry),
      list: async () => {
        const rows = await table().find({ order: { keptAt: 'ASC', id: 'ASC' }, take: FLUSH_MAX })
        return rows.map(({ body }) => body)
      },
      delete: async (id) => void (await table().delete({ id })),
    }
  }

  /** Sends what is in the outbox, one flush after the other. Returns how many entries were recorded. */
  flush() {
    this.flushing = this.flushing
      .then(() => this.recorder.flush())
      .catch((error) => {
        core.Logger.error(`The outbox could not be sent: ${error}`, CONTEXT)
        return 0
      })
    return this.flushing
  }
}

/** `shop_lines` is missing in an answer that an older version of the plugin kept. */
function saleAsAnswered({ sale, answer, shop_lines }) {
  const { currency, line_items, shipping_cost, ...parties } = sale
  return { ...parties, calculation: answer, ...(shop_lines && { shop_lines }) }
}

module.exports = { TaxComplianceService }
