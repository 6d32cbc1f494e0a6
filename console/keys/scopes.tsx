import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { GrantableScope } from '../../src/accounts/schemas.ts'
import { Check, Group } from '../parts/form.tsx'

/** The scopes with their meaning. `operator` is granted on the command line alone. */
const SCOPES: Readonly<Record<Exclude<z.output<typeof GrantableScope>, 'operator'>, string>> = {
  '*': 'Everything in this account',
  'tax:read': 'Calculate tax, read rates and thresholds',
  'transactions:read': 'Read sales and refunds',
  'transactions:write': 'Record sales and refunds',
  'customers:read': 'Read customers and certificates',
  'customers:write': 'Change customers and certificates',
  'reports:read': 'Read reports, returns and nexus',
  'reports:write': 'File and reopen returns',
  'registrations:read': 'Read the account and its registrations',
  'registrations:write': 'Change the account and its registrations',
  'webhooks:read': 'Read webhooks and deliveries',
  'webhooks:write': 'Change webhooks, send deliveries again',
  'keys:read': 'Read the list of keys',
  'keys:write': 'Create, rotate and revoke keys',
  'audit:read': 'Read the audit log',
  'vat:write': 'Ask authorities about VAT ids',
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SCOPES),
  ['operator', 'Operate the service'],
])

const ACCOUNTANT =
  'tax:read transactions:read customers:read reports:read reports:write registrations:read'.split(' ')

const USES: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ['Checkout', ['tax:read', 'transactions:write', 'vat:write']],
  ['Accountant', ACCOUNTANT],
  ['Everything', ['*']],
]

/** What a key may do, in the words of its form; the use that has just these scopes by its name. */
export function scopeWords(scopes: readonly string[]): string {
  if (scopes.includes('*')) return scopes.length === 1 ? 'Everything' : scopes.map(wordsOf).join('; ')
  const use = USES.find(([, of]) => of.length === scopes.length && of.every((each) => scopes.includes(each)))
  return use?.[0] ?? scopes.map(wordsOf).join('; ')
}

function wordsOf(scope: string): string {
  return WORDS.get(scope) ?? scope
}

/** The scopes of a key with their meaning. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul class="plain-list">
      {scopes.map((scope) => (
        <li>
          {wordsOf(scope)} <code class="quiet small">{scope}</code>
        </li>
      ))}
    </ul>
  )
}

/** The choice of scopes, with buttons for usual keys. Read it with Typed.checked('scopes'). */
export function ScopeChoice({ legend }: { legend: string }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const turn =
    (scope: string) =>
    ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return
      setChosen(target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
    }
  return (
    <Group legend={legend} name="scopes">
      <div class="actions" role="group" aria-label="Usual keys">
        {USES.map(([name, scopes]) => (
          <button type="button" onClick={() => setChosen(scopes)}>
            {name}
          </button>
        ))}
      </div>
      {Object.entries(SCOPES).map(([scope, words]) => (
        <Check name="scopes" value={scope} checked={chosen.includes(scope)} onInput={turn(scope)}>
          {words} <code class="quiet">{scope}</code>
        </Check>
      ))}
    </Group>
  )
}
