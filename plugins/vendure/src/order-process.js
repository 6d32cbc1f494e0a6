'use strict'

const PAID = new Set(['PaymentAuthorized', 'PaymentSettled'])

/** No order reaches its payment without the tax of an answer. */
function taxOrderProcess(token) {
  let service
  return {
    init: (injector) => {
      service = injector.get(token)
    },
    onTransitionStart: async (fromState, toState, { ctx, order }) => {
      const begins = toState === 'ArrangingPayment' && fromState !== 'ArrangingAdditionalPayment'
      if (begins) await service.settleAndSave(ctx, order)
      const checked = begins || (fromState === 'ArrangingPayment' && PAID.has(toState))
      if (checked && !service.isTaxed(order)) return 'The tax is not known: give an address with a country'
      return undefined
    },
  }
}

module.exports = { taxOrderProcess }
