'use strict'
const { DefaultOrderTaxCalculationStrategy } = require('@vendure/core')
const { partsOf } = require('./question.js')
const { isCurrent, pricesOf } = require('./tax-lines.js')

/** Asks for the whole order. The memo of the checkout makes the questions of its lines one call. */
class ServiceTaxLineStrategy {
  constructor(token) {
    this.token = token
  }

  init(injector) {
    this.service = injector.get(this.token)
  }

  async calculate({ order, orderLine }) {
    return this.service.taxLinesOf(order, orderLine)
  }
}

/** The totals are sums of our cents. A line that changed since our answer is calculated by Vendure. */
class ServiceOrderTaxStrategy {
  constructor() {
    this.byRates = new DefaultOrderTaxCalculationStrategy()
  }

  calculateOrderTotals(order) {
    const { lines, surcharges, shippingLines } = partsOf(order)
    const sum = (parts, side) => parts.map(pricesOf).reduce((total, each) => total + each[side], 0)
    const goods = [...lines, ...surcharges]
    return {
      subTotal: sum(goods, 'net'),
      subTotalWithTax: sum(goods, 'gross'),
      shipping: sum(shippingLines, 'net'),
      shippingWithTax: sum(shippingLines, 'gross'),
    }
  }

  calculateTaxSummary(order) {
    const parts = partsOf(order)
    const rows = new Map()
    const add = (row) => {
      const key = `${row.description}:${row.taxRate}`
      const before = rows.get(key) ?? { ...row, taxBase: 0, taxTotal: 0 }
      const taxBase = before.taxBase + row.taxBase
      rows.set(key, { ...before, taxBase, taxTotal: before.taxTotal + row.taxTotal })
    }
    for (const line of Object.values(parts).flat().filter(isCurrent))
      for (const { rate, description, base, tax } of line.taxLines)
        add({ taxRate: rate, description, taxBase: base, taxTotal: tax })
    const others = Object.entries(parts).map(([name, list]) => [
      name,
      list.filter((line) => !isCurrent(line)),
    ])
    this.byRates.calculateTaxSummary(Object.fromEntries(others)).forEach(add)
    return [...rows.values()]
  }
}

module.exports = { ServiceOrderTaxStrategy, ServiceTaxLineStrategy }
