import type { Document, MediaType, Operation, Reference, Response } from '../openapi/types.ts'
import { escapeHtml } from './escape.ts'
import type { SitePage } from './frame.ts'
import { codeHtml, renderInline } from './markdown.ts'
import { type Endpoint, samplesHtml, trialHtml } from './samples.ts'
import {
  fieldHtml,
  reachedSchemas,
  schemaHtml,
  schemaName,
  type SchemaNode,
  typeHtml,
} from './schema-html.ts'

/** The reasons that the page /docs/errors explains. */
type ExplainedReasons = ReadonlySet<string>

/** The explained reasons, and the request schema that each operation of a page writes out. */
type PageContext = { reasons: ExplainedReasons; writtenAt: ReadonlyMap<string, string> }

/** The pages of the API reference: an overview, a page for each tag, and a page for the events. */
export function referencePages(document: Document, reasons: ExplainedReasons): SitePage[] {
  const endpoints = endpointsOf(document)
  return [
    overview(document, endpoints),
    ...document.tags.map((tag) =>
      tagPage(
        document,
        reasons,
        tag,
        endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
      ),
    ),
    eventsPage(document),
  ]
}

/** The address of a tag's page. */
export function tagPath(name: string): string {
  return `/docs/reference/${name.toLowerCase().replaceAll(' ', '-')}`
}

export const EVENTS_PATH = '/docs/reference/events'

function endpointsOf({ paths }: Document): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function overview({ info, tags, webhooks }: Document, endpoints: readonly Endpoint[]): SitePage {
  const intro = info.description.split('\n\n').map((text) => `<p>${renderInline(text)}</p>`)
  const lists = tags.map(({ name, description }) => {
    const members = endpoints.filter(({ operation }) => operation.tags.includes(name))
    const rows = members.map((endpoint) => operationRow(endpoint, tagPath(name)))
    const id = tagPath(name).split('/').at(-1)
    return `<h2 id="${id}"><a href="${tagPath(name)}">${escapeHtml(name)}</a></h2>
<p>${renderInline(description)}</p><ul class="operations">${rows.join('')}</ul>`
  })
  const events = Object.keys(webhooks).map(
    (name) => `<li><a href="${EVENTS_PATH}#${name}"><code>${escapeHtml(name)}</code></a></li>`,
  )
  const html = `<h1>API reference</h1>${intro.join('')}
<p>To call an operation, get a key with the <a href="/docs/quickstart">quickstart</a>. Programs read the
<a href="/openapi.json">OpenAPI document</a> that this reference is made from.</p>
${lists.join('')}<h2 id="events"><a href="${EVENTS_PATH}">Events</a></h2>
<ul class="operations">${events.join('')}</ul>`
  const outline = tags.map(({ name }) => ({ id: tagPath(name).split('/').at(-1) ?? '', text: name }))
  return { path: '/docs/reference/', title: 'API reference', html, outline }
}

function operationRow({ method, path, operation }: Endpoint, page: string): string {
  const link = `<a href="${page}#${operation.operationId}">${escapeHtml(operation.summary)}</a>`
  return `<li>${link} ${signature(method, path)}</li>`
}

function signature(method: string, path: string): string {
  const breakable = escapeHtml(path).replaceAll('/', '/<wbr>')
  return `<code class="signature"><b class="method">${method}</b> ${breakable}</code>`
}

function tagPage(
  document: Document,
  reasons: ExplainedReasons,
  tag: Document['tags'][number],
  endpoints: readonly Endpoint[],
): SitePage {
  const writtenAt = requestSchemas(endpoints)
  const operations = endpoints.map((endpoint) => operationHtml(document, { reasons, writtenAt }, endpoint))
  const roots = endpoints.flatMap(({ operation }) => schemasOf(document, operation))
  const schemas = schemasHtml(document, roots, new Set(writtenAt.values()))
  const html = `<h1>${escapeHtml(tag.name)}</h1>
<p>${renderInline(tag.description)}</p>${operations.join('')}${schemas}`
  const outline = [
    ...endpoints.map(({ operation }) => ({ id: operation.operationId, text: operation.summary })),
    ...(schemas !== '' ? [{ id: 'schemas', text: 'Schemas' }] : []),
  ]
  return { path: tagPath(tag.name), title: `${tag.name}: API reference`, html, outline }
}

function eventsPage(document: Document): SitePage {
  const events = Object.entries(document.webhooks)
  const parts = events.map(([name, { post }]) => {
    const media = post.requestBody?.content['application/json']
    return `<section><h2 id="${name}"><code>${escapeHtml(name)}</code></h2>
${describe(post.description)}${bodyHtml('Payload', media)}</section>`
  })
  const roots = events.flatMap(([, { post }]) => schemasOf(document, post))
  const html = `<h1>Events</h1>
<p>A <a href="/docs/webhooks">webhook</a> receives these events as signed requests.</p>
${parts.join('')}${schemasHtml(document, roots, new Set())}`
  return {
    path: EVENTS_PATH,
    title: 'Events: API reference',
    html,
    outline: events.map(([id]) => ({ id, text: id })),
  }
}

