import { element } from './elements.js'
import { icon } from './parts/icons.js'

/** @import { View } from './views.js' */

/** How many views the bar of a phone has beside "More". */
const IN_BAR = 5

/**
 * The sidebar, which is a bar at the bottom of a phone.
 * @param {HTMLElement} place
 * @param {View[]} views
 * @param {View} current
 * @param {() => void} signOut
 */
export function showNavigation(place, views, current, signOut) {
  const links = views.map((view) =>
    element(
      'li',
      {},
      element(
        'a',
        { href: `#/${view.path}`, 'aria-current': view === current && 'page' },
        icon(view.icon),
        element('span', {}, view.title),
      ),
    ),
  )
  const more = element('button', { type: 'button', 'aria-expanded': 'false' }, icon('more'), 'More')
  const leave = element('button', { type: 'button', id: 'sign-out' }, icon('leave'), 'Sign out')
  leave.addEventListener('click', signOut)
  const open = (/** @type {boolean} */ is_open) => {
    place.classList.toggle('open', is_open)
    more.setAttribute('aria-expanded', String(is_open))
  }
  more.addEventListener('click', () => open(more.getAttribute('aria-expanded') === 'false'))
  place.onkeydown = (event) => {
    if (event.key !== 'Escape' || !place.classList.contains('open')) return
    event.preventDefault()
    open(false)
    more.focus()
  }
  open(false)
  place.hidden = false
  place.replaceChildren(
    element(
      'ul',
      { class: 'first-views' },
      ...links.slice(0, IN_BAR),
      element('li', { class: 'more' }, more),
    ),
    element('ul', { class: 'rest' }, ...links.slice(IN_BAR), element('li', {}, leave)),
  )
}
