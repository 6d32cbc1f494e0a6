import { Failure } from '../api.ts'
import { element, field } from './elements.js'
import { keepQuery } from '../address.ts'

/**
 * A filter of a list. `search` is a field that is always visible; the others are chips. `pick` takes a name
 * of its choices, and `words` any text.
 * @typedef {{
 *   name: string, label: string, kind: 'search' | 'words' | 'date' | 'select' | 'pick',
 *   choices?: [value: string, name: string][], hint?: string, resolve?: (typed: string) => Promise<string>
 * }} Filter `resolve` finds the value of typed words, and throws a Failure if there is none
 */

/**
 * Filters above a list. They are kept in the address, so that a link or a reload shows the same rows.
 * @param {Filter[]} filters
 * @param {URLSearchParams} query that of the address; it is changed with each filter
 * @param {() => void} apply reads the list again
 */
export function filterBar(filters, query, apply) {
  const bar = element('div', { class: 'filters', role: 'search', 'aria-label': 'Filters' })
  const change = (/** @type {string} */ name, /** @type {string} */ value) => {
    if ((query.get(name) ?? '') === value) return
    if (value === '') query.delete(name)
    else query.set(name, value)
    keepQuery(query)
    clear.hidden = query.size === 0
    apply()
  }
  const clear = element('button', { type: 'button', class: 'plain' }, 'Clear all')
  const draw = () =>
    bar.replaceChildren(
      ...filters.map((filter) =>
        filter.kind === 'search' ? searchField(filter, query, change) : chip(filter, query, change),
      ),
      clear,
    )
  clear.hidden = query.size === 0
  clear.addEventListener('click', () => {
    for (const { name } of filters) query.delete(name)
    keepQuery(query)
    clear.hidden = true
    draw()
    apply()
    bar.querySelector('input')?.focus()
  })
  draw()
  closeOthers(bar)
  return bar
}

/** @typedef {(name: string, value: string) => void} Change */

/**
 * @param {Filter} filter
 * @param {URLSearchParams} query
 * @param {Change} change
 */
function searchField({ name, label }, query, change) {
  const input = element('input', {
    type: 'search',
    value: query.get(name) ?? '',
    placeholder: label,
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  input.addEventListener('change', () => change(name, input.value.trim()))
  input.addEventListener('keydown', (event) => event.key === 'Enter' && change(name, input.value.trim()))
  return input
}

/**
 * A chip that says its value, and opens the control that changes it.
 * @param {Filter} filter
 * @param {URLSearchParams} query
 * @param {Change} change
 */
function chip(filter, query, change) {
  const { name, label, hint } = filter
  const summary = element('summary', {})
  const made = element('details', { class: 'chip', name: 'filter' }, summary)
  const show = () => {
    const value = query.get(name) ?? ''
    made.classList.toggle('set', value !== '')
    summary.replaceChildren(value === '' ? label : `${label}: ${nameOf(filter, value)}`)
  }
  const control = controlOf(filter, query.get(name) ?? '')
  const error = element('p', { class: 'field-error', role: 'alert' })
  const take = async () => {
    try {
      const value = await valueOf(filter, control.value.trim())
      error.replaceChildren()
      change(name, value)
      show()
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      error.replaceChildren(thrown.message)
      return
    }
    if (filter.kind === 'date') return
    made.open = false
    summary.focus()
  }
  control.addEventListener('change', () => void take())
  const remove = element('button', { type: 'button' }, 'Remove the filter')
  remove.addEventListener('click', () => {
    control.value = ''
    change(name, '')
    show()
    made.open = false
    summary.focus()
  })
  made.append(element('div', {}, field(label, control, hint), ...listOf(filter, control), error, remove))
  made.addEventListener('toggle', () => made.open && control.focus())
  show()
  return made
}

/**
 * @param {Filter} filter
 * @param {string} value
 */
function controlOf(filter, value) {
  if (filter.kind !== 'select')
    return element('input', {
      type: filter.kind === 'date' ? 'date' : 'text',
      value: nameOf(filter, value),
      autocomplete: 'off',
      spellcheck: 'false',
    })
  /** @type {[string, string][]} */
  const all = [['', 'All'], ...(filter.choices ?? [])]
  return element(
    'select',
    {},
    ...all.map(([each, name]) => element('option', { value: each, selected: each === value }, name)),
  )
}

/**
 * The names to choose from while typing.
 * @param {Filter} filter
 * @param {HTMLElement} control
 */
function listOf({ kind, name, choices = [] }, control) {
  if (kind !== 'pick') return []
  const id = `filter-${name}`
  control.setAttribute('list', id)
  return [
    element(
      'datalist',
      { id },
      ...choices.map(([value, shown]) => element('option', { value: shown }, value)),
    ),
  ]
}

/**
 * @param {Filter} filter
 * @param {string} value
 */
function nameOf({ choices = [] }, value) {
  return choices.find(([each]) => each === value)?.[1] ?? value
}

/**
 * The value of a typed name or value. Throws a Failure if it is neither.
 * @param {Filter} filter
 * @param {string} typed
 */
async function valueOf({ kind, choices = [], resolve }, typed) {
  if (resolve !== undefined && typed !== '') return resolve(typed)
  if (kind !== 'pick' || typed === '') return typed
  const wanted = typed.toLowerCase()
  const found = choices.find(
    ([value, name]) => value.toLowerCase() === wanted || name.toLowerCase() === wanted,
  )
  if (found === undefined)
    throw new Failure(0, { message: `“${typed}” is not in the list`, reason: 'unknown_name' })
  return found[0]
}

/**
 * Esc and a click elsewhere close an open chip.
 * @param {HTMLElement} bar
 */
function closeOthers(bar) {
  const open = () => bar.querySelector('details[open]')
  bar.addEventListener('keydown', (event) => {
    const chip = open()
    if (event.key !== 'Escape' || chip === null) return
    event.preventDefault()
    chip.removeAttribute('open')
    chip.querySelector('summary')?.focus()
  })
  const closeOutside = (/** @type {Event} */ event) => {
    if (!bar.isConnected) return removeEventListener('click', closeOutside)
    if (event.target instanceof Node && open()?.contains(event.target) === false)
      open()?.removeAttribute('open')
  }
  addEventListener('click', closeOutside)
}
