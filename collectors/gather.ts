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

/** A finding with the publication that says so and the document that it stands in. */
export type Sourced = Finding & { from: { source: string; source_url: string }; document_hash: string }

export type Gathered = { part: Part; findings: Sourced[]; beside: Sourced[] }

/** What a reading starts from: the day, what is known, and where the sources are. */
export type Reading = { day: string; book: RateBook; addresses: Addresses }

/**
 * Why nothing of a part is applied. `quarantined`: a source was read and not believed. `failed`: none could
 * be had. `doubted`: hashes of what was read.
 */
export type Fault = { outcome: 'quarantined' | 'failed'; error: string; doubted: readonly string[] }

/** What the parts of a collector say, and what was wrong with those that say nothing. */
export type Gathering = { documents: SourceDocument[]; gathered: Gathered[]; faults: Fault[] }

/** Addresses of the sources that variables replace, e.g. `SOURCE_EU_RATES`. */
export type Addresses = Readonly<Record<string, string | undefined>>

/** Fetches and reads every part of a collector. A part that cannot be had holds up none of the others. */
export async function gather(collector: Collector, reading: Reading, fetching: Fetching): Promise<Gathering> {
  const documents: SourceDocument[] = []
  const gathered: Gathered[] = []
  const faults: Fault[] = []
  for (const part of collector.parts) {
    const read = await readPart(part, reading, fetching, documents)
    if ('error' in read) faults.push(read)
    else
      gathered.push({
        part,
        findings: read.findings,
        beside: await readBeside(part, reading, fetching, documents),
      })
  }
  return { documents, gathered, faults }
}

/** Of the alternatives the first that can be read counts. */
async function readPart(
  part: Part,
  reading: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<{ findings: Sourced[] } | Fault> {
  const errors: string[] = []
  const doubted: string[] = []
  let misread = false
  for (const publication of part.alternatives) {
    const before = documents.length
    try {
      return { findings: await readPublication(publication, reading, fetching, documents) }
    } catch (thrown) {
      misread ||= thrown instanceof ParseError
      doubted.push(...documents.slice(before).map(({ hash }) => hash))
      errors.push(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  return { outcome: misread ? 'quarantined' : 'failed', error: `${part.name}: ${errors.join('; ')}`, doubted }
}

/**
 * What the publication beside a part says: nothing when it cannot be had or read, since the part stands by
 * itself.
 */
async function readBeside(
  { beside }: Part,
  reading: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<Sourced[]> {
  if (beside === undefined) return []
  return readPublication(beside, reading, fetching, documents).catch(() => [])
}

async function readPublication(
  publication: Publication,
  { day, book, addresses }: Reading,
  fetching: Fetching,
  documents: SourceDocument[],
): Promise<Sourced[]> {
  const url = addresses[publication.variable] ?? publication.url
  const first = await fetchDocument(publication.request(url, day), fetching)
  const own = [first]
  documents.push(first)
  for (const request of publication.follow?.(first, url, day) ?? []) {
    const document = await fetchDocument(request, fetching)
    own.push(document)
    documents.push(document)
  }
  const { source, source_url } = publication
  return readSafely(publication, own, day, book).map((finding) => ({
    ...finding,
    from: { source, source_url },
    document_hash: own.find((document) => document.text.includes(finding.evidence))?.hash ?? first.hash,
  }))
}

/** Whatever a parser stumbles over is a document that is not what it should be. */
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
