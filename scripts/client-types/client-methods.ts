import type { Document, MediaType, Operation } from '../openapi/types.ts'
import { block, field, schemaName, typeName } from './schema-type.ts'

/** The name of the client's method for each operation, such as `transactions.get`. */
type ClientNames = ReadonlyMap<string, string>

/** The names of the client's methods, by operation. Throws an Error for a name of two routes. */
export function clientNames(routes: readonly { operation: string; client: string | null }[]): ClientNames {
  const named = routes.flatMap(({ operation, client }) => (client === null ? [] : [{ operation, client }]))
  for (const [name, of] of Map.groupBy(named, ({ client }) => client)) {
    const other = named.find(({ client }) => client.startsWith(`${name}.`))
    if (of.length > 1)
      throw new Error(`${of.map(({ operation }) => operation).join(' and ')} are both ${name}`)
    if (other !== undefined) throw new Error(`${name} cannot be a method and contain ${other.client}`)
  }
  return new Map(named.map(({ operation, client }) => [operation, client]))
}

/** Whether the client gives the rows of an answer one after the other. */
export function isList({ operationId, parameters = [] }: Operation): boolean {
  return operationId.startsWith('list') && parameters.some(({ name }) => name === 'limit')
}

/** Rows whose types say more than the OpenAPI document: the type of an event decides that of its data. */
const TYPE_OF_ROWS: Readonly<Record<string, string>> = { listEvents: 'AccountEvent' }

/** An operation and its place. */
type Placed = { method: string; path: string; operation: Operation }

/**
 * The methods of the client in TypeScript. Their arguments are the parts of the path, the body, the query,
 * and the options of the call.
 */
export function clientMethods(document: Document, names: ClientNames): string {
  const methods = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([method, operation]) => {
      const name = names.get(operation.operationId)
      const text = name === undefined ? '' : methodText(document, { method, path, operation })
      return name === undefined ? [] : [{ parts: name.split('.'), text, summary: operation.summary }]
    }),
  )
  return `// Made by \`npm run generate\` from the OpenAPI document. Do not edit.
import {
  answerOf, type CallOptions, fileOf, type QueryOf, sent, sentFile, type WriteOptions,
} from './call.ts'
import type { Http } from './http.ts'
import { listOf } from './list.ts'
import type * as types from './schema.ts'
import type { AccountEvent } from './webhook-event.ts'

/** The methods of the client, by resource. */
${'export'} function methodsOf(http: Http) {
  return ${resourceText(methods)}
}
`
}

type Method = { parts: readonly string[]; text: string; summary: string }

/** The object of a resource: its methods, and the resources in it. */
function resourceText(methods: readonly Method[]): string {
  const fields = [...Map.groupBy(methods, ({ parts: [name = ''] }) => name)].map(([name, members]) => {
    const [{ parts, text, summary } = { parts: [], text: '', summary: '' }] = members
    if (parts.length === 1) return `${field(name, text, { text: summary })},`
    return `${name}: ${resourceText(members.map((each) => ({ ...each, parts: each.parts.slice(1) })))},`
  })
  return block(fields)
}

function methodText(document: Document, { method, path, operation }: Placed): string {
  const { operationId, parameters = [], requestBody } = operation
  const list = isList(operation)
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const keyed = parameters.some(({ name }) => name === 'Idempotency-Key')
  const given = requestBody === undefined ? null : bodyOf(requestBody)
  const needed = queries.some(({ required }) => required)
  const args = [
    ...places.map((name) => `${name}: string`),
    ...(given === null ? [] : [given.argument]),
    ...(queries.length === 0 ? [] : [`query: ${queryType(operationId, queries)}${needed ? '' : ' = {}'}`]),
    `options: ${keyed ? 'WriteOptions' : 'CallOptions'} = {}`,
  ]
  const params = [
    ...(places.length === 0 ? [] : [`path: { ${places.join(', ')} }`]),
    ...(queries.length === 0 ? [] : [list ? 'query: { ...query, ...next }' : 'query']),
  ]
  const { parse, take } = answerForm(document, operation)
  const init = [
    ...(params.length === 0 ? [] : [`params: { ${params.join(', ')} }`]),
    ...(parse === null ? [] : [`parseAs: '${parse}'`]),
    ...(given?.sent ?? ['...sent(options)']),
  ]
  const call = `http.${method.toUpperCase()}('${path}', { ${init.join(', ')} })`
  return `(${args.join(', ')}) =>\n  ${take(call)}`
}

/** The argument of a body, and the fields of the request that send it. */
function bodyOf({ required, content }: NonNullable<Operation['requestBody']>) {
  const json = content['application/json']
  if (json === undefined) return { argument: 'file: Blob', sent: ['...sentFile(file, options)'] }
  return { argument: `body: ${typeOf(json)}${required ? '' : ' = {}'}`, sent: ['body', '...sent(options)'] }
}

/** A list that has cursors needs no offset. */
function queryType(id: string, parameters: readonly { name: string }[]): string {
  const both = ['cursor', 'offset'].every((each) => parameters.some(({ name }) => name === each))
  return both ? `Omit<QueryOf<'${id}'>, 'offset'>` : `QueryOf<'${id}'>`
}

/** How an answer is read, and what a method makes of the call. A file of text keeps its name. */
function answerForm(document: Document, { operationId, ...operation }: Operation) {
  const content = contentOf(operation)
  const files = Object.keys(content).filter((type) => !/json/.test(type))
  const json = content['application/json']
  if (files.some((type) => /^(text|application\/xml)/.test(type)))
    return { parse: 'arrayBuffer', take: (call: string) => `fileOf(${call})` }
  if (json === undefined) return { parse: 'blob', take: (call: string) => `answerOf<Blob>(${call})` }
  const answered = (call: string) => `answerOf<${typeOf(json)}>(${call})`
  if (!isList({ operationId, ...operation })) return { parse: null, take: answered }
  const type = TYPE_OF_ROWS[operationId]
  const rows = `answer.${rowsOf(document, json)}${type === undefined ? '' : ` as ${type}[]`}`
  return { parse: null, take: (call: string) => `listOf((next) => ${answered(call)}, (answer) => ${rows})` }
}

function contentOf({ responses }: Pick<Operation, 'responses'>): Readonly<Record<string, MediaType>> {
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && 'content' in response ? [response.content ?? {}] : [],
  )
  return answers[0] ?? {}
}

/** The rows of a page are the first list of its answer. */
function rowsOf({ components }: Document, { schema }: MediaType): string {
  const { properties = {} } = components.schemas[schemaName(schema) ?? ''] ?? {}
  const lists = Object.entries(properties).filter(
    ([, each]) => typeof each === 'object' && each.type === 'array',
  )
  const [name] = lists[0] ?? []
  if (name === undefined) throw new Error(`${schemaName(schema)} is the answer of a list and has no rows`)
  return name
}

function typeOf({ schema }: MediaType): string {
  const name = schemaName(schema)
  if (name === null) throw new Error(`Export the schema ${JSON.stringify(schema)}: the client needs its name`)
  return `types.${typeName(name)}`
}
