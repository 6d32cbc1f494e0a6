import { useState } from 'hono/jsx/dom'
import type { Scope } from '../../client/src/schema.ts'
import { Check } from '../parts/form.tsx'
import { Press } from '../parts/parts.tsx'

/** The scopes with their meaning. `operator` is granted on the command line alone. */
const SCOPES: Readonly<Record<Exclude<Scope, 'operator'>, string>> = {
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

const ACCOUNTANT =
  'tax:read transactions:read customers:read reports:read reports:write registrations:read'.split(' ')

const USES: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ['Checkout', ['tax:read', 'transactions:write', 'vat:write']],
  ['Accountant', ACCOUNTANT],
  ['Everything', ['*']],
]

export function scopeWords(scopes: readonly string[]): string {
  return scopes.includes('*') ? 'Everything' : scopes.join(', ')
}

/** The scopes of a key with their meaning. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const words = new Map(Object.entries(SCOPES))
  return (
    <ul class="plain-list">
      {scopes.map((scope) => (
        <li>
          <code>{scope}</code>
          <span class="quiet small"> {words.get(scope) ?? ''}</span>
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
    <fieldset class="events">
      <legend>{legend}</legend>
      <div class="actions" role="group" aria-label="Usual keys">
        {USES.map(([name, scopes]) => (
          <Press act={() => setChosen(scopes)}>{name}</Press>
        ))}
      </div>
      {Object.entries(SCOPES).map(([scope, words]) => (
        <Check name="scopes" value={scope} checked={chosen.includes(scope)} onInput={turn(scope)}>
          {words} <code class="quiet">{scope}</code>
        </Check>
      ))}
    </fieldset>
  )
}
