import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { dayInWords } from './words.ts'
import { LOGO, NAVIGATION, SERVICE_NAME } from './navigation.ts'

const ABOUT = 'Sales tax, VAT and GST: rates with their sources, and an open API that says why.'

type Frame = {
  title: string
  /** What search engines and link previews show. */
  description?: string
  /** The page of the header that this one is, or belongs to. */
  current?: (typeof NAVIGATION)[number]['href']
  children: Child
}

/** The frame of every page. It works without JavaScript and loads nothing from other origins. */
export function Layout({ title, description = ABOUT, current, children }: Frame) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <link rel="stylesheet" href="/pages.css" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <nav aria-label="Pages">
            <a href="/">
              {raw(LOGO)} {SERVICE_NAME}
            </a>
            {NAVIGATION.map(({ href, name }) => (
              <a href={href} aria-current={href === current ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
        </header>
        <main id="content">{children}</main>
        <footer>All times are UTC. This is software, not tax advice.</footer>
      </body>
    </html>
  )
}

/** A link to the source of a fact. A source that is not https has a name without a link. */
export function SourceLink({ source, source_url }: { source: string; source_url: string }) {
  return source_url.startsWith('https://') ? <a href={source_url}>{source}</a> : <>{source}</>
}

/** A moment for people, to the minute. */
export function Moment({ at }: { at: string | null }) {
  return at === null ? <>never</> : <time datetime={at}>{`${dayInWords(at)}, ${at.slice(11, 16)}`}</time>
}

/** Rows with their roles: a phone shows them as blocks, and some browsers then drop the roles. */
function withRoles(rows: Child) {
  const element: { toString: () => string | Promise<string> } = <>{rows}</>
  return raw(
    String(element)
      .replaceAll('<tr', '<tr role="row"')
      .replaceAll('<td', '<td role="cell"')
      .replaceAll('<th scope="row"', '<th scope="row" role="rowheader"')
      .replaceAll('<th scope="col"', '<th scope="col" role="columnheader"'),
  )
}

/**
 * A table that scrolls sideways on a phone. `children` are its rows, `kind` its class. Those of the kind
 * `rows` have two lines on a phone: the first cell and the one of the class `figure`, then the others behind
 * the words of `data-head`.
 */
export function ScrollTable({
  label,
  heads,
  kind,
  children,
}: {
  label: string
  heads: readonly string[]
  kind?: string
  children: Child
}) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table role="table" class={kind}>
        <thead role="rowgroup">
          {withRoles(
            <tr>
              {heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
            </tr>,
          )}
        </thead>
        <tbody role="rowgroup">{withRoles(children)}</tbody>
      </table>
    </div>
  )
}
