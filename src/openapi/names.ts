import * as z from 'zod'
import * as accounts from '../accounts/schemas.ts'
import * as seller from '../accounts/seller-field.ts'
import * as addresses from '../addresses/schemas.ts'
import * as audit from '../audit/schemas.ts'
import * as calculated from '../calculation/answers.ts'
import * as calculation from '../calculation/schemas.ts'
import * as customers from '../customers/schemas.ts'
import * as events from '../events/schemas.ts'
import * as exemptions from '../exemptions/schemas.ts'
import * as answers from '../http/answers.ts'
import * as fields from '../http/fields.ts'
import * as enums from '../http/tax-enums.ts'
import * as metadata from '../metadata/schemas.ts'
import * as nexus from '../nexus/schemas.ts'
import * as obligations from '../obligations/schemas.ts'
import * as registrations from '../registrations/schemas.ts'
import * as ossRecords from '../reports/oss-records/schemas.ts'
import * as filing from '../reports/filing/answers.ts'
import * as figures from '../reports/filing/figure-answers.ts'
import * as reports from '../reports/schemas.ts'
import * as soldKinds from '../reports/sold-kind.ts'
import * as documents from '../reports/documents/schemas.ts'
import * as reviews from '../reviews/schemas.ts'
import * as returns from '../reports/returns/schemas.ts'
import * as status from '../status/schemas.ts'
import * as taxData from '../tax-data/schemas.ts'
import * as recorded from '../transactions/answers.ts'
import * as transactions from '../transactions/schemas.ts'
import * as vat from '../vat/schemas.ts'
import * as webhooks from '../webhooks/schemas.ts'

const MODULES: readonly object[] = [
  accounts,
  addresses,
  audit,
  calculated,
  calculation,
  customers,
  events,
  documents,
  exemptions,
  answers,
  fields,
  figures,
  enums,
  metadata,
  nexus,
  obligations,
  registrations,
  ossRecords,
  filing,
  reports,
  reviews,
  returns,
  seller,
  soldKinds,
  status,
  taxData,
  recorded,
  transactions,
  vat,
  webhooks,
]

/** Names in the document that would hide a name of JavaScript in the code. */
const RENAMED = new Map([['ErrorAnswer', 'Error']])

/**
 * Every object and every enum that a file of schemas exports. The name of the export is the name in the
 * document. Throws if two have the same name.
 */
export function namedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>()
  const taken = new Map<string, unknown>()
  for (const module of MODULES) {
    for (const [exported, schema] of Object.entries(module)) {
      if (!(schema instanceof z.ZodObject || schema instanceof z.ZodEnum)) continue
      const id = RENAMED.get(exported) ?? exported
      if (taken.has(id) && taken.get(id) !== schema) throw new Error(`Two schemas have the name ${id}`)
      taken.set(id, schema)
      registry.add(schema, { id })
    }
  }
  return registry
}
