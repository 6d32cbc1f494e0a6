import * as z from 'zod'
import * as accounts from '../../src/parties/accounts/schemas.ts'
import * as establishments from '../../src/parties/accounts/establishments.ts'
import * as ownRates from '../../src/parties/accounts/own-rates-schemas.ts'
import * as seller from '../../src/parties/accounts/seller-field.ts'
import * as addresses from '../../src/parties/addresses/schemas.ts'
import * as audit from '../../src/platform/audit/schemas.ts'
import * as certificateRequests from '../../src/parties/certificate-requests/schemas.ts'
import * as calculated from '../../src/sales/calculation/answers.ts'
import * as rules from '../../src/sales/calculation/rule-schemas.ts'
import * as calculation from '../../src/sales/calculation/schemas.ts'
import * as customers from '../../src/parties/customers/schemas.ts'
import * as events from '../../src/notices/events/schemas.ts'
import * as exampleBooks from '../../src/interfaces/example-books/schemas.ts'
import * as exemptions from '../../src/parties/exemptions/schemas.ts'
import * as answers from '../../src/platform/http/answers.ts'
import * as fields from '../../src/platform/http/fields.ts'
import * as enums from '../../src/platform/http/tax-enums.ts'
import * as messages from '../../src/notices/messages/schemas.ts'
import * as metadata from '../../src/tax-data/metadata/schemas.ts'
import * as nexus from '../../src/sales/nexus/schemas.ts'
import * as obligations from '../../src/returns/obligations/schemas.ts'
import * as overview from '../../src/interfaces/overview/schemas.ts'
import * as recordedSale from '../../src/returns/recorded-sale/answer.ts'
import * as platformAccounts from '../../src/parties/platform-accounts/schemas.ts'
import * as people from '../../src/parties/people/schemas.ts'
import * as registrations from '../../src/returns/registrations/schemas.ts'
import * as ossRecords from '../../src/returns/oss-records/schemas.ts'
import * as filing from '../../src/returns/forms/answers.ts'
import * as reports from '../../src/returns/reports/schemas.ts'
import * as documents from '../../src/returns/documents/schemas.ts'
import * as queries from '../../src/returns/forms/queries.ts'
import * as lines from '../../src/returns/rows/line-schemas.ts'
import * as figures from '../../src/returns/rows/figure-answers.ts'
import * as soldKinds from '../../src/returns/rows/sold-kind.ts'
import * as reviews from '../../src/tax-data/reviews/schemas.ts'
import * as returns from '../../src/returns/kept/schemas.ts'
import * as saleorInstalls from '../../src/interfaces/saleor/install-schemas.ts'
import * as status from '../../src/tax-data/status/schemas.ts'
import * as suggestions from '../../src/tax-data/suggestions/schemas.ts'
import * as taxData from '../../src/tax-data/records/schemas.ts'
import * as recorded from '../../src/sales/transactions/sale/answers.ts'
import * as transactions from '../../src/sales/transactions/sale/schemas.ts'
import * as vat from '../../src/parties/vat/schemas.ts'
import * as vatChecks from '../../src/parties/vat-checks/schemas.ts'
import * as webhooks from '../../src/notices/subscriptions/schemas.ts'
import { eventSchemaName, SENT_EVENTS } from './event-bodies.ts'

const MODULES: readonly object[] = [
  accounts,
  addresses,
  audit,
  calculated,
  certificateRequests,
  rules,
  calculation,
  customers,
  events,
  documents,
  establishments,
  ownRates,
  figures,
  soldKinds,
  exampleBooks,
  exemptions,
  answers,
  fields,
  enums,
  messages,
  metadata,
  nexus,
  obligations,
  overview,
  recordedSale,
  people,
  platformAccounts,
  registrations,
  ossRecords,
  filing,
  lines,
  queries,
  reports,
  reviews,
  returns,
  seller,
  saleorInstalls,
  status,
  suggestions,
  taxData,
  recorded,
  transactions,
  vat,
  vatChecks,
  webhooks,
]

/** Names in the document that would hide a name of JavaScript in the code. */
const RENAMED = new Map([['ErrorAnswer', 'Error']])

/**
 * Every object and every enum that a file of schemas exports, and the bodies of events. The name of the
 * export is the name in the document. Throws if two have the same name.
 */
export function namedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>()
  const taken = new Map<string, unknown>()
  for (const module of MODULES) {
    for (const [exported, schema] of Object.entries(module)) {
      if (![z.ZodObject, z.ZodEnum, z.ZodUnion].some((kind) => schema instanceof kind)) continue
      const id = RENAMED.get(exported) ?? exported
      if (taken.has(id) && taken.get(id) !== schema) throw new Error(`Two schemas have the name ${id}`)
      taken.set(id, schema)
      registry.add(schema, { id })
    }
  }
  for (const { type, body } of SENT_EVENTS) registry.add(body, { id: eventSchemaName(type) })
  return registry
}
