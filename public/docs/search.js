/** The search of the documentation. The pages are complete without this script, and then show no search. */

/** @typedef {{ page: string, heading: string, href: string, text: string }} Entry */

const FOUND_MAX = 12

/** @type {Promise<Entry[]> | null} */
let index = null

/** The sections of all pages. They are loaded at the first use, and again after a failure. */
function loadIndex() {
  index ??= fetch('/docs/search.json').then((response) => response.json())
  index.catch(() => (index = null))
  return index
}

/**
 * How well a section matches all words; 0: a word is missing.
 * @param {Entry} entry
 * @param {string[]} words
 */
function score({ page, heading, text }, words) {
  let sum = 0
  for (const word of words) {
    const inHeading = heading.toLowerCase().includes(word)
    const inPage = page.toLowerCase().includes(word)
    const inText = text.toLowerCase().includes(word)
    if (!inHeading && !inPage && !inText) return 0
    sum += (inHeading ? 10 : 0) + (inPage ? 4 : 0) + (inText ? 1 : 0)
  }
  return heading.toLowerCase() === words.join(' ') ? sum + 20 : sum
}

/**
 * A few words around the first match.
 * @param {string} text
 * @param {string[]} words
 */
function excerpt(text, words) {
  const at = text.toLowerCase().indexOf(words[0] ?? '')
  const from = Math.max(0, at - 40)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 120)}${text.length > from + 120 ? '…' : ''}`
}

/**
 * @param {Entry} entry
 * @param {string[]} words
 */
function resultItem(entry, words) {
  const link = document.createElement('a')
  link.href = entry.href
  link.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`
  const text = document.createElement('span')
  text.className = 'quiet'
  text.textContent = excerpt(entry.text, words)
  const result = document.createElement('li')
  result.append(link, text)
  return result
}

function startSearch() {
  const form = document.querySelector('search')
  const input = document.querySelector('#docs-search')
  const says = document.querySelector('#docs-search-says')
  const list = document.querySelector('#docs-search-found')
  if (!(form instanceof HTMLElement) || !(input instanceof HTMLInputElement) || !says || !list) return
  /** @param {string[]} words */
  const show = async (words) => {
    const entries = await loadIndex()
    // A later input shows its own results.
    if (words.join(' ') !== wordsOf(input.value).join(' ')) return
    const found = words.length === 0 ? [] : entries.filter((entry) => score(entry, words) > 0)
    const best = found.toSorted((a, b) => score(b, words) - score(a, words)).slice(0, FOUND_MAX)
    list.replaceChildren(...best.map((entry) => resultItem(entry, words)))
    says.textContent = words.length === 0 ? '' : resultsInWords(found.length)
  }
  const fail = () => (says.textContent = 'The search cannot be loaded. Try again.')
  input.addEventListener('focus', () => void loadIndex().catch(fail), { once: true })
  input.addEventListener('input', () => void show(wordsOf(input.value)).catch(fail))
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click()
  })
  form.hidden = false
}

/** @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

/** @param {number} count */
function resultsInWords(count) {
  if (count === 0) return 'Nothing found. Try fewer words.'
  const sections = `${count} ${count === 1 ? 'section' : 'sections'}`
  return count > FOUND_MAX ? `${sections}, the best ${FOUND_MAX} are listed` : sections
}

startSearch()
