import { useState } from 'hono/jsx/dom'
import type { ApiKey, NewApiKeyAnswer, Scope } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { byOffset, mistake, readAll } from '../api.ts'
import { formatDay } from '../format.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Check, Form, Group, Input, type Typed } from '../parts/form.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { AddLink, Badge, Facts, Moment, Part, Press, SecretOnce, useTitle } from '../parts/parts.tsx'
import { PagedTable } from '../parts/table.tsx'

const PAGES_MAX = 10

/** The keys of the account. */
export function View() {
  return (
    <>
      <p class="quiet lead">
        Give each app its own key, with only the permissions it needs. People sign in as themselves, where the
        service has a sign-in, or get a key each.
      </p>
      <PagedTable
        caption="Active API keys"
        href={({ id }) => linkTo('keys', { id })}
        columns={[
          { head: 'Name', cell: nameOf },
          { head: 'State', phone: 'figure', keep: true, cell: (key) => <StateOf {...key} /> },
          { head: 'Begins with', keep: true, cell: ({ prefix }) => <code>{prefix}</code> },
          { head: 'Permissions', cell: ({ scopes }) => scopeWords(scopes) },
          { head: 'Last used', keep: true, cell: lastUse },
        ]}
        read={byOffset('/v1/api-keys', ({ api_keys }) => api_keys)}
      />
    </>
  )
}

export const Actions = () => <AddLink to="keys" name="Create a key" first />

/** The API has no route for one key, so it is found in the list. */
async function findKey(id: string): Promise<ApiKey> {
  const { rows } = await readAll('/v1/api-keys', {}, ({ api_keys }) => api_keys, PAGES_MAX)
  const found = rows.find((each) => each.id === id)
  if (found !== undefined) return found
  throw mistake('This key is no longer valid.', 'not_found')
}

function nameOf({ name, prefix }: Pick<ApiKey, 'name' | 'prefix'>): string {
  return name ?? `Key ${prefix}…`
}

function lastUse({ last_used_at }: ApiKey): string {
  return last_used_at === null ? 'Never' : formatDay(last_used_at)
}

function StateOf({ revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>) {
  if (revoked_at !== null) return <Badge word={`ends ${formatDay(revoked_at)}`} tone="warn" />
  const word = expires_at === null ? 'active' : `until ${formatDay(expires_at)}`
  return <Badge word={word} tone="good" />
}

export function Record({ id }: RecordProps) {
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <MadeKey of={made} />
  return <Read read={() => findKey(id)} of={[id]} show={(of) => <Inside of={of} made={setMade} />} />
}

function Inside({ of, made }: { of: ApiKey; made: (made: Made | null) => void }) {
  const { id, prefix, created_at, expires_at, revoked_at, scopes } = of
  const name = nameOf(of)
  const text =
    'Apps that use this key are refused at once. This cannot be undone. If it is the key that ' +
    'you use now, you are signed out.'
  const ask = { title: `Revoke ${name}?`, text, yes: 'Revoke' }
  const gone = { told: `${name} is revoked`, leave: linkTo('keys') }
  const revoke = () => change('DELETE', `/v1/api-keys/${id}`, { ask, ...gone })
  useTitle(name, <StateOf {...of} />, [revoked_at])
  return (
    <>
      <Facts
        of={[
          ['Begins with', <code>{prefix}</code>],
          ['Created', <Moment at={created_at} />],
          ['Last used', lastUse(of)],
          ['Expires', <Moment at={expires_at} />],
          ['Ends after rotation', revoked_at && <Moment at={revoked_at} />],
        ]}
      />
      <Part title="Permissions">
        <ScopeList scopes={scopes} />
      </Part>
      {revoked_at === null && may('keys:write') && (
        <Part title="Rotate the key">
          <RotateKey id={id} made={made} />
        </Part>
      )}
      {may('keys:write') && (
        <Part title="End it now">
          <Deeds of={[{ name: 'Revoke…', act: revoke, kind: 'dangerous' }]} />
        </Part>
      )}
      <History of={id} changes={revoked_at ?? ''} />
    </>
  )
}

const GRACE = 'Hours for which this key stays valid'
const MAY_DO = 'Permissions'

/** A new key; null if the same request was sent before. */
export type Made = Pick<NewApiKeyAnswer, 'key'>

/** The form of a new key, which is shown once after it is made. */
export function New() {
  useTitle('Create a key')
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <MadeKey of={made} />
  const send = async (typed: Typed, idempotency_key: string) => {
    const last_day = typed.text('expires_at')
    const body = {
      name: typed.text('name'),
      scopes: typed.checked('scopes', MAY_DO),
      ...(last_day !== '' && { expires_at: `${last_day}T23:59:59Z` }),
    }
    const request = { body, idempotency_key, told: 'The key is created' }
    setMade(await change<Made>('POST', '/v1/api-keys', request))
  }
  return (
    <Form name="Create the key" send={send}>
      <Input label="Name" name="name" required maxlength={200}>
        Who or what uses it, such as Shop checkout
      </Input>
      <Input label="Last day" name="expires_at" type="date">
        Leave empty to end with the key that you use now
      </Input>
      <ScopeChoice legend={MAY_DO} />
    </Form>
  )
}

/** Replaces a key. `made` gets the new one. */
export function RotateKey({ id, made }: { id: string; made: (made: Made | null) => void }) {
  const send = async (typed: Typed, idempotency_key: string) => {
    const body = { grace_hours: Number(typed.text('grace_hours')) }
    const request = { body, idempotency_key, told: 'A new key replaces it' }
    made(await change<Made>('POST', `/v1/api-keys/${id}/rotate`, request))
  }
  return (
    <Form name="Rotate" send={send}>
      <Input label={GRACE} name="grace_hours" type="number" min={0} max={168} value={24} required>
        0 ends it at once. 168 hours are 7 days
      </Input>
    </Form>
  )
}

export function MadeKey({ of: { key } }: { of: Made }) {
  if (key === null)
    return <p>This key already exists, and it is shown only once. Revoke it and create another one.</p>
  const advice = 'Store it where your app reads secrets. We keep only its hash.'
  const leave = () => (location.hash = linkTo('keys'))
  return <SecretOnce name="The key" secret={key} advice={advice} done={leave} />
}

/** The scopes with their meaning. Those of `OTHERS` come from the command line. */
const SCOPES: Readonly<Record<Exclude<Scope, keyof typeof OTHERS>, string>> = {
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
  'people:read': 'Read the people of the account',
  'people:write': 'Add and remove people',
  'audit:read': 'Read the audit log',
  'vat:write': 'Check VAT ids with the authorities',
}

const OTHERS = { 'platform:write': 'Make accounts for sellers', operator: 'Operate the service' }

const WORDS: ReadonlyMap<string, string> = new Map(Object.entries({ ...SCOPES, ...OTHERS }))

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
          <Press name={name} act={() => setChosen(scopes)} />
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
