import * as z from 'zod'
import type { Route } from '../../platform/http/route.ts'
import { allows, type Scope } from '../../platform/database/values/scopes.ts'
import { ROUTES } from '../routes.ts'
import { invariant } from '../../engine/ground/invariant.ts'

/**
 * A tool of an agent: one of our own routes, by its operation. `shown` are the fields of the body or the
 * query that its schema has; left out: all. `fixed` are fields that each call sends.
 */
type ToolOfRoute = {
  name: string
  operation: string
  title: string
  description: string
  shown?: readonly string[]
  required?: readonly string[]
  fixed?: Readonly<Record<string, unknown>>
}

const SALE = [
  'currency',
  'transaction_date',
  'seller',
  'customer',
  'customer_id',
  'ship_from',
  'importer',
  'delivery',
  'marketplace',
  'supply_address',
  'line_items',
  'shipping_cost',
  'discount_amount',
  'tax_behavior',
]

const TOOLS: readonly ToolOfRoute[] = [
  {
    name: 'calculate_tax',
    operation: 'calculateTax',
    title: 'Calculate tax',
    description:
      'Sales tax, VAT or GST of a sale, with the reason of each line in words. Amounts are integers in ' +
      'minor units: 1999 is €19.99. Nothing is recorded.',
    shown: SALE,
    fixed: { explain: true },
  },
  {
    name: 'explain_sale',
    operation: 'getTransaction',
    title: 'Explain a recorded sale',
    description: 'A recorded sale and the reason for its tax, by line, as it was kept with the sale.',
    shown: [],
    fixed: { explain: true },
  },
  {
    name: 'find_sales',
    operation: 'listTransactions',
    title: 'Find recorded sales',
    description:
      'Recorded sales, the newest first. `q` finds an order or invoice number, a customer or an amount.',
    shown: ['q', 'from_date', 'to_date', 'jurisdiction_id', 'status', 'no_tax', 'limit', 'cursor'],
  },
  {
    name: 'get_rates',
    operation: 'getRates',
    title: 'Rates of a place',
    description: 'The rates of a country, state or address on a day, and the rate of a product there.',
  },
  {
    name: 'get_jurisdiction',
    operation: 'getJurisdiction',
    title: 'A place with its thresholds',
    description: 'A country or state with its rates and the thresholds from which a seller must register.',
  },
  {
    name: 'get_nexus',
    operation: 'getNexus',
    title: 'Where the seller must register',
    description: 'How near the recorded sales of the account are to each threshold.',
  },
  {
    name: 'list_obligations',
    operation: 'listObligations',
    title: 'Returns that are due',
    description: 'The returns of the account by registration, with due dates and the tax so far.',
  },
  {
    name: 'validate_vat_id',
    operation: 'validateVatId',
    title: 'Validate a VAT id',
    description: 'Asks the authority whether a VAT id is registered.',
  },
  {
    name: 'record_sale',
    operation: 'createTransaction',
    title: 'Record a sale in the books',
    description:
      'Records a sale in the books for ever. `external_id` is your number of it: the same number is ' +
      'refused, so a repeat records nothing twice. Ask the user before.',
    shown: ['external_id', 'invoice_number', ...SALE],
    required: ['external_id'],
  },
]

export type Tool = ToolOfRoute & { route: Route; scope: Scope }

const OF_ROUTES: readonly Tool[] = TOOLS.map((tool) => {
  const route = invariant(
    ROUTES.find(({ operation }) => operation === tool.operation),
    `${tool.operation} is a route`,
  )
  return { ...tool, route, scope: invariant(route.scope, 'a tool needs a scope') }
})

/** The tool of a name; null: there is none. */
export function toolNamed(name: unknown): Tool | null {
  return OF_ROUTES.find((tool) => tool.name === name) ?? null
}

/** The schema of the arguments of a tool, as JSON Schema. */
type InputSchema = {
  type: 'object'
  properties: Record<string, unknown>
  required: string[]
  additionalProperties: false
}

/** A tool as the protocol lists it. */
type ListedTool = Pick<Tool, 'name' | 'title' | 'description'> & {
  inputSchema: InputSchema
  annotations: Record<string, string | boolean>
}

/** The tools that a key with these scopes may use, as the protocol lists them. */
export function listTools(scopes: ReadonlySet<string>): ListedTool[] {
  return OF_ROUTES.filter(({ scope }) => allows(scopes, scope)).map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: {
      title: tool.title,
      readOnlyHint: !writes(tool),
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tool.operation === 'validateVatId',
    },
  }))
}

/** Calculations and questions are POSTs too, but only those that need a scope to write change anything. */
function writes({ scope }: Tool): boolean {
  return scope.endsWith(':write')
}

type JsonSchema = { properties?: Record<string, unknown>; required?: string[] }

/** The schema of the arguments: the parameters of the path, and the fields of the query or the body. */
function inputSchemaOf({ route, shown, required = [], fixed = {} }: Tool): InputSchema {
  const schema = route.body ?? route.query
  const given: JsonSchema =
    schema === null ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(given.properties ?? {}).filter(
    ([name]) => (shown === undefined || shown.includes(name)) && !Object.hasOwn(fixed, name),
  )
  const params = Object.entries(route.params).map(
    ([name, description]) => [name, { type: 'string', description }] as const,
  )
  const names = new Set([...params, ...fields].map(([name]) => name))
  return {
    type: 'object',
    properties: Object.fromEntries([...params, ...fields]),
    required: [...Object.keys(route.params), ...(given.required ?? []), ...required].filter((name) =>
      names.has(name),
    ),
    additionalProperties: false,
  }
}
