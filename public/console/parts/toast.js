import { element } from '../elements.js'
import { icon } from './icons.js'

const SHOWN_MS = 5_000

/**
 * Says in the corner that something is done. It leaves after five seconds, unless the pointer or the focus is
 * on it.
 * @param {string} text
 */
export function toast(text) {
  const made = showToast(text, 'toast')
  let timer = setTimeout(() => made.remove(), SHOWN_MS)
  const stay = () => clearTimeout(timer)
  const leave = () => {
    clearTimeout(timer)
    timer = setTimeout(() => made.remove(), SHOWN_MS)
  }
  made.addEventListener('pointerenter', stay)
  made.addEventListener('pointerleave', leave)
  made.addEventListener('focusin', stay)
  made.addEventListener('focusout', leave)
}

/**
 * Shows a failure that belongs to no place on the page. It stays until it is closed.
 * @param {HTMLElement} notice such as that of failureNotice
 */
export function failureToast(notice) {
  showToast(notice, 'toast failed')
}

/** Takes all toasts away, for example at the sign-out. */
export function clearToasts() {
  document.getElementById('toasts')?.replaceChildren()
}

/**
 * @param {string | HTMLElement} content
 * @param {string} name
 */
function showToast(content, name) {
  const close = element(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Close the message' },
    icon('close'),
  )
  const made = element('div', { class: name }, element('div', {}, content), close)
  close.addEventListener('click', () => made.remove())
  document.getElementById('toasts')?.append(made)
  return made
}
