import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../scripts/docs-site/markdown.ts'
import { navigationOf, pageSources } from '../../scripts/docs-site/page-list.ts'
import { builtSite, DOCUMENT as document } from './built.ts'

const files = builtSite()
const pages = [...files].filter(([path]) => path.endsWith('.html'))

/** Returns the file that the service serves at a path of the documentation. */
function fileAt(path: string): string | undefined {
  return files.get(path.endsWith('/') ? `${path.slice(1)}index.html` : `${path.slice(1)}.html`)
}

describe('a guide', () => {
  const resolve = (target: string) => (target === 'there.md' ? '/docs/there' : null)

  it('has the anchors of GitHub, and a number for a repeated heading', () => {
    const { title, headings } = renderMarkdown('# A `b`: c & d!\n\n## VAT ids\n\n## VAT ids\n', resolve)
    expect(title).toBe('A b: c & d!')
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c--d', 'vat-ids', 'vat-ids-1'])
  })

  it('links to pages of the site, and shows other links as text', () => {
    const { html } = renderMarkdown('[here](there.md) and [code](../src/worker.ts)', resolve)
    expect(html).toContain('<a href="/docs/there">here</a> and code')
  })

  it('contains no HTML of its source', () => {
    const { html } = renderMarkdown('<!-- mark -->\n\nText <script>alert(1)</script> `<b>`\n', resolve)
    expect(html).not.toMatch(/<script|<!--/)
    expect(html).toContain('<code>&lt;b&gt;</code>')
  })

  it('is found by the words below each of its headings', () => {
    const { sections } = renderMarkdown('# One\n\nfirst `a < b`\n\n## Two\n\nsecond\n', resolve)
    expect(sections.map(({ heading, text }) => [heading.text, text])).toEqual([
      ['One', 'first a < b'],
      ['Two', 'second'],
    ])
  })

  it('that no group lists is in the last group', () => {
    const groups = navigationOf(pageSources(['docs/quickstart.md', 'docs/brand-new.md', 'CHANGELOG.md']))
    expect(groups.at(-1)).toEqual({ name: 'More', slugs: ['brand-new'] })
    expect(groups.flatMap(({ slugs }) => slugs)).toEqual(['quickstart', 'changelog', 'brand-new'])
  })
})

describe('the site', () => {
  it('has links that lead to a page, and to an anchor of it', () => {
    const broken = pages.flatMap(([file, html]) =>
      [...html.matchAll(/<a [^>]*?href="(#[^"]*|\/docs\/[^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => {
          const [path = '', anchor] = href.split('#')
          const target = path === '' ? html : fileAt(path)
          return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`))
        })
        .map((href) => `${file}: ${href}`),
    )
    expect([...new Set(broken)]).toEqual([])
  })

  it('runs only the scripts of its own files, and has one heading of the page', () => {
    for (const [file, html] of pages) {
      expect(html, file).not.toMatch(/<script(?! src="\/docs\/[a-z]+\.js")|style=|\son\w+=/)
      expect(html.match(/<h1[ >]/g), file).toHaveLength(1)
      expect(html.match(/ id="([^"]*)"/g)?.length, file).toBe(new Set(html.match(/ id="([^"]*)"/g)).size)
    }
  })

  it('describes every operation, parameter and event of the API', () => {
    for (const methods of Object.values(document.paths))
      for (const { operationId, tags, parameters = [] } of Object.values(methods)) {
        const page = fileAt(`/docs/reference/${tags[0]?.toLowerCase().replaceAll(' ', '-')}`) ?? ''
        const [, own = ''] = page.split(` id="${operationId}"`)
        for (const { name } of parameters) expect(own, operationId).toContain(`<code>${name}</code>`)
        expect(own.length, operationId).toBeGreaterThan(0)
      }
    for (const event of Object.keys(document.webhooks))
      expect(fileAt('/docs/reference/events')).toContain(` id="${event}"`)
  })

  it('has its guides as Markdown, and a list of them for programs that read text', () => {
    expect(files.get('docs/webhooks.md')).toMatch(/^# Webhooks\n/)
    const list = files.get('llms.txt') ?? ''
    expect(list).toMatch(/^# Tax Compliance Service\n\n> /)
    expect(list).toContain('`/mcp`')
    for (const needed of ['`POST /v1/calculate`', 'Authorization: Bearer', 'minor unit', 'calculation_token'])
      expect(list).toContain(needed)
    expect(list).not.toContain('## More')
    const linked = [...list.matchAll(/\]\(\/(docs\/[^)]*\.md)\)/g)].map(([, path = '']) => path)
    const guides = [...files.keys()].filter((path) => path.endsWith('.md'))
    expect(linked.toSorted()).toEqual(guides.toSorted())
  })

  it('has what an integration needs in one text of 60 to 100 KB', () => {
    const text = files.get('llms-full.txt') ?? ''
    for (const title of ['# Quickstart', '# Connect a shop', '# Errors', '# Webhooks'])
      expect(text).toContain(`\n${title}\n`)
    expect(text.length).toBeGreaterThan(60_000)
    expect(text.length).toBeLessThan(100_000)
  })

  it('finds guides and operations in its index of at most 468 KB, 142 KB as it is sent', () => {
    const text = files.get('docs/search.json') ?? ''
    expect(text.length).toBeLessThan(468_000)
    expect(gzipSync(text).length).toBeLessThan(142_000)
    const { entries }: { entries: { href: string }[] } = JSON.parse(text)
    const found = new Set(entries.map(({ href }) => href))
    expect(found).toContain('/docs/webhooks#verify')
    expect(found).toContain('/docs/reference/calculation#calculateTax')
    expect(found.size).toBe(entries.length)
  })
})

describe('the description of a page, for search engines', () => {
  const described = pages.map(([path, html]) => {
    const [, text = ''] = /<meta name="description" content="([^"]*)"/.exec(html) ?? []
    return { path, text }
  })

  it('differs from that of every other page, and says what the page is about', () => {
    expect(new Set(described.map(({ text }) => text)).size).toBe(pages.length)
    expect(described.filter(({ text }) => text.length < 20 || text.length > 165)).toEqual([])
    expect(described.filter(({ text }) => text.includes('npm run'))).toEqual([])
  })

  it('is the line of a guide on the first page, whole and with its apostrophes', () => {
    const of = (path: string) => described.find((each) => each.path === `docs/${path}.html`)?.text
    expect(of('coverage')).toBe('Coverage: Which products and places have a rule in the data.')
    expect(described.filter(({ text }) => / s (words|form|security)/.test(text))).toEqual([])
  })
})
