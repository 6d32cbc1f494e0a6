import { Failure } from './api.js'

/** @typedef {string | number | Node | null} Child a text becomes a text node, never markup */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} attributes false omits one
 * @param {...Child} children null adds nothing
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  return fillElement(document.createElement(tag), attributes, children)
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} attributes
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  return fillElement(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

/**
 * @template {Element} E
 * @param {E} made
 * @param {Record<string, string | number | boolean>} attributes
 * @param {Child[]} children
 */
function fillElement(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(name, value === true ? '' : String(value))
  made.append(
    ...children
      .filter((child) => child !== null)
      .map((child) => (child instanceof Node ? child : String(child))),
  )
  return made
}

let fields = 0

/**
 * A labelled field.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  const id = `field-${(fields += 1)}`
  control.id = id
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`)
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    control,
    hint ? element('span', { class: 'quiet hint', id: `${id}-hint` }, hint) : null,
  )
}

/**
 * @param {[value: string, name: string][]} choices
 * @param {string} chosen
 */
export function select(choices, chosen) {
  return element(
    'select',
    {},
    ...choices.map(([value, name]) => element('option', { value, selected: value === chosen }, name)),
  )
}

/**
 * A table that scrolls by itself if the screen is narrow.
 * @param {string} caption
 * @param {string[]} heads a head that begins with # is for a column of numbers
 * @param {Child[][]} rows
 */
export function table(caption, heads, rows) {
  const numeric = heads.map((head) => head.startsWith('#'))
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...heads.map((head, index) =>
            element('th', { scope: 'col', class: numeric[index] ? 'number' : false }, head.replace(/^#/, '')),
          ),
        ),
      ),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element(
            'tr',
            {},
            ...row.map((cell, index) =>
              element('td', { class: numeric[index] ? 'number' : false }, cell ?? '–'),
            ),
          ),
        ),
      ),
    ),
  )
}

/**
 * A list of names with their values.
 * @param {[name: string, value: Child][]} pairs
 */
export function definitions(pairs) {
  return element(
    'dl',
    {},
    ...pairs.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value ?? '–')),
    ),
  )
}

/**
 * @param {string[]} lines
 * @returns {HTMLElement | null}
 */
export function list(lines) {
  return lines.length === 0 ? null : element('ul', {}, ...lines.map((line) => element('li', {}, line)))
}

/**
 * A button that does one thing at a time. If it fails, the error is shown in `place`.
 * @param {string} name
 * @param {HTMLElement} place
 * @param {() => Promise<void>} work
 * @param {string} [label] for screen readers, if the name is not clear without its row
 */
export function button(name, place, work, label) {
  const made = element('button', { type: 'button', 'aria-label': label ?? false }, name)
  made.addEventListener('click', () => void attempt(made, place, work))
  return made
}

/**
 * @param {string} name of its button
 * @param {HTMLElement[]} fields
 * @param {(form: HTMLFormElement) => Promise<void>} work
 */
export function form(name, fields, work) {
  const place = element('div', {})
  const send = element('button', { type: 'submit', class: 'first' }, name)
  const made = element('form', {}, ...fields, element('div', { class: 'actions' }, send), place)
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(send, place, () => work(made))
  })
  return made
}

/**
 * Does the work, and ignores further clicks until it is done. The button is not disabled, because a disabled
 * button would lose the focus.
 * @param {HTMLButtonElement} asked
 * @param {HTMLElement} place
 * @param {() => Promise<void>} work
 */
async function attempt(asked, place, work) {
  if (asked.getAttribute('aria-disabled') === 'true') return
  asked.setAttribute('aria-disabled', 'true')
  place.replaceChildren()
  try {
    await work()
  } catch (thrown) {
    place.replaceChildren(failureNotice(thrown))
  } finally {
    asked.removeAttribute('aria-disabled')
  }
}

/**
 * An error for people: the message, the faulty fields, and the reason.
 * @param {unknown} thrown
 */
export function failureNotice(thrown) {
  if (!(thrown instanceof Failure)) {
    console.error(thrown)
    return element(
      'p',
      { class: 'failure', role: 'alert' },
      'The console failed. Reload the page and sign in again.',
    )
  }
  const { message, errors, reason, request_id } = thrown
  return element(
    'div',
    { class: 'failure', role: 'alert' },
    element('p', {}, message),
    errors.length > 1 ? list(errors.map((each) => `${each.path}: ${each.message}`)) : null,
    element('p', { class: 'quiet' }, `Reason: ${reason}`, request_id === null ? null : ` · ${request_id}`),
  )
}

/**
 * Puts the text into the line that screen readers read aloud.
 * @param {string} text
 */
export function announce(text) {
  document.getElementById('said')?.replaceChildren(text)
}

/**
 * A moment to the minute, in UTC.
 * @param {string | null} at
 */
export function moment(at) {
  return at === null ? 'never' : element('time', { datetime: at }, `${at.slice(0, 10)} ${at.slice(11, 16)}`)
}
