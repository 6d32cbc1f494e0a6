import { globSync, readFileSync } from 'node:fs'
import { posix, join } from 'node:path'
import { countriesPage, type CountryPage, countryPages } from '../country-pages.ts'
import type { Document } from '../openapi/types.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { SERVICE_NAME } from '../../src/interfaces/pages/navigation.ts'
import { escapeHtml } from './escape.ts'
import { type NavigationSection, pageHtml, type SitePage } from './frame.ts'
import { withMadeSections } from './made-sections.ts'
import { type LinkResolver, renderMarkdown, type RenderedPage } from './markdown.ts'
import { summaryOfPage, navigationOf, type PageSource, pageSources } from './page-list.ts'
import { EVENTS_PATH, referencePages, tagPath } from './reference.ts'
import { searchIndex } from './search-index.ts'

type Guide = PageSource & { path: string; text: string; rendered: RenderedPage }

/** The text of each file of the site, by its path below the folder public. */
type SiteFiles = Map<string, string>

/** Makes the documentation from the guides of a project and the OpenAPI document. */
export function siteFiles(project: string, document: Document): SiteFiles {
  const countries = countryPages()
  const written = pageSources(globSync(['docs/*.md', 'CHANGELOG.md'], { cwd: project }).toSorted())
  const sources = [...written, COUNTRIES]
  const guides = sources.map((source) =>
    guideOf(
      source,
      source === COUNTRIES
        ? countriesPage(countries)
        : withMadeSections(readFileSync(join(project, source.file), 'utf8')),
      sources,
    ),
  )
  const navigation = navigationSections(sources, guides, document)
  const pages = [
    homePage(navigation, guides, document),
    ...guides.map(guidePage),
    ...countries.map(countrySitePage),
    ...referencePages(document, anchorsOf(guides, 'errors')),
  ]
  const files = new Map(pages.map((page) => [fileOf(page.path), pageHtml(page, navigation)]))
  for (const { slug, text } of guides) files.set(`docs/${slug}.md`, text)
  files.set('llms.txt', textForModels(navigation, guides))
  files.set('llms-full.txt', guidesForModels(guides))
  const index = searchIndex(guides, document, { tagPath, events: EVENTS_PATH, countries })
  return files.set('docs/search.json', JSON.stringify(index))
}

function anchorsOf(guides: readonly Guide[], slug: string): Set<string> {
  const guide = guides.find((each) => each.slug === slug)
  return new Set(guide?.rendered.headings.map(({ id }) => id))
}

/** The list of the countries is made from the data, as their pages are. */
const COUNTRIES: PageSource = { slug: 'countries', file: 'docs/countries.md' }

function countrySitePage({ slug, title, says, text }: CountryPage): SitePage {
  const { html, headings } = renderMarkdown(text, (target) => target)
  const outline = headings.filter(({ depth }) => depth === 2)
  const description = `${title}. ${says}`
  const short = description.length > 160 ? `${description.slice(0, 159)}…` : description
  return { path: `/docs/${slug}`, title, description: short, html, outline }
}

function guideOf(source: PageSource, text: string, sources: readonly PageSource[]): Guide {
  return {
    ...source,
    path: `/docs/${source.slug}`,
    text,
    rendered: renderMarkdown(text, linksOf(source.file, sources)),
  }
}

/**
 * Links to other guides become links of the site, and an address of the service stays. Links to other files
 * of the repository become text.
 */
