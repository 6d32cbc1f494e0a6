import formats from '../../data/vat-formats.json' with { type: 'json' }

/**
 * How VAT ids of a country are written. The pattern is of the whole id with its prefix, anchored and bounded.
 */
export type VatFormat = {
  prefix: string
  pattern: RegExp
  /** Names of the library's validators, any of which a number passes; empty: it cannot be checked. */
  validators: readonly string[]
  structure: string
  example: string
  source: string
  source_url: string
}

/** By the ISO code of the country, or XI. */
export const FORMATS: ReadonlyMap<string, VatFormat> = new Map(
  formats.map(({ country, regex, ...format }) => [country, { ...format, pattern: new RegExp(regex) }]),
)
