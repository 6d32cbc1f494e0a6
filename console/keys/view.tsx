import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { ApiKeysAnswer } from '../../src/accounts/schemas.ts'
import { linkTo } from '../address.ts'
import { mistake } from '../api.ts'
import { formatDay } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { change, Deeds, Read } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { byOffset, readAll } from '../parts/pages.ts'
import { AddLink, Facts, Part } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { PagedTable } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { may } from '../scopes.ts'
import type { RecordProps } from '../view-module.ts'
import { type Made, MadeKey, NewKey, RotateKey } from './forms.tsx'
import { ScopeList, scopeWords } from './scopes.tsx'

type Key = z.output<typeof ApiKeysAnswer>['api_keys'][number]

const PAGES_MAX = 10

/** The keys of the account. */
export function View() {
  return (
    <>
      <p class="quiet lead">
        Give each program and each person a key of its own, with no more than it needs.
      </p>
      <PagedTable
        caption="API keys that are valid"
        href={({ id }) => linkTo('keys', { id })}
        columns={[
          { head: 'Name', cell: nameOf },
          { head: 'State', phone: 'figure', keep: true, cell: (key) => <StateOf {...key} /> },
          { head: 'Begins with', keep: true, cell: ({ prefix }) => <code>{prefix}</code> },
          { head: 'May do', cell: ({ scopes }) => scopeWords(scopes) },
          { head: 'Last used', keep: true, cell: lastUse },
        ]}
        read={byOffset('/v1/api-keys', keysOf)}
      />
    </>
  )
}

export function Actions() {
  return <AddLink to="keys" name="Create a key" first />
}

/** One key, or the form of a new one. */
export function Record({ id }: RecordProps) {
  return <div class="drawer-body">{id === 'new' ? <NewKey /> : <OneKey id={id} />}</div>
}

const keysOf = (answer: z.output<typeof ApiKeysAnswer>): Key[] => answer.api_keys

/** The API has no route for one key, so it is found in the list. */
async function findKey(id: string): Promise<Key> {
  const { rows } = await readAll('/v1/api-keys', {}, keysOf, PAGES_MAX)
  const found = rows.find((each) => each.id === id)
  if (found !== undefined) return found
  throw mistake('This key is not valid any more.', 'not_found')
}

function nameOf({ name, prefix }: Pick<Key, 'name' | 'prefix'>): string {
  return name ?? `Key ${prefix}…`
}

function lastUse({ last_used_at }: Key): string {
  return last_used_at === null ? 'Never' : formatDay(last_used_at)
}

function StateOf({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>) {
  if (revoked_at !== null) return <Badge word={`ends ${formatDay(revoked_at)}`} tone="warn" />
  return expires_at === null ? (
    <Badge word="active" />
  ) : (
    <Badge word={`until ${formatDay(expires_at)}`} tone="good" />
  )
}

function OneKey({ id }: { id: string }) {
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <MadeKey of={made} />
  return <Read read={() => findKey(id)} of={[id]} show={(of) => <Inside of={of} made={setMade} />} />
}

function Inside({ of, made }: { of: Key; made: (made: Made | null) => void }) {
  const { id, prefix, created_at, expires_at, revoked_at, scopes } = of
  useTitle(nameOf(of), <StateOf {...of} />, [revoked_at])
  return (
    <>
      <Facts
        of={[
          ['Begins with', <code>{prefix}</code>],
          ['Created', <Moment at={created_at} />],
          ['Last used', lastUse(of)],
          ['Expires', <Moment at={expires_at} />],
          revoked_at === null ? null : ['Ends, because it was rotated', <Moment at={revoked_at} />],
        ]}
      />
      <Part title="It may">
        <ScopeList scopes={scopes} />
      </Part>
      {revoked_at === null && may('keys:write') && (
        <Part title="Replace by a new key">
          <RotateKey id={id} made={made} />
        </Part>
      )}
      {may('keys:write') && <Revoke of={of} />}
      <History of={id} changes={revoked_at ?? ''} />
    </>
  )
}

function Revoke({ of }: { of: Key }) {
  const name = nameOf(of)
  const text =
    'Programs that use this key are refused at once. This cannot be undone. If it is the key that ' +
    'you use now, you are signed out.'
  const revoke = () =>
    change('DELETE', `/v1/api-keys/${of.id}`, {
      ask: { title: `Revoke ${name}?`, text, yes: 'Revoke' },
      told: `${name} is revoked`,
      leave: linkTo('keys'),
    })
  return (
    <Part title="End it now">
      <Deeds of={[{ name: 'Revoke…', act: revoke, kind: 'dangerous' }]} />
    </Part>
  )
}
