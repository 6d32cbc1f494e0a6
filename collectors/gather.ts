import type { RateBook } from '../src/engine/book/rate-book.ts'
import {
  type Collector,
  type Finding,
  type LeftOut,
  OldDocument,
  ParseError,
  type Part,
  type Partly,
  type Publication,
  type SourceDocument,
} from './collector.ts'
import { fetchDocument, type Fetching } from './documents.ts'

/** A finding with the publication and the document that say so, and other publications that agree. */
export type Sourced = Finding & {
  from: { source: string; source_url: string }
  document_url: string
  document_hash: string
  agreed?: readonly Agreeing[]
}

/** A publication that says the same, and the day of its document if that is not the day of the reading. */
export type Agreeing = { source: string; as_of?: string; edited?: string }

/** Which publication answered for a part, and why others were not used. Null: no publication answered. */
export type PartSource = {
  part: string
  source: string | null
  /** Whether it is not the first one of the part. */
  fallback: boolean
  others: { source: string; error: string }[]
  /** Why records of the source were not used, one sentence for each jurisdiction. */
  left_out?: string[]
}

export type Gathered = {
  part: Part
  findings: Sourced[]
  beside: Sourced[]
  left_out: readonly LeftOut[]
  source: PartSource
}

/** The input of a reading: the day, the known facts, and the addresses of the sources. */
export type Reading = { day: string; book: RateBook; addresses: Addresses }

/**
 * Why nothing of a part is applied. `quarantined`: a source was read, and is not believed. `failed`: no
 * source answered. `doubted`: hashes of the documents that were read. `excerpt`: the beginning of the last
 * one.
 */
export type Fault = {
  part: string
  outcome: 'quarantined' | 'failed'
  /** Whether the document has another shape than expected, or says something that is not believed. */
  differs: 'shape' | 'content' | null
  error: string
  doubted: readonly string[]
  document: { source: string; url: string; hash: string; excerpt: string } | null
}

/** What was read of each part of a collector, and the faults of the parts that could not be read. */
export type Gathering = {
  documents: SourceDocument[]
  gathered: Gathered[]
  faults: Fault[]
  sources: PartSource[]
}

/** Addresses that replace those of publications, by variable, e.g. `SOURCE_EU_RATES`. */
export type Addresses = Readonly<Record<string, string | undefined>>

/** The characters of a document that are kept for a person. */
const EXCERPT_MAX = 1_000

/** Fetches and reads every part of a collector. A part that fails does not stop the others. */
export async function gather(collector: Collector, reading: Reading, fetching: Fetching): Promise<Gathering> {
  const gathering: Gathering = { documents: [], gathered: [], faults: [], sources: [] }
  for (const part of collector.parts) {
    const read = await readPart(part, reading, fetching, gathering.documents)
    gathering.sources.push(read.source)
    if ('fault' in read) gathering.faults.push(read.fault)
    else {
      const beside = await readBeside(part, reading, fetching, gathering.documents, read.source)
      const { findings, jurisdictions_left_out: left_out } = read
      gathering.gathered.push({ part, findings, beside, left_out, source: read.source })
    }
  }
  return gathering
}

/**
 * Reads the other publications of a part in which something changed. Publications that failed before are not
 * asked again. Another address of the same publication is not another witness. An error is recorded with the
 * part, and does not count against the change.
 */
