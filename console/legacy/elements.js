import { Failure } from '../api.ts'

/** @typedef {string | number | Node | null} Child a text becomes a text node, never markup */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} attributes false omits one
 * @param {...Child} children null adds nothing
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  return make(document.createElement(tag), attributes, children)
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
  return make(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

/**
 * @template {Element} E
 * @param {E} made
 * @param {Record<string, string | number | boolean>} attributes
 * @param {Child[]} children
 */
function make(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(name, value === true ? '' : String(value))
  fill(made, children)
  return made
}

/**
 * Replaces what an element contains.
 * @param {Element} place
 * @param {Child[]} children null adds nothing
 */
export function fill(place, children) {
  place.replaceChildren(
    ...children
      .filter((child) => child !== null)
      .map((child) => (child instanceof Node ? child : String(child))),
  )
}

let fields = 0

/**
 * A labelled field.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
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
 * @param {Child[]} lines
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
 * A form. Its button shows that the work is in progress, and a failed form keeps what was typed.
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
 * An error for people: the message, the faulty fields, the reason, and the id of the request.
 * @param {unknown} thrown
 * @param {() => void} [retry] adds a button to try again
 */
export function failureNotice(thrown, retry) {
  if (!(thrown instanceof Failure)) {
    console.error(thrown)
    return element('p', { class: 'failure', role: 'alert' }, 'The console failed. Reload the page.')
  }
  const { message, errors, reason, request_id } = thrown
  const notice = element(
    'div',
    { class: 'failure', role: 'alert' },
    element('p', {}, message),
    errors.length > 1 ? list(errors.map((each) => `${each.path}: ${each.message}`)) : null,
    element(
      'p',
      { class: 'quiet small' },
      `Reason: ${reason}`,
      request_id === null ? null : ` · ${request_id}`,
    ),
  )
  const actions = element('div', { class: 'actions' })
  if (request_id !== null) actions.append(copyButton(request_id, 'Copy the request id'))
  if (retry !== undefined) {
    const again = element('button', { type: 'button' }, 'Try again')
    again.addEventListener('click', retry)
    actions.append(again)
  }
  if (actions.childElementCount > 0) notice.append(actions)
  return notice
}

/**
 * A button that copies a text.
 * @param {string} text
 * @param {string} [name]
 */
export function copyButton(text, name = 'Copy') {
  const made = element('button', { type: 'button' }, name)
  made.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => announce('Copied'),
      () => announce('The browser did not allow to copy'),
    )
  })
  return made
}

/**
 * Puts the text into the unseen line that screen readers read aloud.
 * @param {string} text
 */
export function announce(text) {
  document.getElementById('said')?.replaceChildren(text)
}
