import { useState } from 'hono/jsx/dom'
import type { ApiKey } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { byOffset, mistake, readAll } from '../api.ts'
import { formatDay } from '../format.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { AddLink, Badge, Facts, Moment, Part, useTitle } from '../parts/parts.tsx'
import { PagedTable } from '../parts/table.tsx'
import { type Made, MadeKey, RotateKey, ScopeList, scopeWords } from './forms.tsx'

export { NewKey as New } from './forms.tsx'

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
  throw mistake('This key is not valid any more.', 'not_found')
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
    'Programs that use this key are refused at once. This cannot be undone. If it is the key that ' +
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
          ['Ends, because it was rotated', revoked_at && <Moment at={revoked_at} />],
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
      {may('keys:write') && (
        <Part title="End it now">
          <Deeds of={[{ name: 'Revoke…', act: revoke, kind: 'dangerous' }]} />
        </Part>
      )}
      <History of={id} changes={revoked_at ?? ''} />
    </>
  )
}