function linksOf(file: string, sources: readonly PageSource[]): LinkResolver {
  return (target) => {
    if (/^(https?:|mailto:|#|\/)/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const found = posix.join(posix.dirname(file), path)
    if (found === 'README.md') return '/docs/quickstart'
    const source = sources.find((each) => each.file === found)
    return source === undefined ? null : `/docs/${source.slug}${anchor === undefined ? '' : `#${anchor}`}`
  }
}

function guidePage({ path, slug, rendered }: Guide): SitePage {
  const outline = rendered.headings.filter(({ depth }) => depth === 2)
  const line = summaryOfPage(slug)
  const described = line === undefined ? {} : { description: `${rendered.title}: ${line}` }
  return { path, title: rendered.title, ...described, html: rendered.html, outline }
}

function navigationSections(
  sources: readonly PageSource[],
  guides: readonly Guide[],
  { tags }: Document,
): NavigationSection[] {
  const titles = new Map(guides.map(({ slug, rendered }) => [slug, rendered.title]))
  const groups = navigationOf(sources).map(({ name, slugs }) => ({
    name,
    links: slugs.map((slug) => ({ href: `/docs/${slug}`, name: titles.get(slug) ?? slug })),
  }))
  const reference = [
    { href: '/docs/reference/', name: 'Overview' },
    ...tags.map(({ name }) => ({ href: tagPath(name), name })),
    { href: EVENTS_PATH, name: 'Events' },
  ]
  return [...groups, { name: 'API reference', links: reference }]
}

function homePage(
  navigation: readonly NavigationSection[],
  guides: readonly Guide[],
  { tags }: Document,
): SitePage {
  const lines = new Map([
    ...guides.map(
      ({ path, slug, rendered }) => [path, summaryOfPage(slug) ?? firstSentence(rendered)] as const,
    ),
    ...tags.map(({ name, description }) => [tagPath(name), description] as const),
  ])
  const cards = navigation.map(({ name, links }) => {
    const items = links.map(({ href, name: title }) => {
      const says = lines.get(href) ?? ''
      return `<li><a href="${href}">${escapeHtml(title)}</a>
<span class="quiet">${escapeHtml(says)}</span></li>`
    })
    return `<section class="card"><h2>${escapeHtml(name)}</h2><ul>${items.join('')}</ul></section>`
  })
  const html = `<h1>Documentation</h1>
<p>Start with the <a href="/docs/quickstart">quickstart</a>: from a clone to the first answer. Every example
of the guides is run by a test.</p>
<div class="cards docs-cards">${cards.join('')}</div>`
  return { path: '/docs/', title: 'Documentation', html, outline: [], wide: true }
}

function firstSentence({ sections }: RenderedPage): string {
  const text = sections[0]?.text ?? ''
  const [, sentence = text] = /^(.*?[.!?])\s/.exec(text) ?? []
  return sentence.length > 140 ? `${sentence.slice(0, 139)}…` : sentence
}

const FIRST_LINES = [
  'The base URL is the address of this text without its path: `POST /v1/calculate` answers a cart.',
  'Each request has `Authorization: Bearer` and a key: `tcs_test_…` of a sandbox, or `tcs_live_…`.',
  'Amounts are integers in the minor unit of their currency (1999 is 19.99 EUR), and rates are fractions.',
  'Record what was quoted: send `calculation_token: true` with the calculation, and its token to' +
    ' `POST /v1/transactions`.',
]
  .map((line) => `- ${line}`)
  .join('\n')

/** What an integration needs, by the slugs of the guides. Together about 70 KB. */
const FOR_MODELS = ['quickstart', 'client', 'shops', 'errors', 'webhooks', 'mcp']

/** llms-full.txt: these guides whole, for an assistant that reads one text. */
function guidesForModels(guides: readonly Guide[]): string {
  const texts = FOR_MODELS.map((slug) => {
    const { text } = invariant(
      guides.find((guide) => guide.slug === slug),
      `${slug} is a guide`,
    )
    return text.trim()
  })
  return `${FIRST_LINES}\n\n${texts.join('\n\n')}\n`
}

/** llms.txt: the guides as Markdown, for programs that read text. See llmstxt.org. */
function textForModels(navigation: readonly NavigationSection[], guides: readonly Guide[]): string {
  const lines = new Map(guides.map((guide) => [guide.path, guide]))
  const groups = navigation.map(({ name, links }) => {
    const items = links.flatMap(({ href, name: title }) => {
      const guide = lines.get(href)
      const says = guide && (summaryOfPage(guide.slug) ?? firstSentence(guide.rendered))
      return guide ? [`- [${title}](${href}.md): ${says}`] : [`- [${title}](${href})`]
    })
    return `## ${name}\n\n${items.join('\n')}`
  })
  return `# ${SERVICE_NAME}

> An open REST API for sales tax, VAT and GST: it calculates the tax of a sale and says why, records sales,
> and makes the returns. Every rate has its source, and says when it was last checked, if ever.

What a program needs before its first call:

${FIRST_LINES}

The [OpenAPI document](/openapi.json) describes every operation. The [guides that an integration
needs](/llms-full.txt) stand in one text.

Assistants can use the service as tools: \`/mcp\` is a server of the Model Context Protocol (streamable HTTP),
with the keys of the API: see “Connect an agent”.

${groups.join('\n\n')}
`
}

/** `/docs/` is docs/index.html, and `/docs/webhooks` is docs/webhooks.html. */
function fileOf(path: string): string {
  return path.endsWith('/') ? `${path.slice(1)}index.html` : `${path.slice(1)}.html`
}
