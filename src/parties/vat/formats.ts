import { FORMAT_RECORDS } from './formats.generated.ts'

/**
 * How VAT ids of a country are written. The pattern is of the whole id with its prefix, anchored and bounded.
 */
type VatFormat = {
  prefix: string
  pattern: RegExp
  /** Names of the library's validators, any of which a number passes; empty: no check digits are public. */
  validators: readonly string[]
  structure: string
  example: string
  source: string
  source_url: string
  /**
   * The ids that show a business of the country; null: none does, because everybody has such a number. The
   * whole id, without blanks and marks.
   */
  business_pattern: RegExp | null
}

/** A format of data/. Only some ids show no business, or only those of another form do. */
type FormatRecord = Omit<VatFormat, 'pattern' | 'business_pattern'> & {
  country: string
  regex: string
  business_regex?: string
  shows_business?: boolean
}

const records: readonly FormatRecord[] = FORMAT_RECORDS

/** By the ISO code of the country, or XI. */
export const FORMATS: ReadonlyMap<string, VatFormat> = new Map(
  records.map(({ country, regex, business_regex, shows_business, ...format }) => {
    const pattern = new RegExp(regex)
    const business = business_regex === undefined ? pattern : new RegExp(business_regex)
    return [country, { ...format, pattern, business_pattern: shows_business === false ? null : business }]
  }),
)
