/**
 * Finds pages of the documentation by words. It has no access to a page, so tests call it, too.
 *
 * @typedef {{
 *   page: string, heading: string, href: string, fields?: string, text: string, words?: string, rank?: number
 * }} Entry `heading` is that of the page for its first section. `fields` are names of parameters and fields.
 *   `words` are further words of the section, each once. `rank` multiplies the score; left out: 1
 * @typedef {{ entries: Entry[], synonyms: Record<string, string> }} Index `synonyms`: by one word, or several with
 *   a blank, the words that are searched in its place too
 * @typedef {{ entry: Entry, field: string | null }} Found `field`: the parameter or field that was named
 * @typedef {{ title: Set<string>, heading: Set<string>, page: Set<string>, fields: Set<string>, text: Set<string> }}
 *   Words
 */

/** A word in a title counts more than one in a heading, in the name of a field, and in the text. */
const WEIGHTS = { title: 14, heading: 9, fields: 7, page: 4, text: 1.5 }
const PREFIX = 0.7
const SYNONYM = 0.8
const TYPO = 0.5
const TYPO_MIN = 5
/** What is added if a query is the name of a field. */
const FIELD = 30

const STOP = new Set(
  (
    'a an and are as at be by can do does for from get has have how i if in is it its me my of on or our so ' +
    'that the their them then there this to use using was we what when where which who why with you your'
  ).split(' '),
)

/**
 * Prepares an index: returns the search over it.
 * @param {Index} index
 * @returns {(query: string) => Found[]} the best section first; a section without any of the words is left out
 */
export function searchIn({ entries, synonyms }) {
  const prepared = entries.map((entry) => ({ entry, words: wordsOfEntry(entry) }))
  const known = new Set(prepared.flatMap(({ words }) => Object.values(words).flatMap((set) => [...set])))
  return (query) => {
    const wanted = wantedWords(query, synonyms, known)
    if (wanted.length === 0) return []
    const weights = wanted.map((word) => rarity(word, prepared))
    return prepared
      .map(({ entry, words }) => ({ entry, score: scoreOf(entry, words, wanted, weights, query) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ entry }) => ({ entry, field: namedField(entry, query) }))
  }
}

/**
 * The words of a text that a search looks for, in lower case.
 * @param {string} text
 */
export function wordsIn(text) {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
  const telling = words.filter((word) => !STOP.has(word))
  return telling.length === 0 ? words : telling
}

/**
 * The stem of an English word: without the endings of plurals and verbs. Both sides are cut in the same way, so it
 * need not be a word.
 * @param {string} word
 */
export function stem(word) {
  if (word.length < 4 || word.includes('_')) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=..)(?:ations?|ating|ated|ates?|ators?)$/, 'at')
    .replace(/(?<=...)(?:ing|ed|ers?|es|e|s)$/, '')
    .replace(/([^aeiouls])\1$/, '$1')
}

/**
 * @param {Entry} entry
 * @returns {Words}
 */
function wordsOfEntry({ page, heading, fields = '', text, words = '' }) {
  const isPage = page === heading
  return {
    title: stems(isPage ? page : ''),
    heading: stems(isPage ? '' : heading),
    page: stems(isPage ? '' : page),
    fields: stems(fields),
    text: stems(`${text} ${words}`),
  }
}

/**
 * The stems of a text. `vat_id` is a word, and so are its parts; `createWebhook` likewise.
 * @param {string} text
 */
