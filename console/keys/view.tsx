import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { ApiKeysAnswer } from '../../src/accounts/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi, mistake } from '../api.ts'
import { formatDay } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { confirmed } from '../parts/dialog.tsx'
import { History } from '../parts/history.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts, Part } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { PagedTable, type PageOfRows, recordsChanged, useChanges } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { Button, useWork } from '../parts/work.tsx'
import { may } from '../scopes.ts'
import type { RecordProps } from '../view-module.ts'
import { MadeKey, NewKey, RotateKey } from './forms.tsx'
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
        read={readKeys}
      />
    </>
  )
}

export function Actions() {
  return may('keys:write') ? (
    <a class="button first" href="#/keys/new">
      Create a key
    </a>
  ) : null
}

/** One key, or the form of a new one. */
export function Record({ id }: RecordProps) {
  return <div class="drawer-body">{id === 'new' ? <NewKey /> : <OneKey id={id} />}</div>
}

async function readKeys(cursor: string | null, limit = 50): Promise<PageOfRows<Key>> {
  const offset = cursor ?? '0'
  const query = { limit: String(limit), offset }
  const page = await callApi<z.output<typeof ApiKeysAnswer>>('GET', '/v1/api-keys', { query })
  const next = Number(offset) + page.api_keys.length
  return { rows: page.api_keys, total: page.total, next_cursor: page.has_more ? String(next) : null }
}

/** The API has no route for one key, so it is found in the list. */
async function findKey(id: string): Promise<Key> {
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { rows, next_cursor }: PageOfRows<Key> = await readKeys(cursor, 100)
    const found = rows.find((each) => each.id === id)
    if (found !== undefined) return found
    if (next_cursor === null) break
    cursor = next_cursor
  }
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
  const loading = useLoading(() => findKey(id), [id])
  const [made, setMade] = useState<{ secret: string | null } | null>(null)
  useChanges(() => void loading.again())
  if (made !== null) return <MadeKey {...made} />
  return <Loaded of={loading} show={(of) => <Inside of={of} made={setMade} />} />
}

function Inside({ of, made }: { of: Key; made: (made: { secret: string | null }) => void }) {
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
  const work = useWork()
  const name = nameOf(of)
  const revoke = async () => {
    const text =
      'Programs that use this key are refused at once. This cannot be undone. If it is the key that ' +
      'you use now, you are signed out.'
    if (!(await confirmed({ title: `Revoke ${name}?`, text, yes: 'Revoke' }))) return
    await callApi('DELETE', `/v1/api-keys/${of.id}`)
    toast(`${name} is revoked`)
    location.hash = linkTo('keys')
    recordsChanged()
  }
  return (
    <Part title="End it now">
      <Button of={work} act={revoke} kind="dangerous">
        Revoke…
      </Button>
      {work.notice}
    </Part>
  )
}
