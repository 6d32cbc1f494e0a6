'use strict'
const core = require('@vendure/core')
const { createClient } = require('tax-compliance')
const { createCheckout, createRecorder } = require('tax-compliance/shop')
const { TaxComplianceAnswer, TaxComplianceOutbox } = require('./entities.js')
const { toService, toVendure } = require('./money.js')
const { partsOf, questionOf } = require('./question.js')
const { isCurrent, writeAnswer } = require('./tax-lines.js')

const CONTEXT = 'TaxCompliancePlugin'
/** How many entries a flush reads. The next flush reads on. */
const FLUSH_MAX = 200

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
        core.Logger.warn(`The tax service is away: ${trouble.outcome}. ${trouble.error}`, CONTEXT)
        return options.onTrouble?.(trouble)
      },
    })
    this.recorder = createRecorder({
      tax,
      outbox: this.outbox(),
      onUnrecorded: (unrecorded) => {
        core.Logger.error(`${unrecorded.entry.id} is not in the books: ${unrecorded.error}`, CONTEXT)
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
    if (!this.processContext.isServer) return
    // Subscribers get an event after its transaction.
    const flush = () => void this.flush()
    this.subscriptions = [core.OrderPlacedEvent, core.RefundStateTransitionEvent].map((type) =>
      eventBus.ofType(type).subscribe(flush),
    )
    this.timer = setInterval(flush, this.options.flushEveryMs ?? 60_000).unref()
    flush()
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

  /** The question of an order and its answer. Undefined: there is nothing to ask. */
  async ask(order) {
    const sale = await questionOf(order, this.options, this.precision)
    if (!sale) return undefined
    const { answer } = await this.checkout.calculate(sale)
    return { sale, answer }
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
    const answers = this.connection.getRepository(ctx, TaxComplianceAnswer)
    if (asked) await answers.save({ orderId: String(order.id), body: asked })
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

  async keepSale({ ctx, order }) {
    const answers = this.connection.getRepository(ctx, TaxComplianceAnswer)
    const kept = await answers.findOneBy({ orderId: String(order.id) })
    if (kept === null) {
      if (partsOf(order).lines.length === 0) return
      throw new core.InternalServerError(`The tax of the order ${order.code} is not known`)
    }
    const { sale, answer } = kept.body
    const { customer, seller } = sale
    const recorded = {
      external_id: order.code,
      transaction_date: order.orderPlacedAt.toISOString(),
      ...(seller && { seller }),
      customer,
      calculation: answer,
    }
    await this.keep(ctx, { id: `sale ${order.code}`, kind: 'sale', sale: recorded })
    await answers.delete({ orderId: String(order.id) })
  }

  async keepRefund({ ctx, toState, refund, order }) {
    if (toState !== 'Settled' || refund.total <= 0) return
    const entry = {
      external_id: `${order.code} refund ${refund.id}`,
      amount: toService(refund.total, order.currencyCode, this.precision),
      reason: refund.reason || 'Refund',
      refunded_at: new Date().toISOString(),
    }
    const id = `refund ${entry.external_id}`
    await this.keep(ctx, { id, kind: 'refund', sale_external_id: order.code, refund: entry })
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

module.exports = { TaxComplianceService }