function stems(text) {
  const words = `${text} ${text.replaceAll(/([a-z])([A-Z])/g, '$1 $2')}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
  return new Set(words.flatMap((word) => [word, ...word.split('_')]).map(stem))
}

/**
 * For each word of a query: its alternatives, the word itself first. Several words can have synonyms together.
 * Synonyms that begin with = are searched instead of the word.
 * @param {string} query
 * @param {Record<string, string>} synonyms
 * @param {Set<string>} known
 * @returns {{ stem: string, weight: number }[][]}
 */
function wantedWords(query, synonyms, known) {
  const words = wordsIn(query)
  const whole = words.join(' ')
  const phrases = Object.entries(synonyms).filter(
    ([name]) => name.includes(' ') && ` ${whole} `.includes(` ${name} `),
  )
  const replaced = phrases.flatMap(([name, others]) => (others.startsWith('=') ? name.split(' ') : []))
  const rest = words.filter((word) => !replaced.includes(word))
  const single = rest.map((word) => [
    ...(synonyms[word]?.startsWith('=') ? [] : [{ stem: stem(word), weight: 1 }]),
    ...alternatives(synonyms[word]?.replace('=', '') ?? synonyms[stem(word)] ?? ''),
  ])
  return [
    ...single.map((options, at) => withTypos(options, rest[at] ?? '', known)),
    ...phrases.map(([, others]) => alternatives(others.replace('=', ''))),
  ]
}

/** @param {string} words */
function alternatives(words) {
  return words
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ stem: stem(word), weight: SYNONYM }))
}

/**
 * A word that no section has is taken for words that differ by one letter.
 * @param {{ stem: string, weight: number }[]} options
 * @param {string} raw the word as it was typed
 * @param {Set<string>} known
 */
function withTypos(options, raw, known) {
  const [own] = options
  if (own === undefined || options.length > 1 || own.stem.length < TYPO_MIN) return options
  // A word that is not yet typed to its end is no typo. The stem would be the beginning of others: `invoc` of `invoce`.
  if (known.has(own.stem) || [...known].some((word) => word.startsWith(raw))) return options
  const near = [...known].filter((word) => differByOne(word, own.stem))
  return [...options, ...near.map((word) => ({ stem: word, weight: TYPO }))]
}

/**
 * @param {string} a
 * @param {string} b
 */
function differByOne(a, b) {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let from = 0
  while (a[from] === b[from]) from += 1
  const [restA, restB] = [a.slice(from), b.slice(from)]
  const swapped = `${restA[1] ?? ''}${restA[0] ?? ''}${restA.slice(2)}` === restB
  return swapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/**
 * How much a word tells: one that few sections have counts more.
 * @param {{ stem: string, weight: number }[]} options
 * @param {{ words: Words }[]} prepared
 */
function rarity(options, prepared) {
  const having = prepared.filter(({ words }) => matchOf(words, options) > 0).length
  return Math.log(1 + prepared.length / (1 + having))
}

/**
 * The best match of one word in a section; 0: the section has none of its alternatives.
 * @param {Words} words
 * @param {{ stem: string, weight: number }[]} options
 */
function matchOf(words, options) {
  let best = 0
  for (const { stem: wanted, weight } of options)
    for (const [place, each] of Object.entries(WEIGHTS)) {
      const set = words[/** @type {keyof Words} */ (place)]
      if (set.has(wanted)) best = Math.max(best, each * weight)
      else if (wanted.length > 2 && best < each * weight * PREFIX && hasPrefix(set, wanted))
        best = each * weight * PREFIX
    }
  return best
}

/**
 * @param {Set<string>} words
 * @param {string} prefix
 */
function hasPrefix(words, prefix) {
  for (const word of words) if (word.startsWith(prefix)) return true
  return false
}

/**
 * @param {Entry} entry
 * @param {Words} words
 * @param {{ stem: string, weight: number }[][]} wanted
 * @param {number[]} weights
 * @param {string} query
 */
function scoreOf(entry, words, wanted, weights, query) {
  let sum = 0
  let found = 0
  for (const [index, options] of wanted.entries()) {
    const match = matchOf(words, options)
    if (match > 0) found += 1
    sum += match * (weights[index] ?? 0)
  }
  const own = words.title.size > 0 ? words.title : words.heading
  const named = wanted.filter((options) => options.some((each) => own.has(each.stem))).length
  // A title of few words that are all asked for is what was meant.
  const exact = own.size > 0 ? named / Math.max(own.size, wanted.length) : 0
  const share = found / wanted.length
  // `discount` is also a word of the language; `vat_id_validated` is only a field.
  const field = namedField(entry, query)?.includes('_') ? FIELD : 0
  return (sum * share * share * (1 + exact) + field) * (entry.rank ?? 1)
}

/**
 * The field of an entry that a query names as it is written, such as `vat_id_validated`.
 * @param {Entry} entry
 * @param {string} query
 */
function namedField({ fields = '' }, query) {
  const asked = query
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  if (asked === '') return null
  return fields.split(' ').find((name) => name.toLowerCase() === asked) ?? null
}
