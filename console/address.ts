import { arrive, followPlace } from './place.ts'
import { Store } from './store.ts'

/**
 * The part of the address that the console reads: `#/transactions/txn_1?status=completed` is the view
 * `transactions`, with the drawer of `txn_1`, and its list filtered by status. `page` counts the pages that
 * were opened: a drawer and a filter do not open one.
 */
export type Address = { path: string; id: string | null; query: URLSearchParams; page: number }

/** The present address. */
export const ADDRESS = new Store<Address>(readAddress())

/** The address of a URL; left out: that of the page. */
function readAddress(url = location.href, page = 0): Address {
  const [, hash = ''] = url.split('#')
  const [before = '', query = ''] = hash.split('?')
  const [, path = '', id = ''] = before.split('/')
  return { path, id: id === '' ? null : decoded(id), query: new URLSearchParams(query), page }
}

/** Whoever types an address may write a percent sign that encodes nothing: then it is the text itself. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

type Linked = { id?: string | null; query?: URLSearchParams }

/** The link to a view, or with `id` to the drawer of a record in it. */
export function linkTo(path: string, { id = null, query = new URLSearchParams() }: Linked = {}): string {
  const record = id === null ? '' : `/${encodeURIComponent(id)}`
  return `#/${path}${record}${query.size === 0 ? '' : `?${query}`}`
}

/** Follows the address of the browser from now on. */
export function followAddress(): void {
  ADDRESS.set(readAddress())
  followPlace()
  addEventListener('hashchange', () => {
    if (location.hash !== '' && !location.hash.startsWith('#/')) return
    arrive()
    const before = ADDRESS.get()
    const next = readAddress()
    const same = next.path === before.path && next.query.toString() === before.query.toString()
    ADDRESS.set({ ...next, page: same ? before.page : before.page + 1 })
  })
}

/** Puts filters of the present view into the address, without a new page. An open drawer stays open. */
export function keepQuery(query: URLSearchParams): void {
  const address = ADDRESS.get()
  history.replaceState(history.state, '', linkTo(address.path, { id: address.id, query }))
  ADDRESS.set({ ...address, query: new URLSearchParams(query) })
}

/** Closes the drawer: the list stays as it was. */
export function leaveDrawer(): void {
  const { path, query } = ADDRESS.get()
  location.hash = linkTo(path, { query })
}

/** What a view gets: the filters of the address. */
export type ViewProps = { query: URLSearchParams }

/** What the drawer of a record gets. */
export type RecordProps = ViewProps & { id: string }
