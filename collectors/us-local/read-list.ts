import type { LocalJurisdiction } from '../../src/engine/regimes/us-local/local-book.ts'
import type { Addresses } from '../gather.ts'
import { ParseError, type SourceRequest } from '../collector.ts'
import { type Fetching, openDocument } from '../documents.ts'
import { Digested } from './digest.ts'
import { jurisdictionsOfList, undecidedOf, withoutDuplicates } from './entries.ts'
import type { StateList } from './lists/list.ts'
import { refuseMany } from './odd-records.ts'
import type { ReadDocument } from './read-member.ts'
import type { WatchedList } from './sources.ts'
import { readWorkbook } from './workbook.ts'

const BYTES_MAX = 20 * 1_048_576
const BYTES_MIN = 200

type ListTask = {
  known: readonly LocalJurisdiction[]
  day: string
  state_rate: number
  addresses: Addresses
  fetching: Fetching
  documents: ReadDocument[]
}

/** What a list says. `rows`: its records; `odd`: those of them that were left out. */
type ReadList = {
  jurisdictions: LocalJurisdiction[]
  undecided: { name: string; county_fips: string | null }[]
  odd: readonly string[]
  rows: number
  hash: string
}

/** The jurisdictions of a state's own list. Throws FetchError or ParseError. */
export async function readStateList(list: StateList, task: ListTask): Promise<ReadList> {
  const { day, known, state_rate } = task
  const { url, bytes, hash } = await readWhole(list.request(day), list.variable, task)
  const text = list.format === 'workbook' ? await readWorkbook(bytes, url) : textOf(bytes)
  const { entries, odd, records } = list.read({ url, text }, { day, state_rate })
  const { made, odd: twice } = withoutDuplicates(entries)
  const left_out = [...odd, ...twice]
  refuseMany(url, { odd: left_out.length, records, shown: left_out[0] ?? '' })
  const { state, source } = list
  return {
    jurisdictions: jurisdictionsOfList(made, known, { state, source, as_of: day }),
    undecided: undecidedOf(made, known),
    odd: left_out,
    rows: records,
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

/** Files of older programs are in windows-1252. What is no text in it either is no list. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
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
