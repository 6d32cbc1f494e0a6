import { sha256 } from '../../src/platform/kit/sha256.ts'
import type { Country } from '../../src/engine/book/countries.ts'
import type {
  ConsignmentLimit,
  DeliveryFee,
  IndicativeExchangeRate,
  Jurisdiction,
  PostalRule,
  ProductRule,
  Rate,
  Threshold,
} from '../../src/engine/book/facts.ts'
import { openRateBook, type RateBook } from '../../src/engine/book/rate-book.ts'
import type { BoundaryEdition } from '../../src/engine/regimes/us-local/boundaries.ts'
import {
  type LocalBook,
  type LocalJurisdiction,
  type LocalState,
  openLocalBook,
} from '../../src/engine/regimes/us-local/local-book.ts'
import type { ZipOfState } from '../../src/engine/regimes/us-local/zips-of-state.ts'
import { KEPT_BY_HAND } from '../../src/tax-data/records/present-facts.ts'
import { readDataVersion } from '../../src/tax-data/records/data-version.ts'
import type { SnapshotAnswer } from '../src/schema.ts'

/** The data is damaged, or does not belong together. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

export type OfflineBooks = { book: RateBook; local: LocalBook | null }

type Shown<Fact> = Omit<Fact, 'rate_millionths' | 'taxable_fraction_millionths'>
/** The records of a snapshot, whose types the document of the interface does not describe. */
type Records = {
  jurisdictions: Jurisdiction[]
  rates: (Shown<Rate> & { rate: number })[]
  thresholds: Threshold[]
  product_rules: (Shown<ProductRule> & { rate: number | null; taxable_fraction: number | null })[]
  postal_rules: PostalRule[]
  consignment_limits: ConsignmentLimit[]
  delivery_fees: DeliveryFee[]
  exchange_rates: IndicativeExchangeRate[]
  countries: Country[]
  local_states?: (LocalState & { jurisdiction_id: string })[]
  local_jurisdictions?: LocalJurisdiction[]
  local_zips?: ZipOfState[]
  local_boundaries?: BoundaryEdition[]
}
type Verified = { version: string; generated_at: string; records: Records }

/** Verifies the snapshots and makes the books of the engine of them. Throws a SnapshotError. */
export async function booksOf(snapshots: readonly SnapshotAnswer[]): Promise<OfflineBooks> {
  const all = await Promise.all(snapshots.map(verified))
  const [first] = all
  if (first === undefined) throw new SnapshotError('There is no snapshot')
  const versions = new Set(all.map(({ version }) => readDataVersion(version)?.rates ?? version))
  const locals = all.filter(({ records }) => records.local_states !== undefined)
  const editions = new Set(locals.map(({ version }) => version))
  if (versions.size > 1 || editions.size > 1)
    throw new SnapshotError('The snapshots are of several versions of the data: take them again')
  return { book: rateBookOf(first), local: locals.length === 0 ? null : localBookOf(locals) }
}

/** The checksum is that of the data alone, in the order in which the service wrote it. */
async function verified(snapshot: SnapshotAnswer): Promise<Verified> {
  const { version, generated_at, checksum, queried_at: _queried_at, ...data } = snapshot
  if ((await sha256(JSON.stringify(data))) !== checksum)
    throw new SnapshotError(`The snapshot ${version} is damaged: its checksum is not that of its data`)
  if (data.countries === undefined)
    throw new SnapshotError('The snapshot is of an older service, and lacks what a calculation needs')
  // The checksum shows that the service wrote these records.
  return { version, generated_at, records: data as unknown as Records }
}

function rateBookOf({ version, generated_at, records }: Verified): RateBook {
  const { jurisdictions, rates, thresholds, product_rules, postal_rules, ...others } = records
  const { consignment_limits, delivery_fees, exchange_rates, countries } = others
  return openRateBook({
    version: readDataVersion(version)?.rates ?? version,
    recorded_at: generated_at,
    jurisdictions: jurisdictions.map(asStored),
    rates: rates.map(({ rate, ...fact }) => ({ ...asStored(fact), rate_millionths: millionths(rate) })),
    thresholds: thresholds.map(asStored),
    product_rules: product_rules.map(({ rate, taxable_fraction, ...fact }) => ({
      ...asStored(fact),
      rate_millionths: rate === null ? null : millionths(rate),
      taxable_fraction_millionths: taxable_fraction === null ? null : millionths(taxable_fraction),
    })),
    postal_rules,
    consignment_limits,
    delivery_fees,
    exchange_rates,
    countries,
  })
}

function millionths(fraction: number): number {
  return Math.round(fraction * 1_000_000)
}

/** An answer shows null where a stored fact has no such field. */
function asStored<Fact extends object>(fact: Fact): Fact {
  const { as_of, doubted_since, verified_by, ...others } = fact as Fact & {
    as_of?: unknown
    doubted_since?: unknown
    verified_by?: unknown
  }
  return {
    ...others,
    ...(as_of !== null && { as_of }),
    ...(doubted_since !== null && { doubted_since }),
    // What a service of another release calls reviewed has another day of review, which is not ours to claim.
    ...(verified_by !== KEPT_BY_HAND && { verified_by }),
  } as Fact
}

function localBookOf(snapshots: readonly Verified[]): LocalBook {
  const [{ version } = { version: '' }] = snapshots
  const records = snapshots.map((each) => each.records)
  const states = records.flatMap(({ local_states = [], local_boundaries = [] }) =>
    local_states.map(({ jurisdiction_id, ...law }) => ({
      state: jurisdiction_id.slice('US-'.length),
      law,
      local_boundaries,
    })),
  )
  return openLocalBook({
    version: readDataVersion(version)?.local_at ?? version,
    states: Object.fromEntries(states.map(({ state, law }) => [state, law])),
    jurisdictions: records.flatMap(({ local_jurisdictions = [] }) => local_jurisdictions),
    zips: zipTexts(records.flatMap(({ local_zips = [] }) => local_zips)),
    boundaries: Object.fromEntries(
      states.flatMap(({ state, local_boundaries }) =>
        local_boundaries.length === 0 ? [] : [[state, local_boundaries]],
      ),
    ),
    // The ZIP+4 are in no snapshot. A note tells where the ZIP decided in their place.
    zip4: {},
  })
}

/** A text for each ZIP3, as the book has it. A ZIP may lie in several states. */
function zipTexts(zips: readonly ZipOfState[]): Record<string, string> {
  const texts = new Map<string, string[]>()
  for (const [zip5, parts] of Map.groupBy(zips, (each) => each.zip5)) {
    const counties = parts.flatMap((each) => each.counties)
    if (counties.length === 0) continue
    const entries = counties.map(({ county_fips, permille }) => `${county_fips}:${permille}`)
    const zip3 = zip5.slice(0, 3)
    texts.set(zip3, [...(texts.get(zip3) ?? []), `${zip5.slice(3)} ${entries.join(' ')}`])
  }
  return Object.fromEntries([...texts].map(([zip3, lines]) => [zip3, lines.join('\n')]))
}