export async function readWitnesses(
  { part, source }: Gathered,
  reading: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<Sourced[]> {
  const used = new Set([source.source, ...source.others.map((each) => each.source)])
  const own = part.alternatives.find((each) => each.source === source.source)?.source_url
  const found: Sourced[] = []
  for (const publication of part.alternatives) {
    if (used.has(publication.source) || publication.source_url === own) continue
    try {
      found.push(...(await readPublication(publication, reading, fetching, documents)).findings)
    } catch (thrown) {
      source.others.push({ source: publication.source, error: messageOf(thrown) })
    }
  }
  return found
}

type PartRead = { source: PartSource; findings: Sourced[]; jurisdictions_left_out: readonly LeftOut[] }

/**
 * Reads the first alternative of a part that can be read. A part that only confirms needs none if all of
 * them are too old.
 */
async function readPart(
  part: Part,
  reading: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<PartRead | { source: PartSource; fault: Fault }> {
  const source: PartSource = { part: part.name, source: null, fallback: false, others: [] }
  const doubted: string[] = []
  let only_old = true
  let document: Fault['document'] = null
  for (const publication of part.alternatives) {
    const before = documents.length
    try {
      const read = await readPublication(publication, reading, fetching, documents)
      const { findings, jurisdictions_left_out } = read
      source.source = publication.source
      source.fallback = source.others.length > 0
      if (jurisdictions_left_out.length > 0) source.left_out = jurisdictions_left_out.map(({ why }) => why)
      return { source, findings, jurisdictions_left_out }
    } catch (thrown) {
      only_old &&= thrown instanceof OldDocument
      source.others.push({ source: publication.source, error: messageOf(thrown) })
      const read = documents.slice(before)
      doubted.push(...read.map(({ hash }) => hash))
      const last = read.at(-1)
      if (thrown instanceof ParseError && last !== undefined)
        document = {
          source: publication.source,
          url: last.url,
          hash: last.hash,
          excerpt: last.text.slice(0, EXCERPT_MAX),
        }
    }
  }
  if (part.confirms_only === true && only_old) return { source, findings: [], jurisdictions_left_out: [] }
  const error = `${part.name}: ${source.others.map((each) => each.error).join('; ')}`
  const outcome = document === null ? 'failed' : 'quarantined'
  const differs = document === null ? null : only_old ? 'content' : 'shape'
  return { source, fault: { part: part.name, outcome, differs, error, doubted, document } }
}

/**
 * What the publications beside a part say. If one cannot be read, the part is read without it, and the run
 * records why.
 */
async function readBeside(
  { beside = [] }: Part,
  reading: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
  source: PartSource,
): Promise<Sourced[]> {
  const all: Sourced[] = []
  for (const publication of beside) {
    try {
      const { findings, left_out } = await readPublication(publication, reading, fetching, documents)
      all.push(...findings)
      source.others.push(...left_out.map((error) => ({ source: publication.source, error })))
    } catch (thrown) {
      source.others.push({ source: publication.source, error: messageOf(thrown) })
    }
  }
  return all
}

/** `left_out`: documents of many that could not be read. */
type Read = { findings: Sourced[]; left_out: string[]; jurisdictions_left_out: LeftOut[] }

async function readPublication(
  publication: Publication,
  { day, book, addresses }: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<Read> {
  const url = addresses[publication.variable] ?? publication.url
  const first = await fetchDocument(publication.request(url, day), fetching)
  documents.push(first)
  const jurisdictions_left_out: LeftOut[] = []
  const sourced = (own: readonly SourceDocument[]): Sourced[] => {
    const { findings, left_out } = readSafely(publication, own, day, book)
    jurisdictions_left_out.push(...left_out)
    return findings.map((finding) => {
      const document = own.find(({ text }) => text.includes(finding.evidence)) ?? first
      const { source, source_url } = publication
      return {
        ...finding,
        from: { source, source_url },
        document_url: document.url,
        document_hash: document.hash,
      }
    })
  }
  if (publication.follow === undefined)
    return { findings: sourced([first]), left_out: [], jurisdictions_left_out }
  const read: Read = { findings: [], left_out: [], jurisdictions_left_out }
  const own = [first]
  for (const request of publication.follow(first, url, day)) {
    try {
      const document = await fetchDocument(request, fetching)
      documents.push(document)
      own.push(document)
      if (publication.separate === true) read.findings.push(...sourced([first, document]))
    } catch (thrown) {
      if (publication.separate !== true) throw thrown
      read.left_out.push(messageOf(thrown))
    }
  }
  if (publication.separate !== true) read.findings.push(...sourced(own))
  return read
}

/** Turns every error of a reader into a ParseError: then the document is not what it should be. */
function readSafely(
  publication: Publication,
  documents: readonly SourceDocument[],
  day: string,
  book: RateBook,
): Partly {
  try {
    const read = publication.read(documents, day, book)
    return Array.isArray(read) ? { findings: read, left_out: [] } : read
  } catch (thrown) {
    if (thrown instanceof ParseError) throw thrown
    throw new ParseError(
      documents[0]?.url ?? publication.url,
      thrown instanceof Error ? thrown.message : 'cannot be read',
    )
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
