import type { Document, Operation } from '../openapi/types.ts'
import type { RenderedPage } from './markdown.ts'
import { type SchemaNode, schemaName } from './schema-html.ts'
import { RANK_OF_REASON, RANKS, SYNONYMS } from './search-words.ts'

/** A section of a guide, an operation or an event, as public/docs/find.js reads it. */
type SearchEntry = {
  page: string
  heading: string
  href: string
  fields?: string
  text: string
  words?: string
  rank?: number
}

type SearchIndex = { entries: SearchEntry[]; synonyms: Readonly<Record<string, string>> }

type IndexedGuide = { slug: string; path: string; rendered: RenderedPage }

/** Where the reference has its pages. */
type Addresses = {
  tagPath: (tag: string) => string
  events: string
  /** Of a country the title alone, so that the index stays small. */
  countries: readonly { slug: string; title: string }[]
}

/** The characters of a text that a result can show. All other words of it are kept once each. */
const SHOWN_MAX = 220

/**
 * How much of long lists is searched. Each country has an entry of its own, and what a release changed is
 * told by the guide of it.
 */
const INDEXED_OF: Readonly<Record<string, number>> = { countries: 0, changelog: SHOWN_MAX }

/** Everything that the search of the documentation finds: guides, operations with their fields, events. */
export function searchIndex(
  guides: readonly IndexedGuide[],
  document: Document,
  { tagPath, events, countries }: Addresses,
): SearchIndex {
  const entries = [
    ...guides.flatMap(entriesOfGuide),
    ...countries.map(({ slug, title }) => ({
      page: 'Countries',
      heading: title,
      href: `/docs/${slug}`,
      text: '',
    })),
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        entryOfOperation(document, tagPath, `${method.toUpperCase()} ${path}`, operation),
      ),
    ),
    ...Object.entries(document.webhooks).map(([name, { post }]) => ({
      page: 'Events',
      heading: name,
      href: `${events}#${name}`,
      ...kept(post.description, ''),
      rank: 0.6,
    })),
    ...document.tags.map(({ name, description }) => ({
      page: `${name}: API reference`,
      heading: `${name}: API reference`,
      href: tagPath(name),
      ...kept(description, ''),
      rank: 0.7,
    })),
  ]
  return { entries, synonyms: SYNONYMS }
}

function entriesOfGuide({ slug, path, rendered }: IndexedGuide): SearchEntry[] {
  return rendered.sections.map(({ heading, text }) => {
    const isReason = slug === 'errors' && heading.depth > 2
    // Rows of a standard, whose words say less than the guides of what they are about.
    const isRows = slug === 'security' && heading.depth > 2
    const rank = isReason ? RANK_OF_REASON : RANKS[slug]
    return {
      page: rendered.title,
      heading: heading.text,
      href: heading.depth === 1 ? path : `${path}#${heading.id}`,
      ...kept(text.slice(0, isRows ? 0 : INDEXED_OF[slug]), ''),
      ...(rank !== undefined && { rank }),
    }
  })
}

function entryOfOperation(
  document: Document,
  tagPath: (tag: string) => string,
  signature: string,
  operation: Operation,
): SearchEntry {
  const { operationId, summary, tags, parameters = [], requestBody } = operation
  const tag = tags[0] ?? ''
  const named = asNamed(document.components.schemas)
  const asked = new Map(parameters.map(({ name, description }) => [name, description]))
  const body = requestBody?.content['application/json']?.schema
  if (body !== undefined) collectFields(body as SchemaNode, named, asked, new Set())
  return {
    page: `${tag}: API reference`,
    heading: summary,
    href: `${tagPath(tag)}#${operationId}`,
    fields: [...new Set([operationId, ...asked.keys()])].join(' '),
    ...kept(`${signature}. ${operation.description}`, [...asked.values()].join(' ')),
  }
}

/** Adds the fields of a schema with their descriptions, also those of the schemas that it refers to. */
function collectFields(
  node: SchemaNode,
  named: Readonly<Record<string, SchemaNode>>,
  into: Map<string, string>,
  seen: Set<string>,
): void {
  const name = schemaName(node)
  if (name !== null && seen.has(name)) return
  if (name !== null) {
    seen.add(name)
    collectFields(named[name] ?? {}, named, into, seen)
  }
  for (const [field, child] of Object.entries(node.properties ?? {})) {
    if (!into.has(field)) into.set(field, child.description ?? '')
    collectFields(child, named, into, seen)
  }
  const parts = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
  for (const child of node.items === undefined ? parts : [...parts, node.items])
    collectFields(child, named, into, seen)
}

/** The beginning of a text, and the further words of it and of what is beside it, each once. */
function kept(text: string, beside: string): Pick<SearchEntry, 'text' | 'words'> {
  const plain = text.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim()
  const cut = plain.length <= SHOWN_MAX ? plain.length : plain.lastIndexOf(' ', SHOWN_MAX)
  const shown = plain.slice(0, cut)
  const known = new Set(wordsOf(shown))
  const rest = new Set(wordsOf(`${plain.slice(cut)} ${beside}`).filter((word) => !known.has(word)))
  return rest.size === 0 ? { text: shown } : { text: shown, words: [...rest].join(' ') }
}

/** Words that a person may look for: not single letters, and no numbers but years and error codes. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => /^(?:[\p{L}_][\p{L}\p{N}_]{2,30}|\d{3,4})$/u.test(word) && !COMMON.has(word))
}

const COMMON = new Set(
  (
    'and are but can each for from has have its may not one only other out ' +
    'the their then there this that was with'
  ).split(' '),
)

function asNamed(schemas: unknown): Record<string, SchemaNode> {
  return schemas as Record<string, SchemaNode>
}