function operationHtml(document: Document, page: PageContext, endpoint: Endpoint): string {
  const { method, path, operation } = endpoint
  const { operationId, summary, parameters = [], responses } = operation
  const fields = parameters.map((each) =>
    fieldHtml(each.name, { ...asNode(each.schema), description: each.description }, each.required),
  )
  const query = fields.length === 0 ? '' : `<h3>Parameters</h3><dl class="fields">${fields.join('')}</dl>`
  const anchor = `<a class="anchor" href="#${operationId}" aria-label="Link to: ${escapeHtml(summary)}">#</a>`
  return `<section class="operation"><h2 id="${operationId}">${escapeHtml(summary)} ${anchor}</h2>
<p>${signature(method, path)}</p>${describe(operation.description)}
${samplesHtml(endpoint)}${trialHtml(endpoint)}${query}${requestHtml(document, page, operation)}
${answersHtml(document, page.reasons, responses)}</section>`
}

/** The fields of the body. A named schema is written out once on a page; later operations link to it. */
function requestHtml(
  { components }: Document,
  page: PageContext,
  { operationId, requestBody }: Operation,
): string {
  const media = requestBody?.content['application/json']
  if (media === undefined) return ''
  const schema = asNode(media.schema)
  const name = page.writtenAt.get(operationId)
  if (name === undefined) return `<h3>Request</h3><p class="type">${typeHtml(schema)}</p>`
  const named = asNamed(components.schemas)[name] ?? {}
  return `<h3 id="schema-${name}">Request</h3>${schemaHtml(named)}`
}

/** The request schema that each operation writes out: the first operation of the page that takes it. */
function requestSchemas(endpoints: readonly Endpoint[]): Map<string, string> {
  const first = new Map<string, string>()
  for (const { operation } of endpoints) {
    const name = schemaName(asNode(operation.requestBody?.content['application/json']?.schema ?? {}))
    if (name !== null && !first.has(name)) first.set(name, operation.operationId)
  }
  return new Map([...first].map(([name, operationId]) => [operationId, name]))
}

function answersHtml(
  document: Document,
  reasons: ExplainedReasons,
  responses: Operation['responses'],
): string {
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    ...resolved(document, response),
  }))
  const good = all.filter(({ status }) => status.startsWith('2'))
  const bad = all.filter(({ status }) => !status.startsWith('2'))
  const answers = good.map(({ status, content = {} }) =>
    Object.entries(content)
      .map(([type, media]) =>
        type === 'application/json'
          ? bodyHtml(`Answer ${status}`, media)
          : `<h3>Answer ${status}</h3><p><code>${escapeHtml(type)}</code></p>`,
      )
      .join(''),
  )
  if (bad.length === 0) return answers.join('')
  const faults = bad.map(
    ({ status, description }) => `<div><dt>${status}</dt><dd>${faultsHtml(description, reasons)}</dd></div>`,
  )
  return `${answers.join('')}
<details><summary>Errors</summary><dl class="fields">${faults.join('')}</dl></details>`
}

/** Each line of the description is a reason in backticks and its sentence. */
function faultsHtml(description: string, reasons: ExplainedReasons): string {
  return description
    .split('\n')
    .map((line) => {
      const html = renderInline(line.trim())
      const [code = '', reason = ''] = /^<code>(\w+)<\/code>/.exec(html) ?? []
      return reasons.has(reason) ? html.replace(code, `<a href="/docs/errors#${reason}">${code}</a>`) : html
    })
    .map((html) => `<p>${html}</p>`)
    .join('')
}

function bodyHtml(title: string, media: MediaType | undefined): string {
  if (media === undefined) return ''
  const example =
    media.example === undefined
      ? ''
      : `<details><summary>Example</summary>
${codeHtml(JSON.stringify(media.example, null, 2), 'json')}</details>`
  return `<h3>${title}</h3><p class="type">${typeHtml(asNode(media.schema))}</p>${example}`
}

/** All schemas that a page refers to, without those that its operations write out. */
function schemasHtml(document: Document, roots: readonly SchemaNode[], written: ReadonlySet<string>): string {
  const named = asNamed(document.components.schemas)
  const names = reachedSchemas(roots, named).filter((name) => !written.has(name))
  if (names.length === 0) return ''
  const parts = names.map(
    (name) => `<section><h3 id="schema-${name}">${name}</h3>${schemaHtml(named[name] ?? {})}</section>`,
  )
  return `<h2 id="schemas">Schemas</h2>${parts.join('')}`
}

function schemasOf(document: Document, { requestBody, responses, parameters = [] }: Operation): SchemaNode[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const contents = [
    requestBody?.content,
    ...answers.map(([, response]) => resolved(document, response).content),
  ]
  const bodies = contents
    .flatMap((content) => Object.values(content ?? {}))
    .map(({ schema }) => asNode(schema))
  return [...parameters.map(({ schema }) => asNode(schema)), ...bodies]
}

function resolved({ components }: Document, response: Response | Reference): Response {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) ?? ''
  const found = components.responses[name]
  if (found === undefined) throw new Error(`The document has no response ${name}`)
  return found
}

/** The descriptions use Markdown, one paragraph after the other. */
function describe(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${renderInline(paragraph)}</p>`)
    .join('')
}

/** zod types each keyword of JSON Schema as a union with booleans, which our document never contains. */
function asNode(schema: unknown): SchemaNode {
  return schema as SchemaNode
}

function asNamed(schemas: unknown): Record<string, SchemaNode> {
  return schemas as Record<string, SchemaNode>
}
