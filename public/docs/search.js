import { searchIn, stem, wordsIn } from './find.js'

/**
 * The search of the documentation: a dialog that Ctrl-K and / open. The pages are complete without this script.
 *
 * @import { Found, Index } from './find.js'
 */

const FOUND_MAX = 12

/** @type {Promise<(query: string) => Found[]> | null} */
let search = null

/** The search over all pages. It is loaded at the first use, and again after a failure. */
function loadSearch() {
  search ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then((/** @type {Index} */ index) => searchIn(index))
  search.catch(() => (search = null))
  return search
}

function startSearch() {
  const opener = document.querySelector('.search-open')
  const dialog = document.querySelector('#docs-search-dialog')
  const input = document.querySelector('#docs-search')
  const says = document.querySelector('#docs-search-says')
  const list = document.querySelector('#docs-search-found')
  if (!(dialog instanceof HTMLDialogElement) || !(input instanceof HTMLInputElement) || !says || !list) return
  const open = () => {
    if (!dialog.open) dialog.showModal()
    input.select()
    void loadSearch().catch(fail)
  }
  const fail = () => (says.textContent = 'The search cannot be loaded. Try again.')
  const show = async () => {
    const asked = input.value
    const found = (await loadSearch())(asked)
    // A later input shows its own results.
    if (asked !== input.value) return
    list.replaceChildren(...found.slice(0, FOUND_MAX).map((each, at) => resultItem(each, asked, at)))
    choose(input, 0)
    says.textContent = asked.trim() === '' ? '' : resultsInWords(found.length)
  }
  opener?.addEventListener('click', open)
  input.addEventListener('input', () => void show().catch(fail))
  input.addEventListener('keydown', (event) => moveByKeys(event, input))
  list.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  document.addEventListener('keydown', (event) => {
    if (!opensSearch(event)) return
    event.preventDefault()
    open()
  })
}

/** @param {KeyboardEvent} event */
function opensSearch(event) {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) return true
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
  return event.key === '/' && !typing && !event.ctrlKey && !event.metaKey
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 */
function moveByKeys(event, input) {
  const options = [...document.querySelectorAll('#docs-search-found a')]
  const at = options.findIndex((each) => each.getAttribute('aria-selected') === 'true')
  // A browser empties the field at the first Escape, and closes the dialog at the second.
  if (event.key === 'Escape') input.closest('dialog')?.close()
  else if (event.key === 'Enter') {
    const chosen = options[Math.max(at, 0)]
    if (chosen instanceof HTMLElement) chosen.click()
  } else if (event.key === 'ArrowDown') choose(input, Math.min(at + 1, options.length - 1))
  else if (event.key === 'ArrowUp') choose(input, Math.max(at - 1, 0))
  else return
  event.preventDefault()
}

/**
 * Marks a result. The focus stays in the field, so that one can type on.
 * @param {HTMLInputElement} input
 * @param {number} at
 */
function choose(input, at) {
  const options = [...document.querySelectorAll('#docs-search-found a')]
  for (const [index, option] of options.entries())
    option.setAttribute('aria-selected', index === at ? 'true' : 'false')
  const chosen = options[at]
  if (chosen === undefined) input.removeAttribute('aria-activedescendant')
  else input.setAttribute('aria-activedescendant', chosen.id)
  chosen?.scrollIntoView({ block: 'nearest' })
}

/**
 * @param {Found} found
 * @param {string} asked
 * @param {number} at
 */
function resultItem({ entry, field }, asked, at) {
  const link = document.createElement('a')
  link.href = entry.href
  link.id = `docs-found-${at}`
  link.setAttribute('role', 'option')
  link.tabIndex = -1
  const title = document.createElement('b')
  title.append(...marked(entry.heading, asked))
  if (field !== null) title.append(' · ', ...marked(field, field))
  const place = document.createElement('span')
  place.className = 'found-page'
  place.textContent = entry.page === entry.heading ? '' : entry.page
  const text = document.createElement('span')
  text.className = 'found-text'
  text.append(...marked(excerpt(entry.text, asked), asked))
  link.append(title, place, text)
  return link
}

/**
 * A text with the words of the query as marks.
 * @param {string} text
 * @param {string} asked
 */
function marked(text, asked) {
  const stems = wordsIn(asked).map(stem)
  return text.split(/([\p{L}\p{N}_]+)/u).map((part) => {
    const own = stem(part.toLowerCase())
    if (!stems.some((each) => own === each || (each.length > 2 && own.startsWith(each)))) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

/**
 * A few words around the first match.
 * @param {string} text
 * @param {string} asked
 */
function excerpt(text, asked) {
  const places = wordsIn(asked).map((word) => text.toLowerCase().indexOf(stem(word)))
  const at = Math.min(...places.filter((place) => place >= 0), text.length)
  const from = at === text.length ? 0 : Math.max(0, text.lastIndexOf(' ', at - 40) + 1)
  if (text.length <= from + 140) return `${from > 0 ? '… ' : ''}${text.slice(from)}`
  // It ends with a whole word.
  const to = text.lastIndexOf(' ', from + 140)
  return `${from > 0 ? '… ' : ''}${text.slice(from, to > from ? to : from + 140)} …`
}

/** @param {number} count */
function resultsInWords(count) {
  if (count === 0) return 'Nothing found. Try fewer words.'
  return count > FOUND_MAX
    ? `The best ${FOUND_MAX} of ${count} sections`
    : `${count} ${count === 1 ? 'section' : 'sections'}`
}

startSearch()
