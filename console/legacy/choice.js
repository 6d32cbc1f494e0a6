import { Failure } from '../api.ts'
import { element, field } from './elements.js'

/**
 * One of the things to choose from. `beside` is shown next to the name while typing.
 * @typedef {{ value: string, name: string, beside?: string }} Option
 */

/**
 * A field that chooses by name while typing, for lists that are too long for a select: countries, regions,
 * product types. A code is understood, too. What is typed is never cut, and a name that does not exist is an
 * error and not another thing.
 * @typedef {{
 *   shown: HTMLElement, input: HTMLInputElement, read: () => string | null,
 *   offer: (options: Option[], chosen?: string) => void
 * }} Choice `read` returns null if the field is empty, and throws a Failure that names the field;
 * `offer` replaces the list and what is chosen
 */

let lists = 0

/**
 * @param {string} label
 * @param {Option[]} options
 * @param {{ chosen?: string, hint?: string, required?: boolean }} [settings] `chosen` is a value
 * @returns {Choice}
 */
export function choice(label, options, { chosen = '', hint, required = false } = {}) {
  const id = `choice-${(lists += 1)}`
  const input = element('input', { list: id, required, autocomplete: 'off', spellcheck: 'false' })
  const names = element('datalist', { id })
  const error = element('span', { class: 'field-error', role: 'alert' })
  const shown = field(label, input, hint)
  shown.append(names, error)
  let offered = options
  const showMessage = (/** @type {string | null} */ message) => {
    error.replaceChildren(message ?? '')
    if (message === null) input.removeAttribute('aria-invalid')
    else input.setAttribute('aria-invalid', 'true')
  }
  const read = () => {
    const typed = input.value.trim()
    if (typed === '') return null
    const found = find(offered, typed)
    if (found !== null) return found.value
    const message = `${label}: “${typed}” is not in the list${nearest(offered, typed)}`
    throw new Failure(0, { message, reason: 'unknown_name' })
  }
  const offer = (/** @type {Option[]} */ list, /** @type {string} */ value = '') => {
    offered = list
    names.replaceChildren(
      ...list.map(({ value: code, name, beside }) => element('option', { value: name }, beside ?? code)),
    )
    input.value = list.find((option) => option.value === value)?.name ?? value
    showMessage(null)
  }
  input.addEventListener('change', () => {
    try {
      const value = read()
      input.value = offered.find((option) => option.value === value)?.name ?? input.value
      showMessage(null)
    } catch (thrown) {
      showMessage(thrown instanceof Failure ? thrown.message : null)
    }
  })
  offer(options, chosen)
  return { shown, input, read, offer }
}

/**
 * @param {Option[]} options
 * @param {string} typed
 */
function find(options, typed) {
  const wanted = plain(typed)
  return options.find(({ value, name }) => plain(name) === wanted || plain(value) === wanted) ?? null
}

/**
 * @param {Option[]} options
 * @param {string} typed
 */
function nearest(options, typed) {
  const wanted = plain(typed)
  const near =
    options.find(({ name }) => plain(name).startsWith(wanted)) ??
    options.find(({ name }) => plain(name).includes(wanted)) ??
    options.find(({ name }) => plain(name).slice(0, 3) === wanted.slice(0, 3))
  return near === undefined ? '.' : `. Did you mean ${near.name}?`
}

/**
 * Without accents and in lower case: “cote d’ivoire” finds “Côte d’Ivoire”.
 * @param {string} text
 */
function plain(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()
}
