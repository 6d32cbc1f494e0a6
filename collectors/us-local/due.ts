import type { Bindings } from '../../src/platform/bindings.ts'
import { newId } from '../../src/platform/database/ids.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'
import { sendMessages } from '../../src/platform/queue/send.ts'
import {
  type LocalEdition,
  noteListed,
  readEditions,
} from '../../src/tax-data/status/local-editions-store.ts'
import { readState, recordRun, type Run } from '../../src/tax-data/status/store.ts'
import { writeFreshness } from '../../src/tax-data/status/sync-state.ts'
import type { Addresses } from '../gather.ts'
import { ParseError, type SourceDocument } from '../collector.ts'
import { FetchError, fetchDocument, type Fetching } from '../documents.ts'
import { newestFiles } from './directory.ts'
import { COLLECTED_STATES, DIRECTORIES, MEMBER_STATES } from './sources.ts'

/** Lists of states change with the quarter or the month. */
const LIST_DAYS = 28
const DAY_MS = 86_400_000

type DueOptions = {
  now: Date
  addresses: Addresses
  boundaries: boolean
} & Pick<Fetching, 'timeout_ms' | 'pause_ms'>

type Store = Pick<Bindings, 'DB' | 'KV'>

/** The documents of both directories, and the errors of reading them. */
type Listing = { documents: SourceDocument[]; errors: string[] }

/** Reads the two directories and notes the newest file of each state. */
export async function listFiles(env: Store, options: DueOptions): Promise<Listing> {
  const { now, addresses, timeout_ms, pause_ms } = options
  const day = now.toISOString().slice(0, 10)
  const fetching: Fetching = {
    kv: env.KV,
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(pause_ms !== undefined && { pause_ms }),
  }
  const listing: Listing = { documents: [], errors: [] }
  for (const kind of ['rates', 'boundaries'] as const) {
    const { url, variable } = DIRECTORIES[kind]
    try {
      const directory = await fetchDocument(
        { url: addresses[variable] ?? url, accept: 'text/html' },
        fetching,
      )
      listing.documents.push(directory)
      const files = newestFiles(directory, kind === 'rates' ? 'R' : 'B', day)
      const ours = files.filter(({ state }) => MEMBER_STATES.includes(state))
      await env.DB.batch([
        noteListed(
          env.DB,
          ours.map(({ state, name }) => ({ state, kind, listed_file: name })),
        ),
      ])
    } catch (thrown) {
      if (!(thrown instanceof FetchError || thrown instanceof ParseError)) throw thrown
      listing.errors.push(`${kind}: ${thrown.message}`)
    }
  }
  return listing
}

/** The states whose files have to be read: a new file, a day on which it changes, or a failure before. */
export function dueStates(
  editions: readonly LocalEdition[],
  { now, boundaries }: Pick<DueOptions, 'now' | 'boundaries'>,
): string[] {
  const day = now.toISOString().slice(0, 10)
  const byState = Map.groupBy(editions, ({ state }) => state)
  return COLLECTED_STATES.filter((state) => {
    const own = byState.get(state) ?? []
    if (!MEMBER_STATES.includes(state)) return own.length === 0 || own.some((each) => isOld(each, now))
    const rates = own.some(({ kind, listed_file }) => kind === 'rates' && listed_file !== null)
    const read = boundaries ? own : own.filter(({ kind }) => kind === 'rates')
    return rates && read.some((each) => isNew(each, day))
  })
}

function isOld({ read_at, outcome }: LocalEdition, now: Date): boolean {
  return read_at === null || outcome === 'failed' || now.getTime() - Date.parse(read_at) >= LIST_DAYS * DAY_MS
}

/** A file that a person has to look at is not read again until the directory has another one. */
function isNew({ tried_file, listed_file, next_change, outcome }: LocalEdition, day: string): boolean {
  if (listed_file !== null && listed_file !== tried_file) return true
  return outcome === 'failed' || (next_change !== null && next_change <= day)
}

/**
 * The daily run of the region: looks into the directories and queues a message for each state that is due.
 * The states are read in invocations of their own.
 */
export async function queueDueStates(
  env: Store & { WORK: Queue<QueueMessage> },
  options: DueOptions,
): Promise<{ run: Run }> {
  const began = Date.now()
  const { now } = options
  const { documents, errors } = await listFiles(env, options)
  const editions = await readEditions(env.DB)
  const due = dueStates(editions, options)
  const before = await readState(env.DB, 'US-LOCAL')
  const held = editions.filter(({ outcome }) => outcome === 'quarantined').length
  const run: Run = {
    id: newId('run'),
    region: 'US-LOCAL',
    started_at: now.toISOString(),
    duration_ms: Date.now() - began,
    outcome: errors.length > 0 ? 'failed' : held > 0 ? 'quarantined' : 'confirmed',
    documents: documents.map(({ url, bytes, hash }) => ({ url, bytes, sha256: hash })),
    records_seen: editions.length,
    records_confirmed: editions.length - held,
    records_changed: 0,
    records_added: 0,
    records_held: held,
    data_version: null,
    error: errors.length > 0 ? errors.join('; ') : held > 0 ? (before?.last_error ?? null) : null,
    sources: [],
  }
  await env.DB.batch(recordRun(env.DB, run, now, { complete: errors.length === 0 }))
  await writeFreshness(env, 'US-LOCAL')
  const messages = due.map((id) => ({ message: { kind: 'local', id } as const, at: null }))
  await sendMessages(env.WORK, messages, now)
  return { run }
}
