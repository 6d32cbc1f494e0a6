import { useLayoutEffect, useState } from 'hono/jsx/dom'
import { Icon } from './parts/icon.tsx'
import type { View } from './views.ts'

/** How many views the bar of a phone has beside "More". */
const IN_BAR = 5

type NavigationProps = {
  views: readonly View[]
  current: View | null
  page: number
  /** Who signs out: the name of a person and what they are; null: a key. */
  person: { name: string; role: string } | null
  signOut: () => void
}

/** The sidebar, which is a bar at the bottom of a phone. `page` is another number for each page. */
export function Navigation({ views, current, page, person, signOut }: NavigationProps) {
  const [is_open, setOpen] = useState(false)
  useLayoutEffect(() => setOpen(false), [page])
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !is_open) return
    event.preventDefault()
    setOpen(false)
    const more = document.querySelector('#views .more button')
    if (more instanceof HTMLElement) more.focus()
  }
  const links = views.map((view) => (
    <li>
      <a href={`#/${view.path}`} aria-current={view === current ? 'page' : undefined}>
        <Icon name={view.path} />
        <span>{view.title}</span>
      </a>
    </li>
  ))
  return (
    <nav id="views" class={is_open ? 'open' : undefined} aria-label="Console" onKeyDown={close}>
      <ul class="first-views">
        {links.slice(0, IN_BAR)}
        <li class="more">
          <button type="button" aria-expanded={is_open ? 'true' : 'false'} onClick={() => setOpen(!is_open)}>
            <Icon name="more" />
            More
          </button>
        </li>
      </ul>
      <ul class="rest">
        {links.slice(IN_BAR)}
        <li class="leave">
          {person && (
            <p class="person" title={person.name}>
              <span>{person.name}</span>
              <span class="quiet small">{person.role}</span>
            </p>
          )}
          <button type="button" id="sign-out" onClick={signOut}>
            <Icon name="leave" />
            Sign out
          </button>
        </li>
      </ul>
    </nav>
  )
}
