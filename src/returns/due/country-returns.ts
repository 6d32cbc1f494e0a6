/** When a country of data/countries files, as its file has it. */
export type CountryReturns = {
  place: string
  return_type: 'generic'
  weekend: string | null
  /** In which currency it files, as the source says; null: that is not in the data. */
  currency: string | null
  source: string
  source_url: string
  verified_at: string | null
  confidence: string
  returns: readonly CountryReturnRule[]
}

/** The due day of one frequency; null: no page names it. */
type CountryReturnRule = {
  frequency: string
  is_default: boolean
  first_month: number | null
  months_after: number | null
  day: number | null
  exceptions: readonly { ends_in: number; months_after: number; day: number }[]
  notes: string | null
}
