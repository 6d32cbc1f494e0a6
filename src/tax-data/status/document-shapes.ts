/**
 * Where the shape in which a document is read was last seen in a real one. `inferred`: it was not seen, and
 * follows from what is described here; the first run with a network may find it different.
 */
type DocumentShape = {
  /** The variable of the source's address. */
  variable: string
  shape: 'verified' | 'inferred'
  seen_in: string
  /** The day, month or year of the real document; null: not known, or none was seen. */
  seen_on: string | null
}

const verified = (variable: string, seen_on: string | null, seen_in: string): DocumentShape => ({
  variable,
  shape: 'verified',
  seen_in,
  seen_on,
})

const inferred = (variable: string, seen_in: string, seen_on: string | null = null): DocumentShape => ({
  variable,
  shape: 'inferred',
  seen_in,
  seen_on,
})

/** The register: one entry for each address that a collector reads. */
export const DOCUMENT_SHAPES: readonly DocumentShape[] = [
  verified('SOURCE_EU_RATES', '2026-08-13', 'recorded answers of the service for single member states'),
  inferred('SOURCE_EU_THRESHOLD', 'the sentence is quoted elsewhere; the page itself was not stored'),
  inferred('SOURCE_EU_THRESHOLD_TWIN', 'the sentence is quoted elsewhere; the page itself was not stored'),
  inferred('SOURCE_UK_RATES', 'the body is real; the envelope follows the schema of the content API', '2024'),
  inferred('SOURCE_UK_THRESHOLD', 'the sentence is real; the envelope follows the schema', '2024'),
  inferred('SOURCE_UK_THRESHOLD_TWIN', 'the sentence is real; the envelope follows the schema', '2024'),
  inferred('SOURCE_UK_GOODS', 'the schema of the content API and the words of the page'),
  inferred('SOURCE_US_NEXUS', 'the text of the chart is real; its tags are inferred', '2024-10-09'),
  inferred('SOURCE_US_NEXUS_BOARD', 'a sample with invented parts'),
  inferred(
    'SOURCE_US_TAX_RATES',
    'described by a reader that was checked against the live table',
    '2026-08-25',
  ),
  inferred(
    'SOURCE_US_TAX_STANDING',
    'described by a reader that was checked against the live table',
    '2026-08-25',
  ),
  verified('SOURCE_US_TAX_FTA', '2023-01-01', 'a stored copy of the page; no newer one was found'),
  verified(
    'SOURCE_US_TAX_FILES',
    '2026-02-19',
    'whole files of Georgia and Minnesota; the directory is inferred',
  ),
  inferred(
    'SOURCE_CA_RATES',
    'the text is real; the template of canada.ca is from other pages',
    '2026-04-22',
  ),
  inferred(
    'SOURCE_CA_THRESHOLD',
    'the text is real; the template of canada.ca is from other pages',
    '2026-04-22',
  ),
  verified('SOURCE_AU_GST', null, 'a stored copy of the page, without its day'),
  verified('SOURCE_AU_ABLIS', null, 'a stored record of the register, without its day'),
  verified('SOURCE_AU_RATE', null, 'the text of the page, without its day'),
  verified('SOURCE_NZ_GST', null, 'the text of the page, without its day'),
  verified('SOURCE_NZ_RATE', null, 'the text of the page, without its day'),
  verified('SOURCE_ECB_HISTORY', '2026-04-13', 'two whole archives'),
  inferred('SOURCE_ECB_RECENT', 'the schema of the Bank', '2026-04-13'),
  inferred('SOURCE_HMRC_RATES', 'real values; the header follows the published code of the file', '2026-08'),
  verified('SOURCE_BOC_RATES', '2026-03', 'a recorded answer'),
  inferred('SOURCE_US_LOCAL_RATES', 'whole files of Georgia, Minnesota and Wisconsin', '2026-02-19'),
  inferred('SOURCE_US_LOCAL_BOUNDARIES', 'eighteen files rebuilt from an index of the real ones', '2026-08'),
  inferred(
    'SOURCE_US_LOCAL_AL',
    'described by two readers that were checked against the live file',
    '2026-10',
  ),
  inferred(
    'SOURCE_US_LOCAL_AZ',
    'described by two readers that were checked against the live file',
    '2026-10',
  ),
  verified('SOURCE_US_LOCAL_CA', '2026-01-01', 'the whole workbook'),
  inferred(
    'SOURCE_US_LOCAL_IL',
    'described by two readers that were checked against the live file',
    '2026-10',
  ),
  inferred(
    'SOURCE_US_LOCAL_TX',
    'described by two readers that were checked against the live file',
    '2026-10',
  ),
  inferred(
    'SOURCE_US_LOCAL_VA',
    'described by two readers that were checked against the live file',
    '2026-10',
  ),
  inferred('SOURCE_US_LOCAL_FL', 'only the hash of the printed list is watched'),
  inferred('SOURCE_US_LOCAL_NY', 'only the hash of the printed list is watched'),
  inferred('SOURCE_US_LOCAL_SC', 'only the hash of the printed list is watched'),
]
