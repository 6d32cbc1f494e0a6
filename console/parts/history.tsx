import type { z } from 'zod'
import type { AuditEventsAnswer } from '../../src/audit/schemas.ts'
import { callApi } from '../api.ts'
import { may } from '../scopes.ts'
import { sentence, withSpaces } from '../words.ts'
import { useLoading } from './load.tsx'
import { PlainTable } from './table.tsx'
import { Moment } from './time.tsx'

type Event = z.output<typeof AuditEventsAnswer>['audit_events'][number]

/** Words for resources whose names people do not use. */
const RESOURCES: Readonly<Record<string, string>> = {
  exemption: 'certificate',
  api_key: 'key',
  transaction: 'sale',
}

/** The latest changes of a record; none if the key may not read them. */
async function changesOf(id: string): Promise<readonly Event[]> {
  if (!may('audit:read')) return []
  const query = { resource_id: id, limit: '20' }
  return (await callApi<z.output<typeof AuditEventsAnswer>>('GET', '/v1/audit-events', { query }))
    .audit_events
}

/** The names of the keys that changed a record, by id. */
export async function keyNamesOf(id: string): Promise<Map<string, string>> {
  return new Map((await changesOf(id)).map((event) => [event.key_id, whoDid(event)]))
}

/** Who changed a record and when. Nothing if the key may not read it, or nothing is recorded. */
export function History({ of, changes = '' }: { of: string; changes?: string }) {
  const { value } = useLoading(() => changesOf(of), [of, changes])
  if (value === null || value.length === 0) return null
  const rows = value.map((event) => [<Moment at={event.created_at} />, whatHappened(event), whoDid(event)])
  return <PlainTable caption="History" heads={['When', 'What', 'Key']} rows={rows} />
}

/** `exemption.updated` of its status is `Certificate updated: status`. */
function whatHappened({ action, changed }: Event): string {
  const [resource = '', deed = ''] = action.split('.')
  const text = `${RESOURCES[resource] ?? resource} ${deed}`
  const fields = deed === 'updated' ? changed.map(withSpaces).join(', ') : ''
  return sentence(withSpaces(fields === '' ? text : `${text}: ${fields}`))
}

function whoDid({ key_id, key_name }: Event): string {
  if (key_id === 'system') return 'The service'
  return key_name ?? 'A key that is deleted'
}
