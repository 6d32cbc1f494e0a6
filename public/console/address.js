/**
 * The part of the address that the console reads: `#/transactions/txn_1?status=completed` is the view
 * `transactions`, with the drawer of `txn_1`, and its list filtered by status.
 * @typedef {{ path: string, id: string | null, query: URLSearchParams }} Address
 */

/**
 * @param {string} [url] an address with a hash; left out: that of the page
 * @returns {Address}
 */
export function readAddress(url = location.href) {
  const [, hash = ''] = url.split('#')
  const [before = '', query = ''] = hash.split('?')
  const [, path = '', id = ''] = before.split('/')
  return { path, id: id === '' ? null : decodeURIComponent(id), query: new URLSearchParams(query) }
}

/**
 * The link to a view, or to the drawer of a record in it.
 * @param {string} path of the view
 * @param {{ id?: string | null, query?: URLSearchParams }} [options] left out: no drawer, no filters
 */
export function linkTo(path, { id = null, query = new URLSearchParams() } = {}) {
  const record = id === null ? '' : `/${encodeURIComponent(id)}`
  return `#/${path}${record}${query.size === 0 ? '' : `?${query}`}`
}

/** Whether two addresses differ in their drawer alone. */
export function isSamePage(/** @type {Address} */ a, /** @type {Address} */ b) {
  return a.path === b.path && a.query.toString() === b.query.toString()
}

/**
 * Puts the filters of the present view into the address, without a new page.
 * @param {URLSearchParams} query
 */
export function keepQuery(query) {
  const { path } = readAddress()
  history.replaceState(null, '', linkTo(path, { query }))
}
