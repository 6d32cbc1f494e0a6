import { useEffect, useRef, useState } from 'hono/jsx/dom'
import type { Customer, ListedTransaction } from '../client/src/schema.ts'
import { linkTo } from './address.ts'
import { Failure, ifAllowed, read } from './api.ts'
import { dayText, formatMoney } from './format.ts'
import { useLoading } from './parts/load.tsx'
import { Store, useStore } from './store.ts'
import { matching, pagesAndActions, returnsAndPlaces, type Target } from './targets.ts'
import type { View } from './views.ts'

/** Whether the search over all is open. */
const OPEN = new Store(false)

/** A name finds its customer, and a sale is found by its number: three are enough to see that it has more. */
const CUSTOMERS = '6'
const SALES = '3'
/** A pause in typing, after which the API is asked. */
const PAUSE_MS = 200

/** The button that opens the search, for those who do not know Ctrl-K. */
export function FindButton() {
  return (
    <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => OPEN.set(true)}>
      Search <kbd>Ctrl K</kbd>
    </button>
  )
}

/** One search over pages, actions, returns, places, sales and customers. Ctrl-K opens it anywhere. */
export function Palette({ views }: { views: readonly View[] }) {
  const is_open = useStore(OPEN)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) OPEN.set(true)
    }
    addEventListener('keydown', open)
    return () => {
      removeEventListener('keydown', open)
      OPEN.set(false)
    }
  }, [])
  return is_open ? <Search views={views} /> : null
}

function Search({ views }: { views: readonly View[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState<string | null>(null)
  const [is_entered, setEntered] = useState(false)
  const { found, told } = useFound(typed)
  const named = useLoading(returnsAndPlaces).value ?? []
  const groups = inGroups([...matching([...pagesAndActions(views), ...named], typed), ...found])
  const targets = groups.flatMap(([, of]) => of)
  // What was chosen stays so when customers are found above it.
  const chosen = Math.max(
    0,
    targets.findIndex((target) => idOf(target) === at),
  )
  useEffect(() => dialog.current?.showModal(), [])
  const go = (target: Target | undefined) => {
    if (target === undefined) return
    OPEN.set(false)
    location.hash = target.href
  }
  // What is entered while the search goes on is opened when it is found.
  useEffect(() => {
    if (is_entered) go(targets[chosen])
  })
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const next = targets.at((chosen + step) % targets.length)
    if (event.key === 'Enter') setEntered(true)
    else if (step !== 0 && next !== undefined) setAt(idOf(next))
    else return
    event.preventDefault()
  }
  const type = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement)) return
    setTyped(target.value.trim())
    setAt(null)
    setEntered(false)
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Search everything" onClose={() => OPEN.set(false)}>
      <input
        type="text"
        role="combobox"
        aria-label="Page, action, return, place, order, invoice, customer or amount"
        aria-expanded="true"
        aria-controls="palette-targets"
        aria-activedescendant={targets[chosen] && idOf(targets[chosen])}
        placeholder="Page, action, return, place, order, invoice, customer or amount"
        autocomplete="off"
        onInput={type}
        onKeyDown={move}
      />
      <Groups of={groups} chosen={targets[chosen]} go={go} />
      <p class="quiet" role="status">
        {told ?? (targets.length === 0 ? 'No results.' : '')}
      </p>
    </dialog>
  )
}

type GroupsProps = { of: Group[]; chosen: Target | undefined; go: (target: Target) => void }

function Groups({ of, chosen, go }: GroupsProps) {
  return (
    <div id="palette-targets" class="found" role="listbox" aria-label="Found">
      {of.map(([kind, targets]) => (
        <div role="group" aria-label={HEADINGS[kind]}>
          <p class="quiet small" aria-hidden="true">
            {HEADINGS[kind]}
          </p>
          {targets.map((target) => (
            <div
              id={idOf(target)}
              role="option"
              aria-selected={target === chosen ? 'true' : 'false'}
              onClick={() => go(target)}
            >
              <span>{target.name}</span>
              <span class="quiet">{target.beside}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** Two targets can have one address: the settings are a page and an action. */
function idOf({ kind, name, href }: Target): string {
  return `palette ${kind} ${name} ${href}`.replaceAll(/\W+/g, '-')
}

/** The kinds in their order: whoever types a name means the customer, and not all that was sold to it. */
const HEADINGS: Readonly<Record<Target['kind'], string>> = {
  Customer: 'Customers',
  Page: 'Pages',
  Action: 'Actions',
  Return: 'Returns',
  Place: 'Places',
  Sale: 'Sales',
}

type Group = [Target['kind'], Target[]]

function inGroups(targets: readonly Target[]): Group[] {
  const kinds = Object.keys(HEADINGS) as Target['kind'][]
  return kinds.flatMap((kind) => {
    const own = targets.filter((each) => each.kind === kind)
    return own.length === 0 ? [] : [[kind, own]]
  })
}

type Found = { found: Target[]; told: string | null }

/** The sales and customers that a text finds, a moment after it was typed. */
function useFound(typed: string): Found {
  const latest = useRef(typed)
  latest.current = typed
  const search = async () => {
    await new Promise((resolve) => setTimeout(resolve, typed === '' ? 0 : PAUSE_MS))
    return typed === '' || latest.current !== typed ? { found: [], told: null } : findTargets(typed)
  }
  return useLoading(search, [typed]).value ?? { found: [], told: typed === '' ? null : 'Searching…' }
}

async function findTargets(q: string): Promise<Found> {
  try {
    const [sales, customers] = await Promise.all([
      ifAllowed(read('/v1/transactions', { q, limit: SALES })),
      ifAllowed(read('/v1/customers', { q, limit: CUSTOMERS })),
    ])
    const href = linkTo('transactions', { query: new URLSearchParams({ q }) })
    const all: Target = { kind: 'Sale', name: `All sales with “${q}”`, beside: '', href }
    return {
      found: [
        ...(sales?.transactions ?? []).map(targetOfSale),
        ...(sales?.has_more === true ? [all] : []),
        ...(customers?.customers ?? []).map(targetOfCustomer),
      ],
      told: null,
    }
  } catch (thrown) {
    if (thrown instanceof Failure) return { found: [], told: thrown.message }
    throw thrown
  }
}

function targetOfSale(sale: ListedTransaction): Target {
  const { id, external_id, invoice_number, customer_name, total, currency, transaction_date } = sale
  const beside = [invoice_number, customer_name, formatMoney(total, currency), dayText(transaction_date)]
  return {
    kind: 'Sale',
    name: external_id ?? invoice_number ?? id,
    beside: beside.filter((part) => part !== null).join(' · '),
    href: linkTo('transactions', { id }),
  }
}

function targetOfCustomer({ id, name, email, external_id }: Customer): Target {
  const named = name ?? email ?? external_id ?? id
  const beside = [email, external_id].filter((part) => part !== null && part !== named)
  return { kind: 'Customer', name: named, beside: beside.join(' · '), href: linkTo('customers', { id }) }
}
