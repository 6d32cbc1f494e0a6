import type { Document, MediaType, Operation, Response } from './openapi/types.ts'

/** The schema `Error` would hide the Error of JavaScript in the code of the client's users. */
const RENAMED = { from: 'Error', to: 'ErrorAnswer' }

const ERROR: Response = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${RENAMED.from}` } } },
}

/**
 * The part of the document that the types of the client need: no examples, no headers of answers, and one
 * error for all statuses. A new example or a new reason of an error does not change the types.
 */
export function forTypes(document: Document): object {
  const { openapi, info, paths, webhooks, components } = document
  const reduced = {
    openapi,
    info: { title: info.title, version: info.version },
    paths: mapped(paths, (methods) => mapped(methods, reducedOperation)),
    webhooks: mapped(webhooks, ({ post }) => ({ post: reducedEvent(post) })),
    components: { schemas: components.schemas },
  }
  const reference = (name: string) => `"#/components/schemas/${name}"`
  const { [RENAMED.from]: renamed, ...schemas } = components.schemas
  const text = JSON.stringify({
    ...reduced,
    components: { schemas: { ...schemas, [RENAMED.to]: renamed } },
  })
  return JSON.parse(text.replaceAll(reference(RENAMED.from), reference(RENAMED.to)))
}

function reducedOperation({
  operationId,
  summary,
  description,
  parameters,
  requestBody,
  responses,
}: Operation) {
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && 'description' in response ? [[status, response] as const] : [],
  )
  return {
    operationId,
    summary,
    description,
    parameters,
    ...(requestBody && { requestBody: { ...requestBody, content: withoutExamples(requestBody.content) } }),
    responses: {
      ...Object.fromEntries(
        answers.map(([status, { description: text, content = {} }]) => [
          status,
          { description: text, content: withoutExamples(content) },
        ]),
      ),
      default: ERROR,
    },
  }
}

/** Only the body: receivers get no typed headers. */
function reducedEvent({ operationId, summary, requestBody }: Operation) {
  return {
    operationId,
    summary,
    requestBody: { required: true, content: withoutExamples(requestBody?.content ?? {}) },
    responses: { '2XX': { description: 'The event was accepted' } },
  }
}

/** Without NDJSON too, which the client never accepts: an answer that may be JSON is then JSON. */
function withoutExamples(content: Record<string, MediaType>) {
  const kept = Object.entries(content).filter(([type]) => type !== 'application/x-ndjson')
  return mapped(Object.fromEntries(kept), ({ schema }) => ({ schema }))
}

function mapped<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

const FIRST = 'export interface components {\n    schemas: {\n'
const LAST = '\n    };\n'

/**
 * Turns each schema of openapi-typescript's output into a type with its own name: editors and compilers then
 * say `Transaction`, not all its fields. `components['schemas']` keeps the same names. Throws if the output
 * has another form.
 */
export function withNamedTypes(generated: string): string {
  const first = generated.indexOf(FIRST)
  const last = generated.indexOf(LAST, first)
  if (first < 0 || last < 0) throw new Error('openapi-typescript writes another form of components')
  const names: string[] = []
  const types = generated
    .slice(first + FIRST.length, last)
    .split('\n')
    .map((line) => line.replace(/^ {8}/, ''))
    .map((line) =>
      line.replace(/^(\w+): /, (_, name: string) => {
        names.push(name)
        return `export type ${name} = `
      }),
    )
  const listed = names.map((name) => `        ${name}: ${name};`).join('\n')
  const whole = `${generated.slice(0, first)}${FIRST}${listed}${generated.slice(last)}`
  return `${types.join('\n')}\n\n${whole}`.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
}
