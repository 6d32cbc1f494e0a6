'use strict'
const { Column, Entity, PrimaryColumn } = require('typeorm')

/** The last question and answer of an order that is not placed yet. Old ones are deleted. */
class TaxComplianceAnswer {}
PrimaryColumn({ type: 'varchar', length: 255 })(TaxComplianceAnswer.prototype, 'orderId')
Column({ type: 'bigint' })(TaxComplianceAnswer.prototype, 'keptAt')
Column({ type: 'simple-json' })(TaxComplianceAnswer.prototype, 'body')
Entity('tax_compliance_answer')(TaxComplianceAnswer)

/** What has to reach the books. It is written in the transaction that places the order or settles the refund. */
class TaxComplianceOutbox {}
PrimaryColumn({ type: 'varchar', length: 255 })(TaxComplianceOutbox.prototype, 'id')
Column({ type: 'bigint' })(TaxComplianceOutbox.prototype, 'keptAt')
Column({ type: 'simple-json' })(TaxComplianceOutbox.prototype, 'body')
Entity('tax_compliance_outbox')(TaxComplianceOutbox)

module.exports = { TaxComplianceAnswer, TaxComplianceOutbox }
