import type { RegionId } from '../src/regions.ts'
import type { RateCategory, TaxType, ThresholdType, Treatment, Threshold } from '../src/tax/book/facts.ts'
import type { RateBook } from '../src/tax/book/rate-book.ts'

/** What a source says, before it is compared with what is known. `evidence` is the text that was matched. */
export type Finding = RateFinding | ThresholdFinding | RuleFinding

type Found = {
  jurisdiction_id: string
  /** The day from which the source says that it holds; null: it holds on the day of the reading. */
  effective_from: string | null
  /**
   * The day of which the source speaks, where it is not the day of the reading: of what began later it says
   * nothing.
   */
  as_of?: string
  evidence: string
}

export type RateFinding = Found & {
  kind: 'rates'
  tax_type: TaxType
  category: RateCategory
  rate_millionths: number
}

export type ThresholdFinding = Found & {
  kind: 'thresholds'
  threshold_type: ThresholdType
  scope: string
  /** Minor units. */
  amount: number | null
  currency: string
  transaction_count: number | null
  combinator: Threshold['combinator']
}

export type RuleFinding = Found & {
  kind: 'product_rules'
  tax_type: TaxType
  product_type: string
  treatment: Treatment
  category: RateCategory | null
}

/** A document as it was fetched. Text is decoded, the hash is of the bytes. */
export type SourceDocument = { url: string; text: string; bytes: number; hash: string }

export type SourceRequest = {
  url: string
  /** What the type of the answer must begin with; a page of another type is an error page. */
  accept: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Bytes that the document has at least, where it may be a very short one. */
  bytes_min?: number
}

/**
 * A publication: where it stands, how it is asked for, and how it is read. Reading is pure: documents in,
 * findings out.
 */
export type Publication = {
  source: string
  /** The page that people are shown. */
  source_url: string
  /** The address that is fetched, and the variable that replaces it, e.g. by a mirror. */
  url: string
  variable: `SOURCE_${string}`
  request: (url: string, day: string) => SourceRequest
  /** A second wave of requests that the first document names: files of a directory. */
  follow?: (first: SourceDocument, url: string, day: string) => SourceRequest[]
  /**
   * Throws ParseError. All documents of the publication, the first one first; `book` is what is known, for
   * sources that can only confirm.
   */
  read: (documents: readonly SourceDocument[], day: string, book: RateBook) => Finding[]
}

/** A set of records that one publication holds whole. The alternatives are tried in their order. */
export type Part = {
  name: string
  alternatives: readonly [Publication, ...Publication[]]
  /**
   * A fresher publication of some of the records. It leads where it speaks of a later day, must agree
   * otherwise, and may be missing.
   */
  beside?: Publication
  /** Keys that must be among the findings: `subjectOf` each. */
  expected: readonly string[]
  /**
   * Smallest and largest rate that is believed, and by how much it may move at once, millionths; amounts in
   * minor units.
   */
  bounds: { rate?: readonly [number, number]; move?: number; amount?: readonly [number, number] }
}

export type Collector = { region: RegionId; parts: readonly Part[] }

/** A document is not what it should be: says what was looked for and in which document. */
export class ParseError extends Error {
  constructor(url: string, looked_for: string) {
    super(`${url}: ${looked_for}`)
  }
}
