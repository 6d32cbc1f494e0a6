import type { z } from 'zod'
import type { ApiKeysAnswer } from '../../src/accounts/schemas.ts'
import type { AuditEventsAnswer } from '../../src/audit/schemas.ts'
import { callApi, ifAllowed } from '../api.ts'
import { withSpaces } from '../words.ts'
import { useLoading } from './load.tsx'
import { PlainTable } from './table.tsx'
import { Moment } from './time.tsx'

/** The names of keys by id. It has no key without a name, and none if the key may not read them. */
export async function keyNames(): Promise<Map<string, string>> {
  const asked = callApi<z.output<typeof ApiKeysAnswer>>('GET', '/v1/api-keys', { query: { limit: '100' } })
  const found = (await ifAllowed(asked))?.api_keys ?? []
  return new Map(found.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

/** Who changed a record and when. Nothing if the key may not read it, or nothing is recorded. */
export function History({ of, changes = '' }: { of: string; changes?: string }) {
  const { value } = useLoading(async () => {
    const query = { resource_id: of, limit: '20' }
    const asked = callApi<z.output<typeof AuditEventsAnswer>>('GET', '/v1/audit-events', { query })
    const events = (await ifAllowed(asked))?.audit_events ?? []
    return { events, names: events.length === 0 ? new Map<string, string>() : await keyNames() }
  }, [of, changes])
  if (value === null || value.events.length === 0) return null
  const rows = value.events.map(({ created_at, action, key_id }) => [
    <Moment at={created_at} />,
    withSpaces(action.replace('.', ' ')),
    value.names.get(key_id) ?? key_id,
  ])
  return <PlainTable caption="History" heads={['When', 'What', 'Key']} rows={rows} />
}
