'use strict'
const core = require('@vendure/core')
const { TaxComplianceAnswer, TaxComplianceOutbox } = require('./entities.js')
const { taxOrderProcess } = require('./order-process.js')
const { ServiceOrderTaxStrategy, ServiceTaxLineStrategy } = require('./strategies.js')
const { TaxComplianceService } = require('./tax-service.js')

const NEEDED = ['url', 'apiKey', 'productType', 'onFailure']

/** Taxes of the Tax Compliance Service in Vendure. Its types and options are in index.d.ts. */
class TaxCompliancePlugin {
  static init(options) {
    for (const name of NEEDED)
      if (!options[name]) throw new Error(`TaxCompliancePlugin: the option ${name} is required`)
    TaxCompliancePlugin.options = options
    return TaxCompliancePlugin
  }
}

core.VendurePlugin({
  imports: [core.PluginCommonModule],
  compatibility: '^3.6.0',
  entities: [TaxComplianceAnswer, TaxComplianceOutbox],
  providers: [
    {
      provide: TaxComplianceService,
      useFactory: (...parts) => new TaxComplianceService(TaxCompliancePlugin.options, ...parts),
      inject: [
        core.TransactionalConnection,
        core.EventBus,
        core.OrderCalculator,
        core.ConfigService,
        core.ProcessContext,
      ],
    },
  ],
  exports: [TaxComplianceService],
  configuration: (config) => {
    config.taxOptions.taxLineCalculationStrategy = new ServiceTaxLineStrategy(TaxComplianceService)
    config.taxOptions.orderTaxCalculationStrategy = new ServiceOrderTaxStrategy()
    config.orderOptions.process = [...config.orderOptions.process, taxOrderProcess(TaxComplianceService)]
    return config
  },
})(TaxCompliancePlugin)

module.exports = { TaxCompliancePlugin, TaxComplianceService }
