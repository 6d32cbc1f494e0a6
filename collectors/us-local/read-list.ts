import type { LocalJurisdiction } from '../../src/tax/regimes/us-local/local-book.ts'
import type { Addresses } from '../gather.ts'
import { ParseError, type SourceRequest } from '../collector.ts'
import { type Fetching, openDocument } from '../documents.ts'
import { Digested } from './digest.ts'
import { jurisdictionsOfList } from './entries.ts'
import type { StateList } from './lists/list.ts'
import type { ReadDocument } from './read-member.ts'
import type { WatchedList } from './sources.ts'
import { readWorkbook } from './workbook.ts'

const BYTES_MAX = 20 * 1_048_576
const BYTES_MIN = 200

export type ListTask = {
  known: readonly LocalJurisdiction[]
  day: string
  state_rate: number
  addresses: Addresses
  fetching: Fetching
  documents: ReadDocument[]
}

/** The jurisdictions of a state's own list. Throws FetchError or ParseError. */
export async function readStateList(
  list: StateList,
  task: ListTask,
): Promise<{ jurisdictions: LocalJurisdiction[]; rows: number; hash: string }> {
  const { day, known, state_rate } = task
  const { url, bytes, hash } = await readWhole(list.request(day), list.variable, task)
  const text = list.format === 'workbook' ? await readWorkbook(bytes, url) : textOf(bytes, url)
  const entries = list.read({ url, text }, { day, state_rate })
  const { state, source } = list
  return {
    jurisdictions: jurisdictionsOfList(entries, known, { state, source, as_of: day }),
    rows: entries.length,
    hash,
  }
}

/** The hash of a list that a person keeps. Throws FetchError or ParseError. */
export async function readWatched(list: WatchedList, task: ListTask): Promise<{ hash: string }> {
  const { url, bytes, hash } = await readWhole(list.request(), list.variable, task)
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 5)) !== '%PDF-')
    throw new ParseError(url, 'is no PDF')
  return { hash }
}

function textOf(bytes: Uint8Array, url: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new ParseError(url, 'contains bytes that are not UTF-8')
  }
}

async function readWhole(
  request: SourceRequest,
  variable: string,
  { addresses, fetching, documents }: ListTask,
): Promise<{ url: string; bytes: Uint8Array; hash: string }> {
  const opened = await openDocument({ ...request, url: addresses[variable] ?? request.url }, fetching)
  const digested = new Digested(opened.chunks)
  const chunks: Uint8Array[] = []
  for await (const chunk of digested) {
    chunks.push(chunk)
    if (digested.bytes > BYTES_MAX) throw new ParseError(opened.url, 'has more than 20 MB')
  }
  const hash = await digested.hash()
  documents.push({ url: opened.url, bytes: digested.bytes, sha256: hash })
  if (digested.bytes < BYTES_MIN) throw new ParseError(opened.url, `has only ${digested.bytes} bytes`)
  const bytes = new Uint8Array(digested.bytes)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return { url: opened.url, bytes, hash }
}
