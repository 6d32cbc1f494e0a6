import {
  type LocalJurisdiction,
  localRateOn,
  type LocalState,
} from '../../src/engine/regimes/us-local/local-book.ts'
import { type Addresses } from '../gather.ts'
import { ParseError, type SourceRequest } from '../collector.ts'
import { type Fetching, openDocument } from '../documents.ts'
import type { BoundariesOfFile } from './boundaries-of-file.ts'
import { BoundaryReader } from './boundary-file.ts'
import type { RatedCode } from './stacks-of-file.ts'
import { Digested } from './digest.ts'
import { readRateRows, ratesOfFile, WHOLE_DISTRICTS } from './rate-file.ts'
import { DIRECTORIES, INCLUDED, NOT_IN_FILES } from './sources.ts'
import { unzip } from './unzip.ts'

const FILE_TYPES =
  'text/csv, text/plain, application/octet-stream, application/vnd.ms-excel, application/zip, ' +
  'application/x-zip-compressed'
const CSV = /\.(?:csv|txt)$/i
const RATES_MAX = 10 * 1_048_576
/** Georgia's boundaries have 322 MB. */
const BOUNDARIES_MAX = 1_024 * 1_048_576
const TIMEOUT_MS = 600_000

/** A document that was read, for the record of the run. */
export type ReadDocument = { url: string; bytes: number; sha256: string }

type MemberTask = {
  state: string
  law: LocalState
  known: readonly LocalJurisdiction[]
  day: string
  addresses: Addresses
  fetching: Fetching
  documents: ReadDocument[]
}

/** What a rate file says. `districts`: whether some of them tax only a part of a county or city. */
type ReadRates = {
  jurisdictions: LocalJurisdiction[]
  districts: boolean
  odd: readonly string[]
  rows: number
  hash: string
}

/** The rates of a member state by its rate file. Throws FetchError or ParseError. */
export async function readMemberRates(task: MemberTask, file: string): Promise<ReadRates> {
  const { state, known, day } = task
  let text = ''
  const decoder = new TextDecoder()
  const { url, hash } = await readPieces(task, 'rates', file, RATES_MAX, (chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  const { made, odd, records } = readRateRows(text + decoder.decode(), state, url)
  const { state_rates, jurisdictions } = ratesOfFile(made, known, {
    state,
    included: INCLUDED[state] ?? 0,
    source: `${DIRECTORIES.source}, ${file}`,
    as_of: day,
  })
  const open = state_rates.filter(({ from, to }) => (from ?? '') <= day && (to ?? day) >= day)
  if (open.length !== 1)
    throw new ParseError(url, `looked for one row of the state that is in force and found ${open.length}`)
  const in_file = new Set(jurisdictions.map(({ type, code }) => `${type} ${code}`))
  // Districts of our own, whose codes are words, are not in the files; nor is the transit tax of Nashville.
  const own = known.filter(
    ({ id, type, code }) =>
      type === 'district' &&
      (/[A-Z]{3}/.test(code) || (NOT_IN_FILES.has(id) && !in_file.has(`district ${code}`))),
  )
  const districts = needsBoundaries(jurisdictions, state, day)
  return { jurisdictions: [...jurisdictions, ...own], districts, odd, rows: records, hash }
}

/** Whether a district has a tax that the county or city around it does not have. */
function needsBoundaries(jurisdictions: readonly LocalJurisdiction[], state: string, day: string): boolean {
  const counties = new Set(
    jurisdictions.flatMap((each) => (each.type === 'county' ? [localRateOn(each, day)] : [])),
  )
  return jurisdictions.some((each) => {
    const rate = localRateOn(each, day)
    const contained = WHOLE_DISTRICTS.has(state) && counties.has(rate)
    return each.type === 'district' && /\d/.test(each.code) && rate > 0 && !contained
  })
}

/** The boundaries of a member state on a day. Throws FetchError or ParseError. */
export async function readMemberBoundaries(
  task: MemberTask,
  file: string,
  jurisdictions: readonly LocalJurisdiction[],
): Promise<{ boundaries: BoundariesOfFile; hash: string }> {
  const { state, day, law } = task
  const rated = ratedCodes(jurisdictions, day)
  const unfiled = unfiledTaxes(jurisdictions, rated)
  const reader = new BoundaryReader({ state, day, rated, unfiled, city: law.city, url: file })
  const decoder = new TextDecoder('latin1')
  const { hash } = await readPieces(task, 'boundaries', file, BOUNDARIES_MAX, (chunk) =>
    reader.add(decoder.decode(chunk, { stream: true })),
  )
  return { boundaries: reader.finish(), hash }
}

/** What the records of a boundary file may name. */
export function ratedCodes(jurisdictions: readonly LocalJurisdiction[], day: string): RatedCode[] {
  return jurisdictions.flatMap(({ id, type, code, rates }): RatedCode[] =>
    type === 'flat' ? [] : [{ id, type, code, rate: localRateOn({ rates }, day) }],
  )
}

/** By place: its taxes that the files of the state leave out. */
export function unfiledTaxes(
  jurisdictions: readonly LocalJurisdiction[],
  rated: readonly RatedCode[],
): Map<string, RatedCode[]> {
  const unfiled = rated.filter(({ id }) => NOT_IN_FILES.has(id))
  return new Map(
    jurisdictions.flatMap(({ id, also }): [string, RatedCode[]][] => {
      const own = unfiled.filter((each) => also.includes(each.id))
      return own.length === 0 ? [] : [[id, own]]
    }),
  )
}

/** Gives the pieces of a file, unpacked if it is an archive, and notes it among the documents. */
async function readPieces(
  { addresses, fetching, documents }: MemberTask,
  kind: 'rates' | 'boundaries',
  file: string,
  max: number,
  take: (chunk: Uint8Array) => void,
): Promise<{ url: string; hash: string }> {
  const directory = addresses[DIRECTORIES[kind].variable] ?? DIRECTORIES[kind].url
  const request: SourceRequest = {
    url: new URL(file, directory.endsWith('/') ? directory : `${directory}/`).href,
    accept: FILE_TYPES,
    timeout_ms: TIMEOUT_MS,
  }
  const { url, chunks } = await openDocument(request, fetching)
  const digested = new Digested(chunks)
  let size = 0
  for await (const chunk of /\.zip$/i.test(file) ? unzip(digested, CSV, url) : digested) {
    size += chunk.byteLength
    if (size > max) throw new ParseError(url, `has more than ${max / 1_048_576} MB`)
    take(chunk)
  }
  // What follows the member that was read belongs to the document too.
  for await (const _ of digested);
  const hash = await digested.hash()
  documents.push({ url, bytes: digested.bytes, sha256: hash })
  if (size === 0) throw new ParseError(url, 'is empty')
  return { url, hash }
}
