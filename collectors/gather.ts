import type { RateBook } from '../src/tax/book/rate-book.ts'
import {
  type Collector,
  type Finding,
  ParseError,
  type Part,
  type Publication,
  type SourceDocument,
} from './collector.ts'
import { fetchDocument, type Fetching } from './documents.ts'

/** A finding with the publication and the document that say so, and other publications that agree. */
export type Sourced = Finding & {
  from: { source: string; source_url: string }
  document_url: string
  document_hash: string
  agreed?: readonly string[]
}

/** Which publication answered for a part, and why others were not used. Null: no publication answered. */
export type PartSource = {
  part: string
  source: string | null
  /** Whether it is not the first one of the part. */
  fallback: boolean
  others: { source: string; error: string }[]
}

export type Gathered = { part: Part; findings: Sourced[]; beside: Sourced[]; source: PartSource }

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
      gathering.gathered.push({ part, findings: read.findings, beside, source: read.source })
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

/** Reads the first alternative of a part that can be read. */
async function readPart(
  part: Part,
  reading: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<{ source: PartSource; findings: Sourced[] } | { source: PartSource; fault: Fault }> {
  const source: PartSource = { part: part.name, source: null, fallback: false, others: [] }
  const doubted: string[] = []
  let document: Fault['document'] = null
  for (const publication of part.alternatives) {
    const before = documents.length
    try {
      const { findings } = await readPublication(publication, reading, fetching, documents)
      source.source = publication.source
      source.fallback = source.others.length > 0
      return { source, findings }
    } catch (thrown) {
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
  const error = `${part.name}: ${source.others.map((each) => each.error).join('; ')}`
  const outcome = document === null ? 'failed' : 'quarantined'
  return { source, fault: { part: part.name, outcome, error, doubted, document } }
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

type Read = { findings: Sourced[]; left_out: string[] }

async function readPublication(
  publication: Publication,
  { day, book, addresses }: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<Read> {
  const url = addresses[publication.variable] ?? publication.url
  const first = await fetchDocument(publication.request(url, day), fetching)
  documents.push(first)
  const sourced = (own: readonly SourceDocument[]): Sourced[] =>
    readSafely(publication, own, day, book).map((finding) => {
      const document = own.find(({ text }) => text.includes(finding.evidence)) ?? first
      const { source, source_url } = publication
      return {
        ...finding,
        from: { source, source_url },
        document_url: document.url,
        document_hash: document.hash,
      }
    })
  if (publication.follow === undefined) return { findings: sourced([first]), left_out: [] }
  const read: Read = { findings: [], left_out: [] }
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
): Finding[] {
  try {
    return publication.read(documents, day, book)
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
