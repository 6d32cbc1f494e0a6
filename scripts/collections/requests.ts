import type { Document, Operation } from '../openapi/types.ts'

/** A query parameter with a first value. `on`: it is sent. The others are for the reader to enable. */
type QuerySample = { name: string; value: string; on: boolean; description: string }

/**
 * A request of a collection. `path` has `{variable}` in place of ids. `makes` is the variable that gets the
 * id of the answer.
 */
export type SampleRequest = {
  id: string
  group: string
  name: string
  description: string
  method: string
  path: string
  query: QuerySample[]
  body: unknown
  has_key: boolean
  keyed: boolean
  makes: string | null
}

/** The variable of a path parameter, by the part of the path before it. */
const VARIABLES: Readonly<Record<string, string>> = {
  accounts: 'account_id',
  'api-keys': 'api_key_id',
  checks: 'check_id',
  customers: 'customer_id',
  deliveries: 'delivery_id',
  exemptions: 'exemption_id',
  external: 'external_id',
  installs: 'install_id',
  jurisdictions: 'jurisdiction_id',
  obligations: 'obligation_id',
  people: 'person_id',
  'own-rates': 'uncovered_id',
  'refused-orders': 'order_id',
  refunds: 'refund_id',
  regions: 'country',
  registrations: 'registration_id',
  returns: 'return_id',
  reviews: 'review_id',
  transactions: 'transaction_id',
  'validate-customer': 'customer_id',
  webhooks: 'webhook_id',
}

/** The first values of variables that no request makes. */
const VALUES: Readonly<Record<string, string>> = {
  country: 'US',
  external_id: 'order-1001',
  jurisdiction_id: 'FR',
  uncovered_id: 'IL',
}

/** Values of query parameters. A required parameter must have one. */
const SAMPLES: Readonly<Record<string, string>> = {
  country: 'FR',
  date: '2026-06-30',
  description: 'Ceramic coffee mug, 350 ml',
  from: '2026-01-01',
  from_date: '2026-01-01',
  jurisdiction: 'FR',
  jurisdiction_id: 'FR',
  period: '2026-Q3',
  report: 'transactions',
  scheme: 'oss_union',
  to: '2026-12-31',
  to_date: '2026-12-31',
  type: 'oss_union',
  vat_id: 'FR83404833048',
}

/** Parameters that are not required alone: the operation needs one of several. */
const SWITCHED_ON: ReadonlySet<string> = new Set(['getRates jurisdiction'])

/** Every operation of the document as a request, with the example of its body. */
export function sampleRequests({ paths, tags }: Document): SampleRequest[] {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(method, path, operation)),
  )
  const order = tags.map(({ name }) => name)
  return requests.toSorted((one, other) => order.indexOf(one.group) - order.indexOf(other.group))
}

/** The variables of all requests with their first values. */
export function variablesOf(requests: readonly SampleRequest[]): Map<string, string> {
  const names = requests.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
  return new Map(names.map((name) => [name, VALUES[name] ?? '']))
}

function requestOf(method: string, path: string, operation: Operation): SampleRequest {
  const { operationId, tags, summary, description, parameters = [], requestBody, security } = operation
  const [group = ''] = tags
  return {
    id: operationId,
    group,
    name: summary,
    description,
    method: method.toUpperCase(),
    path: withVariables(path),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, required, description: text }) => ({
        name,
        value: sampleOf(name, required, path),
        on: required || SWITCHED_ON.has(`${operationId} ${name}`),
        description: text,
      })),
    body: requestBody?.content['application/json']?.example ?? null,
    has_key: security === undefined,
    keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
    makes: method === 'post' && '201' in operation.responses ? madeBy(path) : null,
  }
}

/** `/v1/transactions/{id}` becomes `/v1/transactions/{transaction_id}`. */
function withVariables(path: string): string {
  return path.replace(
    /([^/]+)\/\{\w+\}/g,
    (_, before: string) => `${before}/{${variableAfter(before, path)}}`,
  )
}

function variableAfter(before: string, path: string): string {
  const name = VARIABLES[before]
  if (name === undefined) throw new Error(`${path}: add the variable after ${before} to VARIABLES`)
  return name
}

/** The variable for the id of a new resource: that of the last part of the path. */
function madeBy(path: string): string | null {
  return VARIABLES[path.slice(path.lastIndexOf('/') + 1)] ?? null
}

function sampleOf(name: string, required: boolean, path: string): string {
  const sample = SAMPLES[name]
  if (required && sample === undefined) throw new Error(`${path}: add a value of ${name} to SAMPLES`)
  return sample ?? ''
}
