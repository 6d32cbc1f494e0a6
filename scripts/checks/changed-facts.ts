/** A record of a rate or a threshold, as a file of data/ has it. */
export type DatedRecord = Readonly<Record<string, unknown>> & {
  effective_from: string | null
  source: string
  source_url: string
  verified_at: string | null
}

/** Which fields name the series of a record, and which say what the law has. */
type Kind = { series: readonly string[]; figures: readonly string[] }

export const KINDS = {
  rates: { series: ['jurisdiction_id', 'tax_type', 'rate_category'], figures: ['rate'] },
  thresholds: {
    series: ['jurisdiction_id', 'threshold_type', 'scope'],
    figures: ['amount', 'transaction_count', 'worldwide_amount'],
  },
} as const satisfies Record<string, Kind>

/**
 * The records whose figures have changed since a release without a newer day, as sentences. One that follows
 * another needs its own source too: the page that shows the old figure does not prove the new one.
 */
export function changedFaults(
  { series, figures }: Kind,
  before: readonly DatedRecord[],
  after: readonly DatedRecord[],
): string[] {
  const named = (record: DatedRecord) => series.map((field) => String(record[field])).join(' ')
  const known = Map.groupBy(before, named)
  return after.flatMap((record) => {
    const earlier = known.get(named(record)) ?? []
    const same = earlier.find(({ effective_from }) => effective_from === record.effective_from)
    if (same !== undefined && figures.every((field) => (record[field] ?? null) === (same[field] ?? null)))
      return []
    const compared = same ?? lastOf(earlier)
    if (compared === undefined) return []
    const name = `${named(record)} from ${record.effective_from}`
    return [
      ...((record.verified_at ?? '') > (compared.verified_at ?? '')
        ? []
        : [`${name}: verified_at has to be later than ${compared.verified_at ?? 'never'}`]),
      ...(same === undefined && record.source === compared.source && record.source_url === compared.source_url
        ? [`${name}: source and source_url are those of the record from ${compared.effective_from}`]
        : []),
    ]
  })
}

function lastOf(records: readonly DatedRecord[]): DatedRecord | undefined {
  return records.toSorted((a, b) => ((a.effective_from ?? '') < (b.effective_from ?? '') ? -1 : 1)).at(-1)
}
