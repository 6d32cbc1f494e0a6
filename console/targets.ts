import type { Scope } from '../client/src/schema.ts'
import { may } from './account.ts'
import { linkTo } from './address.ts'
import { ifAllowed, read } from './api.ts'
import { formatDay } from './format.ts'
import { jurisdictions } from './names.ts'
import { linkToReturn, readDues, returnOf } from './returns/return.ts'
import { periodWords, returnName, sentence } from './words.ts'
import type { View } from './views.ts'

type Kind = 'Page' | 'Action' | 'Return' | 'Place' | 'Sale' | 'Customer'

/** Something to go to. `beside` tells equal names apart. */
export type Target = { kind: Kind; name: string; beside: string; href: string }

/** A target that the console finds itself. `words` are others by which people look for it. */
type NamedTarget = Target & { words: string }

/** Actions with the scope that they need, and other words for them. */
const ACTIONS: readonly (readonly [name: string, scope: Scope, href: string, words: string])[] = [
  ['Create a key', 'keys:write', '#/keys/new', 'new api add'],
  ['Add a person', 'people:write', '#/people/new', 'new user invite colleague accountant auditor role'],
  ['Add a customer', 'customers:write', '#/customers/new', 'new create'],
  ['Add a certificate', 'customers:write', '#/certificates/new', 'new create upload exemption'],
  ['Add a registration', 'registrations:write', '#/registrations/new', 'new create vat nexus'],
  ['Add a webhook', 'webhooks:write', '#/webhooks/new', 'new create endpoint'],
  ['Import sales from a CSV file', 'transactions:write', '#/transactions/new', 'upload new'],
  ['Calculate a tax', 'tax:read', '#/calculation', 'new calculation test'],
  ['Require two people for a return', 'people:write', '#/settings', 'four eyes second review approval'],
  ['Change the time zone', 'registrations:write', '#/settings', 'settings account country'],
]

/** The pages and the actions that the key may open. */
export function pagesAndActions(views: readonly View[]): NamedTarget[] {
  const pages = views.map(({ title, path }) => targetOf('Page', title, linkTo(path), ''))
  const actions = ACTIONS.filter(([, scope]) => may(scope))
  return [...pages, ...actions.map(([name, , href, words]) => targetOf('Action', name, href, words))]
}

function targetOf(kind: Kind, name: string, href: string, words: string, beside = ''): NamedTarget {
  return { kind, name, beside, href, words }
}

/** The returns of the account, what is still to be filed first, and the places with rates. */
export async function returnsAndPlaces(): Promise<NamedTarget[]> {
  const [dues, filed, places] = await Promise.all([
    ifAllowed(readDues()),
    ifAllowed(read('/v1/returns', { status: 'filed', limit: '100' })),
    jurisdictions(),
  ])
  const open = (dues?.obligations ?? []).flatMap((due) => {
    const asked = returnOf(due)
    const beside = `${sentence(due.status.replaceAll('_', ' '))} · due ${formatDay(due.last_date)}`
    return asked === null ? [] : [targetOfReturn(returnName(due), asked, beside)]
  })
  const kept = (filed?.returns ?? []).map((each) => targetOfReturn(returnName(each), each, 'Filed'))
  const of_places = places.map(({ value, name }) => {
    const href = linkTo('rates', { query: new URLSearchParams({ place: value }) })
    return targetOf('Place', name, href, `${value} rates`, 'Rates')
  })
  return [...new Map([...open, ...kept].map((each) => [each.href, each])).values(), ...of_places]
}

type AskedReturn = { type: string; period: string; jurisdiction_id: string | null }

/** `OSS` and `2026-Q3` find it as the words do. */
function targetOfReturn(name: string, asked: AskedReturn, beside: string): NamedTarget {
  const { type, period, jurisdiction_id } = asked
  const words = [type.replaceAll('_', ' '), period, jurisdiction_id ?? '', 'return'].join(' ')
  return targetOf('Return', `${name}, ${periodWords(period)}`, linkToReturn(asked), words, beside)
}

/** How many of one kind are shown, so that no kind hides the others. */
const SHOWN_OF_KIND = 6

/** Those of which each typed word begins a word. Nothing typed: the pages. */
export function matching(all: readonly NamedTarget[], typed: string): NamedTarget[] {
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return all.filter(({ kind }) => kind === 'Page')
  const found = all.filter(({ name, words }) => {
    const known = wordsOf(`${name} ${words}`)
    return wanted.every((word) => known.some((each) => each.startsWith(word)))
  })
  return [...Map.groupBy(found, ({ kind }) => kind).values()].flatMap((each) => each.slice(0, SHOWN_OF_KIND))
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
