import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './escape.ts'
import { highlighted } from './highlight.ts'

type Heading = { depth: number; text: string; id: string }

/** The text below a heading, for the search. The part above the first section has the heading of the page. */
type Section = { heading: Heading; text: string }

export type RenderedPage = { title: string; html: string; headings: Heading[]; sections: Section[] }

/** Returns the address of a link on the site, or null if the site does not contain its target. */
export type LinkResolver = (target: string) => string | null

/**
 * Renders a page of Markdown. Each heading gets the anchor that GitHub gives it. HTML in the source is left
 * out. A link whose target is not on the site becomes its text.
 */
export function renderMarkdown(source: string, resolve: LinkResolver): RenderedPage {
  const headings: Heading[] = []
  const used = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const text = plainText(this.parser.parseInline(token.tokens))
        const heading = { depth: token.depth, text, id: uniqueId(text, used) }
        headings.push(heading)
        return headingHtml(heading, this.parser.parseInline(token.tokens))
      },
      link(token) {
        const text = this.parser.parseInline(token.tokens)
        const href = resolve(token.href)
        return href === null ? text : `<a href="${escapeHtml(href)}">${text}</a>`
      },
      code: ({ text, lang }) => codeHtml(text, lang ?? ''),
      html: () => '',
      table(token) {
        const label = headings.at(-1)?.text ?? 'Table'
        return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(label)}">${tableHtml(
          token,
          (tokens) => this.parser.parseInline(tokens),
        )}</div>`
      },
    },
  })
  const html = marked.parse(source, { async: false })
  return { title: headings[0]?.text ?? '', html, headings, sections: sectionsOf(html, headings) }
}

/** Renders one line or paragraph, such as a description of the OpenAPI document. */
export function renderInline(source: string): string {
  const marked = new Marked({ renderer: { html: () => '' } })
  return marked.parseInline(source, { async: false })
}

/** A block of code with its words in colours. It can be scrolled by keyboard. */
export function codeHtml(text: string, language: string): string {
  const named = language === '' ? '' : ` data-language="${escapeHtml(language)}"`
  return `<pre tabindex="0"${named}><code>${highlighted(text, language)}</code></pre>`
}

function headingHtml({ depth, text, id }: Heading, inner: string): string {
  const label = `Link to this section: ${escapeHtml(text)}`
  const anchor = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`
  return `<h${depth} id="${id}">${inner}${depth === 1 ? '' : ` ${anchor}`}</h${depth}>\n`
}

function tableHtml(
  { header, rows }: Tokens.Table,
  inline: (tokens: Tokens.TableCell['tokens']) => string,
): string {
  const head = header
    .map(({ text, tokens }) => (text === '' ? '<td></td>' : `<th scope="col">${inline(tokens)}</th>`))
    .join('')
  const body = rows.map(
    (cells) => `<tr>${cells.map(({ tokens }) => `<td>${inline(tokens)}</td>`).join('')}</tr>`,
  )
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`
}

/** GitHub's rule: lower case, no punctuation, a hyphen for each blank, a number for each repetition. */
function uniqueId(text: string, used: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const times = used.get(id) ?? 0
  used.set(id, times + 1)
  return times === 0 ? id : `${id}-${times}`
}

function sectionsOf(html: string, headings: readonly Heading[]): Section[] {
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/s).slice(1)
  return headings.map((heading, index) => ({ heading, text: plainText(parts[index] ?? '') }))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function plainText(html: string): string {
  return html
    .replaceAll(/<\/?(?:a|b|code|em|strong)(?: [^>]*)?>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
