import { LOGO, NAVIGATION, SERVICE_NAME } from '../../src/interfaces/pages/navigation.ts'
import { escapeHtml } from './escape.ts'

type NavigationLink = { href: string; name: string }

export type NavigationSection = { name: string; links: readonly NavigationLink[] }

/** What a page of the site contains: `path` is its address, and `html` the inside of the article. */
export type SitePage = {
  path: string
  title: string
  /** One line for search engines. Left out: the first paragraph. */
  description?: string
  html: string
  /** The sections that "On this page" links to. */
  outline: readonly { id: string; text: string }[]
  /** The article also takes the place of the outline. */
  wide?: boolean
}

/** The whole HTML of a page: header, navigation with search, article, outline. */
export function pageHtml(
  { path, title, description, html, outline, wide = false }: SitePage,
  sections: readonly NavigationSection[],
): string {
  const navigation = navigationHtml(sections, path)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${SERVICE_NAME}</title>
<meta name="description" content="${escapeHtml(description ?? descriptionOf(html))}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages.css">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/search.js" type="module"></script>
<script src="/docs/copy.js" type="module"></script>
${html.includes('class="trial"') ? '<script src="/docs/try.js" type="module"></script>\n' : ''}</head>
<body class="docs">
<a class="skip" href="#content">Skip to the content</a>
<header><nav aria-label="Pages"><a href="/">${LOGO} ${SERVICE_NAME}</a>${headerLinks()}</nav></header>
<div class="docs-grid">
<div class="docs-side">
<search><button type="button" class="search-open" aria-keyshortcuts="Control+K /">
Search <kbd>Ctrl K</kbd></button></search>
<details class="docs-menu">
<summary>All pages</summary><nav aria-label="All pages">${navigation}</nav>
</details>
<nav class="docs-navigation" aria-label="Documentation">${navigation}</nav>
</div>
<main id="content"${wide ? ' class="wide"' : ''}>${html}</main>
${outlineHtml(outline)}
</div>
${SEARCH_DIALOG}
<footer>All times are UTC. This is software, not tax advice.</footer>
</body>
</html>
`
}

/** Closed until the script opens it. Its field and its list are a combobox. */
const SEARCH_DIALOG = `<dialog id="docs-search-dialog" aria-label="Search the documentation">
<label for="docs-search">Search the documentation</label>
<input id="docs-search" type="search" role="combobox" aria-expanded="true" aria-autocomplete="list"
 aria-controls="docs-search-found" autocomplete="off" spellcheck="false"
 placeholder="A word, a field, an error">
<p id="docs-search-says" class="quiet" role="status"></p>
<div id="docs-search-found" role="listbox" aria-label="Found sections"></div>
<p class="quiet search-keys">
<kbd>↑</kbd> <kbd>↓</kbd> choose ·
<kbd>Enter</kbd> open · <kbd>Esc</kbd> close</p>
</dialog>`

const CHARACTERS: Readonly<Record<string, string>> = {
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

/** The first paragraph of a page as text. */
function descriptionOf(html: string): string {
  const [, inner = ''] = /<p>(.*?)<\/p>/s.exec(html) ?? []
  const text = inner
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/&(?:#39|quot|lt|gt|amp);/g, (entity) => CHARACTERS[entity] ?? entity)
  return text.length > 160 ? `${text.slice(0, text.lastIndexOf(' ', 158))} …` : text
}

function headerLinks(): string {
  return NAVIGATION.map(({ href, name }) => {
    const current = href === '/docs/' ? ' aria-current="true"' : ''
    return `<a href="${href}"${current}>${name}</a>`
  }).join('')
}

function navigationHtml(sections: readonly NavigationSection[], path: string): string {
  return sections
    .map(
      ({ name, links }) =>
        `<p>${escapeHtml(name)}</p><ul>${links.map((link) => item(link, path)).join('')}</ul>`,
    )
    .join('')
}

function item({ href, name }: NavigationLink, path: string): string {
  const current = href === path ? ' aria-current="page"' : ''
  return `<li><a href="${href}"${current}>${escapeHtml(name)}</a></li>`
}

function outlineHtml(outline: SitePage['outline']): string {
  if (outline.length < 2) return ''
  const links = outline.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="docs-outline" aria-label="On this page">
<p>On this page</p><ul>${links.join('')}</ul></nav>`
}
