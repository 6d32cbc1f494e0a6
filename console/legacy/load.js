import { element, failureNotice, fill } from './elements.js'

/** @import { Child } from './elements.js' */

const SKELETON_MS = 200

/**
 * An element that fills itself. After 200 ms without an answer it shows grey lines, and after a failure the
 * error with a button to try again.
 * @param {() => Promise<Child | Child[]>} work
 * @param {{ lines?: number }} [options] how many grey lines
 */
export function loaded(work, options) {
  const place = element('div', {})
  void load(place, work, options)
  return place
}

/**
 * The same for an element that exists. What it contains stays until the answer or the grey lines come. If it
 * is loaded again meanwhile, the older answer is dropped.
 * @param {HTMLElement} place
 * @param {() => Promise<Child | Child[]>} work
 * @param {{ lines?: number }} [options]
 */
export async function load(place, work, { lines = 4 } = {}) {
  const run = String(Math.random())
  place.dataset['run'] = run
  place.setAttribute('aria-busy', 'true')
  const current = () => place.dataset['run'] === run
  const timer = setTimeout(() => current() && place.replaceChildren(skeleton(lines)), SKELETON_MS)
  try {
    const made = await work()
    if (current()) fill(place, [made].flat())
  } catch (thrown) {
    if (current()) place.replaceChildren(failureNotice(thrown, () => void load(place, work, { lines })))
  } finally {
    clearTimeout(timer)
    if (current()) place.removeAttribute('aria-busy')
  }
}

/** @param {number} lines */
function skeleton(lines) {
  return element(
    'div',
    { class: 'skeleton', 'aria-hidden': 'true' },
    ...Array.from({ length: lines }, () => element('span', {})),
  )
}
