import formats from '../../data/vat-formats.json'

/** How the VAT ids of a country are written, by its ISO code or XI. Patterns are of the whole id with its prefix, anchored and bounded. */
export const FORMATS: ReadonlyMap<string, { prefix: string; pattern: RegExp }> = new Map(
  formats.map(({ country, prefix, regex }) => [country, { prefix: prefix ?? '', pattern: new RegExp(regex) }]),
)
