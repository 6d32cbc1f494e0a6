import type { AuditEvent } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { read } from '../api.ts'
import { inWords, withSpaces } from '../words.ts'
import { useLoading } from './load.tsx'
import { Moment } from './parts.tsx'
import { PlainTable } from './table.tsx'

/** Words for resources whose names people do not use. */
const RESOURCES: Readonly<Record<string, string>> = {
  exemption: 'certificate',
  api_key: 'key',
  transaction: 'sale',
}

/** The latest changes of a record; none if the key may not read them. */
async function changesOf(id: string): Promise<readonly AuditEvent[]> {
  if (!may('audit:read')) return []
  return (await read('/v1/audit-events', { resource_id: id, limit: '20' })).audit_events
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
function whatHappened({ action, changed }: AuditEvent): string {
  const [resource = '', deed = ''] = action.split('.')
  const text = `${RESOURCES[resource] ?? resource} ${deed}`
  const fields = deed === 'updated' ? changed.map(withSpaces).join(', ') : ''
  return inWords(fields === '' ? text : `${text}: ${fields}`)
}

function whoDid({ key_id, key_name }: AuditEvent): string {
  if (key_id === 'system') return 'The service'
  return key_name ?? 'A key that is deleted'
}
