import type { Document, MediaType, Reference, Response } from '../openapi/types.ts'
import { escapeHtml } from './escape.ts'
import type { SitePage } from './frame.ts'
import { codeHtml, renderInline } from './markdown.ts'
import { type Endpoint, samplesHtml, trialHtml } from './samples.ts'
import { type SchemaNode, SchemaWriter } from './schema-html.ts'

/** The reasons that the page /docs/errors explains. */
type ExplainedReasons = ReadonlySet<string>

/** The explained reasons, and what writes the schemas of the page. */
type PageContext = { reasons: ExplainedReasons; schemas: SchemaWriter }

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
<a href="/openapi.json">OpenAPI document</a> that this reference is made from. The samples read the
address of the service, the key and ids from the variables <code>URL</code>, <code>KEY</code>,
<code>ID</code> of the environment.</p>
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
  const schemas = new SchemaWriter(asNamed(document.components.schemas))
  const operations = endpoints.map((endpoint) => operationHtml(document, { reasons, schemas }, endpoint))
  const rows = endpoints.map((endpoint) => operationRow(endpoint, ''))
  const html = `<h1>${escapeHtml(tag.name)}</h1>
<p>${renderInline(tag.description)}</p><ul class="operations">${rows.join('')}</ul>${operations.join('')}`
  return { path: tagPath(tag.name), title: `${tag.name}: API reference`, html, outline: [], wide: true }
}

function eventsPage(document: Document): SitePage {
  const schemas = new SchemaWriter(asNamed(document.components.schemas))
  const events = Object.entries(document.webhooks)
  const parts = events.map(([name, { post }]) => {
    const media = post.requestBody?.content['application/json']
    const fields = media === undefined ? '' : schemas.folded('Payload', asNode(media.schema))
    return `<section class="operation"><div><h2 id="${name}"><code>${escapeHtml(name)}</code></h2>
${describe(post.description)}${fields}</div>
<div class="beside">${exampleHtml('Payload', media)}</div></section>`
  })
  const html = `<h1>Events</h1>
<p>A <a href="/docs/webhooks">webhook</a> receives these events as signed requests.</p>
${parts.join('')}`
  return { path: EVENTS_PATH, title: 'Events: API reference', html, outline: [], wide: true }
}

/** An operation: its text and fields, and beside them its samples, its answer and a form to try it. */
function operationHtml(document: Document, page: PageContext, endpoint: Endpoint): string {
  const { method, path, operation } = endpoint
  const { operationId, summary, parameters = [], responses } = operation
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    ...resolved(document, response),
  }))
  const fields = parameters.map((each) =>
    page.schemas.field(each.name, { ...asNode(each.schema), description: each.description }, each.required),
  )
  const query = fields.length === 0 ? '' : `<h3>Parameters</h3><dl class="fields">${fields.join('')}</dl>`
  const media = operation.requestBody?.content['application/json']
  const request = media === undefined ? '' : page.schemas.body('Request', asNode(media.schema))
  const anchor = `<a class="anchor" href="#${operationId}" aria-label="Link to: ${escapeHtml(summary)}">#</a>`
  return `<section class="operation"><div>
<h2 id="${operationId}">${escapeHtml(summary)} ${anchor}</h2>
<p>${signature(method, path)}</p>${describe(operation.description)}${query}${request}
${answerFieldsHtml(page.schemas, all)}${errorsHtml(page.reasons, all)}</div>
<div class="beside">${samplesHtml(endpoint)}${answersHtml(all)}${trialHtml(endpoint)}</div></section>`
}

type Answer = Response & { status: string }

function answerFieldsHtml(schemas: SchemaWriter, all: readonly Answer[]): string {
  return goodOf(all)
    .map(({ status, content = {} }) => {
      const media = content['application/json']
      return media === undefined ? '' : schemas.folded(`Fields of the answer ${status}`, asNode(media.schema))
    })
    .join('')
}

/** The examples of the answers; a file has its type alone. */
function answersHtml(all: readonly Answer[]): string {
  return goodOf(all)
    .map(({ status, content = {} }) =>
      Object.entries(content)
        .map(([type, media]) =>
          type === 'application/json'
            ? exampleHtml(`Answer ${status}`, media)
            : `<p class="label">Answer ${status}: <code>${escapeHtml(type)}</code></p>`,
        )
        .join(''),
    )
    .join('')
}

function goodOf(all: readonly Answer[]): Answer[] {
  return all.filter(({ status }) => status.startsWith('2'))
}

function errorsHtml(reasons: ExplainedReasons, all: readonly Answer[]): string {
  const faults = all
    .filter(({ status }) => !status.startsWith('2'))
    .map(
      ({ status, description }) =>
        `<div><dt>${status}</dt><dd>${faultsHtml(description, reasons)}</dd></div>`,
    )
  if (faults.length === 0) return ''
  return `<details><summary>Errors</summary><dl class="fields">${faults.join('')}</dl></details>`
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

function exampleHtml(title: string, media: MediaType | undefined): string {
  if (media?.example === undefined) return ''
  return `<p class="label">${title}</p>
<div class="answer-example">${codeHtml(JSON.stringify(media.example, null, 2), 'json')}</div>`
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
