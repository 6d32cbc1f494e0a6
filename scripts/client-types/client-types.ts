import { PRODUCT_TYPE_IDS, SUPPLY_REASONS } from '../../src/engine/book/product-types.ts'
import { REASONS } from '../../src/platform/errors.ts'
import { PEER_CODE } from '../../src/platform/http/tax-enums.ts'
import type { Document, MediaType, Operation } from '../openapi/types.ts'
import { block, comment, field, schemaType, typeName, union } from './schema-type.ts'

function quoted(word: string): string {
  return `'${word}'`
}

/** The codes of `PEER_CODE`: a misspelt product type has no such form, so the compiler refuses it. */
const PEER_CODE_TYPE = `/** A code of Stripe, Avalara or TaxJar, or of ours for a line that is no supply */
${'export'} type PeerCode =
  | \`txcd_\${number}\`
  | \`\${Uppercase<string>}\${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}\${Uppercase<string>}\`
  | ${union(['NT', 'AT', 'FR', ...SUPPLY_REASONS.map((each) => `no_supply_${each}`)].map(quoted))}`

/**
 * The types of the client in TypeScript, as `client/src/http.ts` reads them. Each schema is a type with its
 * name: editors and compilers then say `Transaction`, not all its fields. The errors of an operation have one
 * type.
 */
export function clientTypes({ paths, webhooks, components }: Document): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const posts = all.filter(({ method }) => method === 'post')
  const ids = JSON.stringify(PRODUCT_TYPE_IDS)
  const parts = [
    '// Made by `npm run generate` from the OpenAPI document. Do not edit.',
    ...Object.entries(components.schemas).map(
      ([name, schema]) =>
        `${comment(schema.description)}export type ${typeName(name)} = ${schemaType(schema)}`,
    ),
    declaration('components', [
      field(
        'schemas',
        block(Object.keys(components.schemas).map((name) => field(typeName(name), typeName(name)))),
      ),
    ]),
    declaration('paths', Object.entries(paths).map(pathField)),
    declaration(
      'operations',
      all.map(({ operation }) => field(operation.operationId, operationType(operation))),
    ),
    declaration(
      'webhooks',
      Object.entries(webhooks).map(([type, { post }]) => {
        const body = block([`requestBody: ${contentType(post.requestBody?.content)}`])
        return field(type, `{ post: ${body} }`, { text: post.summary })
      }),
    ),
    setOf('The POSTs that take an Idempotency-Key', 'KEYED_POSTS', posts.filter(isKeyed)),
    setOf('The POSTs that change nothing', 'ASKING_POSTS', posts.filter(asksOnly)),
    `/** The product types */\nexport const PRODUCT_TYPE_IDS: readonly string[] = ${ids}`,
    PEER_CODE_TYPE,
    `/** The forms of codes of other services */\nexport const PEER_CODE = ${String(PEER_CODE)}`,
    `/** The reasons of errors */\nexport type Reason = ${union(Object.keys(REASONS).map(reasonType))}`,
  ]
  return `${parts.join('\n\n')}\n`
}

function declaration(name: string, fields: readonly string[]): string {
  return `export interface ${name} ${block(fields)}`
}

function pathField([path, methods]: [string, Record<string, Operation>]): string {
  const fields = Object.entries(methods).map(([method, { operationId, summary, description }]) =>
    field(method, `operations["${operationId}"]`, { text: `${summary}\n\n${description}` }),
  )
  return field(path, block(fields))
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  // `never` makes the compiler refuse parameters in a place where the operation has none.
  const places = (['query', 'header', 'path', 'cookie'] as const).map((place) => {
    const found = parameters.filter((parameter) => parameter.in === place)
    const fields = found.map(({ name, required, description, schema }) =>
      field(name, schemaType(schema), { required, text: description }),
    )
    const required = found.some((parameter) => parameter.required)
    return field(place, found.length === 0 ? 'never' : block(fields), { required })
  })
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && 'description' in response
      ? [field(status, contentType(response.content), { text: response.description })]
      : [],
  )
  return block([
    field('parameters', block(places)),
    field('requestBody', requestBody === undefined ? 'never' : contentType(requestBody.content), {
      required: requestBody?.required === true,
    }),
    field(
      'responses',
      block([...answers, `default: { content: { "application/json": ${typeName('Error')} } }`]),
    ),
  ])
}

/** Without NDJSON, which the client never accepts: an answer that may be JSON is then JSON. */
function contentType(content: Readonly<Record<string, MediaType>> = {}): string {
  const fields = Object.entries(content)
    .filter(([type]) => type !== 'application/x-ndjson')
    .map(([type, { schema }]) => field(type, schemaType(schema)))
  return `{ content: ${block(fields)} }`
}

type Post = { path: string; operation: Operation }

function isKeyed({ operation }: Post): boolean {
  return operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
}

function asksOnly({ operation }: Post): boolean {
  return /scope `[a-z-]+:read`/.test(operation.description)
}

function setOf(text: string, name: string, posts: readonly Post[]): string {
  const paths = posts.map(({ path }) => `  '${path}',\n`).join('')
  return `/** ${text} */\nexport const ${name}: ReadonlySet<string> = new Set([\n${paths}])`
}

/** `missing_scope` names the scope: `missing_scope: tax:read`. */
function reasonType(reason: string): string {
  return reason === 'missing_scope' ? '`missing_scope: ${string}`' : `'${reason}'`
}
