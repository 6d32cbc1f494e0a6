import type { RateBook } from '../src/tax/rate-book.ts'
import { type Collector, type Finding, ParseError, type Part, type Publication, type SourceDocument } from './collector.ts'
import { fetchDocument, type Fetching } from './documents.ts'

/** A finding with the publication that says so and the document that it stands in. */
export type Sourced = Finding & { from: { source: string; source_url: string }; document_hash: string }

export type Gathered = { part: Part; findings: Sourced[]; beside: Sourced[] }

/** What a reading starts from: the day, what is known, and where the sources are. */
export type Reading = { day: string; book: RateBook; addresses: Addresses }

/** `quarantined`: a source was read and not understood. `failed`: none could be had. */
export type Gathering = { documents: SourceDocument[] } & (
  | { ok: true; gathered: Gathered[] }
  | { ok: false; outcome: 'quarantined' | 'failed'; error: string }
)

/** Addresses of the sources that variables replace, e.g. `SOURCE_EU_RATES`. */
export type Addresses = Readonly<Record<string, string | undefined>>

/** Fetches and reads every part of a collector. Of the alternatives the first that can be read counts; all parts or nothing. */
export async function gather(collector: Collector, reading: Reading, fetching: Fetching): Promise<Gathering> {
  const documents: SourceDocument[] = []
  const gathered: Gathered[] = []
  for (const part of collector.parts) {
    const errors: string[] = []
    let misread = false
    let findings: Sourced[] | null = null
    for (const publication of part.alternatives) {
      try {
        findings = await readPublication(publication, reading, fetching, documents)
        break
      } catch (thrown) {
        misread ||= thrown instanceof ParseError
        errors.push(thrown instanceof Error ? thrown.message : String(thrown))
      }
    }
    if (findings === null)
      return { documents, ok: false, outcome: misread ? 'quarantined' : 'failed', error: `${part.name}: ${errors.join('; ')}` }
    gathered.push({ part, findings, beside: await readBeside(part, reading, fetching, documents) })
  }
  return { documents, ok: true, gathered }
}

/** What the publication beside a part says: nothing when it cannot be had or read, since the part stands by itself. */
async function readBeside({ beside }: Part, reading: Reading, fetching: Fetching, documents: SourceDocument[]): Promise<Sourced[]> {
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
function readSafely(publication: Publication, documents: readonly SourceDocument[], day: string, book: RateBook): Finding[] {
  try {
    return publication.read(documents, day, book)
  } catch (thrown) {
    if (thrown instanceof ParseError) throw thrown
    throw new ParseError(documents[0]?.url ?? publication.url, thrown instanceof Error ? thrown.message : 'cannot be read')
  }
}
