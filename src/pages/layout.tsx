import type { Child } from 'hono/jsx'
import { NAVIGATION, SERVICE_NAME } from './navigation.ts'

/** The frame of every page. It works without JavaScript and loads nothing from other origins. */
export function Layout({ title, children }: { title: string; children: Child }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <nav aria-label="Pages">
            <a href="/">{SERVICE_NAME}</a>
            {NAVIGATION.map(({ href, name }) => (
              <a href={href}>{name}</a>
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
  return at === null ? <>never</> : <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>
}

/** A table that scrolls sideways on a phone. `children` are its rows. */
export function ScrollTable({
  label,
  heads,
  children,
}: {
  label: string
  heads: readonly string[]
  children: Child
}) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
