import { bookFor } from '../records/book-for.ts'
import { presentProvenance, presentRate, presentThreshold } from '../records/present-facts.ts'
import type { Context } from '../../platform/context.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import type { ProductRule, Rate, Threshold } from '../../engine/book/facts.ts'
import { fieldError } from '../../platform/errors.ts'
import { dataVersionOf } from '../records/data-version.ts'
import { findJurisdiction } from '../records/find-jurisdiction.ts'
import { localBookFor } from '../records/local-book-for.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { zipsOfState } from '../../engine/regimes/us-local/zips-of-state.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { readHeader } from '../../platform/kit/header.ts'
import { streamParts } from '../../platform/kit/stream-parts.ts'

type Snapshot = {
  head: { version: string; generated_at: string; checksum: string }
  data: Record<string, object[]>
  /** The data as JSON, in UTF-8, without the braces around it. */
  fields: Uint8Array
}

/** Made once for each book that an isolate holds: it is a megabyte of text. */
const made = new WeakMap<RateBook, Snapshot>()

/** The last one with the local taxes of a state, which has up to 3 MB. It holds for these two books. */
let lastLocal: { book: RateBook; local: LocalBook; state: string; snapshot: Snapshot } | null = null

/**
 * All tax data, enough to calculate offline; the checksum is the SHA-256 of the JSON of the data alone. As
 * JSON, or a line a record where the caller accepts application/x-ndjson. Answers 304 to the ETag of what the
 * caller has.
 */
export async function exportSnapshot(
  context: Context,
  headers: Headers,
  local: string | null,
): Promise<Response> {
  const book = await bookFor(context)
  const snapshot = local === null ? await snapshotOf(book) : await withLocal(context, book, local)
  const lines = (readHeader(headers, 'Accept') ?? '').includes('application/x-ndjson')
  const etag = `"${snapshot.head.checksum.slice(0, 32)}${lines ? '-lines' : ''}"`
  const shared = { ETag: etag, Vary: 'Accept' }
  if (readHeader(headers, 'If-None-Match')?.includes(etag))
    return new Response(null, { status: 304, headers: { ...shared, 'Content-Type': 'application/json' } })
  if (lines)
    return new Response(streamParts(partsOfLines(snapshot)), {
      headers: { ...shared, 'Content-Type': 'application/x-ndjson' },
    })
  const head = JSON.stringify(snapshot.head).slice(0, -1)
  const tail = `,"queried_at":"${context.now.toISOString()}"}`
  const file = new Blob([`${head},`, snapshot.fields, tail])
  return new Response(file.stream(), {
    headers: { ...shared, 'Content-Type': 'application/json', 'Content-Length': String(file.size) },
  })
}

async function snapshotOf(book: RateBook): Promise<Snapshot> {
  const known = made.get(book)
  if (known !== undefined) return known
  const snapshot = await snapshotWith(book, book.version, snapshotData(book))
  made.set(book, snapshot)
  return snapshot
}

/** The snapshot with the local taxes of a state. Throws invalid_jurisdiction. */
async function withLocal(context: Context, book: RateBook, named: string): Promise<Snapshot> {
  const { id } = findJurisdiction(book, named, 'local')
  const state = id.slice('US-'.length)
  const places = { customer: { country: 'US' }, supply: null }
  const local = id.startsWith('US-') ? await localBookFor(context, book, places) : null
  const onFile = local?.state(state) ?? null
  if (local === null || onFile === null)
    throw fieldError('invalid_jurisdiction', 'local', `${id} is not a state with local taxes in the data`)
  if (lastLocal?.book === book && lastLocal.local === local && lastLocal.state === state)
    return lastLocal.snapshot
  const data = { ...snapshotData(book), ...localRecords(local, state) }
  const snapshot = await snapshotWith(book, dataVersionOf(book.version, local), data)
  lastLocal = { book, local, state, snapshot }
  return snapshot
}

/** What a snapshot has of a state beside the other data. Empty: the book has no such state. */
export function localRecords(local: LocalBook, state: string): Record<string, object[]> {
  const onFile = local.state(state)
  if (onFile === null) return {}
  return {
    local_states: [{ jurisdiction_id: `US-${state}`, ...onFile.law }],
    local_jurisdictions: [...onFile.jurisdictions.values()],
    local_zips: zipsOfState(local, state),
    local_boundaries: [...onFile.boundaries],
  }
}

async function snapshotWith(
  book: RateBook,
  version: string,
  data: Record<string, object[]>,
): Promise<Snapshot> {
  const json = JSON.stringify(data)
  const head = { version, generated_at: book.recorded_at, checksum: await sha256(json) }
  return { head, data, fields: new TextEncoder().encode(json.slice(1, -1)) }
}

/** Whole records, as far as the engine reads them: `client/offline/books.ts` makes a rate book of them. */
export function snapshotData(book: RateBook): Record<string, object[]> {
  const { facts } = book
  return {
    jurisdictions: facts.jurisdictions.map((each) => ({ ...each, ...presentProvenance(each) })),
    rates: facts.rates.map(wholeRate),
    thresholds: facts.thresholds.map((threshold) => wholeThreshold(book, threshold)),
    product_rules: facts.product_rules.map(presentRule),
    postal_rules: facts.postal_rules,
    consignment_limits: facts.consignment_limits,
    delivery_fees: facts.delivery_fees,
    exchange_rates: facts.exchange_rates,
    countries: [...facts.countries],
  }
}

function wholeRate(rate: Rate) {
  const { compound, confidence, notes } = rate
  return { ...presentRate(rate), compound, confidence, notes }
}

function wholeThreshold(book: RateBook, threshold: Threshold) {
  const { confidence, counts_from_month = null, marketplace_sales_counted } = threshold
  return { ...presentThreshold(book, threshold), confidence, counts_from_month, marketplace_sales_counted }
}

const LINES_OF_PART = 200

function* partsOfLines({ head, data }: Snapshot): Generator<string> {
  yield linesOf([{ kind: 'snapshot', ...head }])
  for (const [kind, records] of Object.entries(data))
    for (let from = 0; from < records.length; from += LINES_OF_PART)
      yield linesOf(records.slice(from, from + LINES_OF_PART).map((record) => ({ kind, ...record })))
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function presentRule({ rate_millionths, taxable_fraction_millionths, ...rule }: ProductRule) {
  return {
    ...rule,
    ...presentProvenance(rule),
    rate: rate_millionths === null ? null : rate_millionths / 1_000_000,
    taxable_fraction: taxable_fraction_millionths === null ? null : taxable_fraction_millionths / 1_000_000,
  }
}
