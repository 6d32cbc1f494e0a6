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

/** The latest changes of a record; none if they may not be read. */
async function changesOf(id: string): Promise<readonly AuditEvent[]> {
  if (!may('audit:read')) return []
  return (await read('/v1/audit-events', { resource_id: id, limit: '20' })).audit_events
}

/** Who changed a record and when. Nothing if it may not be read, or nothing is recorded. */
export function History({ of, changes = '' }: { of: string; changes?: string }) {
  const { value } = useLoading(() => changesOf(of), [of, changes])
  if (value === null || value.length === 0) return null
  const rows = value.map((event) => [<Moment at={event.created_at} />, whatHappened(event), whoDid(event)])
  return <PlainTable caption="History" heads={['When', 'What', 'Who']} rows={rows} />
}

/** `exemption.updated` of its status is `Certificate updated: status`. */
function whatHappened({ action, changed }: AuditEvent): string {
  const [resource = '', deed = ''] = action.split('.')
  const text = `${RESOURCES[resource] ?? resource} ${deed}`
  const fields = deed === 'updated' ? changed.map(withSpaces).join(', ') : ''
  return inWords(fields === '' ? text : `${text}: ${fields}`)
}

function whoDid({ key_id, key_name }: AuditEvent): string {
  return nameOfActor(key_id, key_name)
}

/** The same inside a sentence. */
export function nameInSentence(id: string, name: string | null): string {
  const shown = nameOfActor(id, name)
  return name === null ? shown.charAt(0).toLowerCase() + shown.slice(1) : shown
}

/** The name of who did something, a key or a person, for its id and what the service calls it. */
export function nameOfActor(id: string, name: string | null): string {
  if (name !== null) return name
  if (id === 'system') return 'The service'
  if (id.startsWith('creq_')) return 'The customer, by a link'
  return id.startsWith('person_') ? 'An erased person' : 'A deleted key'
}
