import type { CollectedId } from '../src/platform/regions.ts'
import type { RateCategory, TaxType, ThresholdType, Treatment, Threshold } from '../src/engine/book/facts.ts'
import type { RateBook } from '../src/engine/book/rate-book.ts'

/** What a source says, before it is compared with what is known. `evidence` is the text that was matched. */
export type Finding = RateFinding | ThresholdFinding | RuleFinding

type Found = {
  jurisdiction_id: string
  /** The first day that the source names; null: the value is in force on the day of the reading. */
  effective_from: string | null
  /**
   * The day that the document describes, if it is not the day of the reading. It says nothing about later
   * changes.
   */
  as_of?: string
  /** The day on which the page was last edited. It is current until its next edit. */
  edited?: string
  /** Why this reading decides nothing by itself, so that a person has to look; one sentence. */
  doubt?: string
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

/**
 * A jurisdiction whose records of a document are not used, while the others are. `late`: the document says
 * nothing about today. `odd`: its records cannot be read, so a person has to look.
 */
export type LeftOut = { jurisdiction_id: string; kind: 'late' | 'odd'; why: string }

/** What a document says, without the jurisdictions that are left out. */
export type Partly = { findings: Finding[]; left_out: LeftOut[] }

export type SourceRequest = {
  url: string
  /** What the type of the answer must begin with; a page of another type is an error page. */
  accept: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Milliseconds to wait for the whole answer, if the source needs more than the usual 20 s. */
  timeout_ms?: number
  /** The fewest bytes of the document, if it may be shorter than the usual least. */
  bytes_min?: number
  /** Whether the reader itself leaves out what contains bytes that are not UTF-8 (as U+FFFD). */
  doubtful_bytes?: boolean
  /** The file of a zip archive that is the document, if the answer is an archive. */
  archived?: string
}

/** A publication: its address, how it is requested, and how it is read. Reading is pure. */
export type Publication = {
  source: string
  /** The page that people are shown. */
  source_url: string
  /** The address that is fetched, and the variable that replaces it, e.g. by a mirror. */
  url: string
  variable: `SOURCE_${string}`
  request: (url: string, day: string) => SourceRequest
  /** Further requests that the first document names, such as the files of a directory. */
  follow?: (first: SourceDocument, url: string, day: string) => SourceRequest[]
  /**
   * Reads all documents of the publication, the first one first. `book` has the known facts, for sources that
   * can only confirm. Throws ParseError.
   */
  read: (documents: readonly SourceDocument[], day: string, book: RateBook) => Finding[] | Partly
  /**
   * Whether one unreadable document of many leaves out only its own records. `read` then gets one document at
   * a time after the first one.
   */
  separate?: boolean
}

/** The smallest and the largest value that can be right, both included. */
export type Range = readonly [number, number]

/** What is believed of a part. A value outside of `rate` or `amount` is wrong; the rest is for a person. */
export type Bounds = {
  /** Millionths by category; `any` is for the categories without a range of their own. */
  rate?: Partial<Record<RateCategory | 'any', Range>>
  /** Minor units. */
  amount?: Range
  /** The most that a rate may move at once, millionths; 5 points by default. */
  move?: number
  /** Why a person decides each change of this finding; null: the rules decide. */
  person?: (finding: Finding) => string | null
}

/** A set of records that one publication contains as a whole. The alternatives are tried in their order. */
export type Part = {
  name: string
  /** Those after the one that answers are its witnesses: they are read if something changed. */
  alternatives: readonly [Publication, ...Publication[]]
  /**
   * Fresher publications of some of the records. One leads if it speaks of a later day, must agree otherwise,
   * and may be missing. Only one of them has a record of a subject.
   */
  beside?: readonly Publication[]
  /** Keys that must be among the findings: `subjectOf` each. */
  expected: readonly string[]
  bounds: Bounds
  /** Whether the part only confirms, so that it may do without a source that is too old to say anything. */
  confirms_only?: boolean
}

export type Collector = { region: CollectedId; parts: readonly Part[] }

/** A document is not what it should be. The message says what was looked for, and where. */
export class ParseError extends Error {
  constructor(url: string, looked_for: string) {
    super(`${url}: ${looked_for}`)
  }
}

/** A document that has its usual shape, and speaks of a time that is too long ago. */
export class OldDocument extends ParseError {}
