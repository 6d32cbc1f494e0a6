import { type Child, useLayoutEffect, useRef } from 'hono/jsx/dom'
import { leaveDrawer } from '../address.ts'
import { useStore } from '../store.ts'
import { Icon } from './icon.tsx'
import { SHEET } from './parts.tsx'
import { ROWS } from './table.tsx'

/**
 * The drawer: beside the page on a desktop, a page of its own on a phone. The focus goes to its title, and
 * back to where it was when it is closed.
 */
export function Drawer({ children }: { children: Child }) {
  const { title, beside } = useStore(SHEET)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement
    setBehind(matchMedia('(width <= 760px)').matches)
    heading.current?.focus()
    return () => {
      setBehind(false)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
      else document.querySelector('main')?.focus()
    }
  }, [])
  return (
    <aside id="drawer" aria-label={title}>
      <div class="drawer-head">
        <h2 ref={heading} tabindex={-1}>
          {title}
        </h2>
        {beside}
        <Neighbours />
        <button type="button" class="plain" aria-label="Close" onClick={leaveDrawer}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </aside>
  )
}

/** Links to the records above and below in the list behind the drawer. */
function Neighbours() {
  const rows = useStore(ROWS)
  const at = rows.indexOf(location.hash)
  if (at === -1 || rows.length === 1) return null
  return (
    <span class="neighbours">
      {rows[at - 1] !== undefined && (
        <a href={rows[at - 1]} aria-label="Previous">
          <Icon name="up" />
        </a>
      )}
      {rows[at + 1] !== undefined && (
        <a href={rows[at + 1]} aria-label="Next">
          <Icon name="down" />
        </a>
      )}
    </span>
  )
}

/** On a phone the drawer covers the page, so the page behind it must not get the focus. */
function setBehind(covered: boolean): void {
  for (const name of ['side', 'content']) document.getElementById(name)?.toggleAttribute('inert', covered)
}
