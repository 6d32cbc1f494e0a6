import { element, fill } from '../elements.js'
import { icon } from './icons.js'
import { load } from './load.js'

/**
 * @import { Child } from '../elements.js'
 * @typedef {{
 *   body: HTMLElement, setTitle: (title: string, beside?: Child) => void, refresh: () => Promise<void>
 * }} Drawer `refresh` reads the record again; `setTitle` may put a badge beside the title
 */

/** @type {HTMLElement | null} the element that has the focus again after the drawer is closed */
let opener = null

/**
 * Opens the drawer and fills it. The focus goes to its title.
 * @param {HTMLElement} place
 * @param {string} title until the record has come
 * @param {(drawer: Drawer) => Promise<Child[]>} read what the drawer contains
 * @param {() => void} close asked by its button
 */
export function openDrawer(place, title, read, close) {
  if (place.hidden && document.activeElement instanceof HTMLElement) opener = document.activeElement
  const heading = element('h2', { tabindex: -1 }, title)
  const beside = element('span', {})
  const leave = element('button', { type: 'button', class: 'plain', 'aria-label': 'Close' }, icon('close'))
  leave.addEventListener('click', close)
  const body = element('div', { class: 'drawer-body' })
  /** @type {Drawer} */
  const drawer = {
    body,
    setTitle: (text, child = null) => {
      heading.replaceChildren(text)
      fill(beside, [child])
      place.setAttribute('aria-label', text)
    },
    refresh: () => load(body, () => read(drawer)),
  }
  place.setAttribute('aria-label', title)
  place.replaceChildren(element('div', { class: 'drawer-head' }, heading, beside, leave), body)
  place.hidden = false
  setBehind(matchMedia('(width <= 760px)').matches)
  heading.focus()
  return drawer.refresh()
}

/**
 * Closes the drawer. The focus returns to where it was before.
 * @param {HTMLElement} place
 */
export function closeDrawer(place) {
  if (place.hidden) return
  const had_focus = place.contains(document.activeElement)
  place.hidden = true
  place.replaceChildren()
  setBehind(false)
  if (had_focus) (opener?.isConnected ? opener : document.querySelector('main'))?.focus()
  opener = null
}

/**
 * On a phone the drawer covers the page, so the page behind it must not get the focus.
 * @param {boolean} covered
 */
function setBehind(covered) {
  for (const name of ['side', 'content']) document.getElementById(name)?.toggleAttribute('inert', covered)
}
