import * as z from 'zod'
import type { Country, CountryLaw } from '../../src/engine/book/countries.ts'
import { CONFIDENCES } from '../../src/engine/book/facts.ts'
import { FILING_FREQUENCIES } from '../../src/platform/kit/calendar.ts'
import { Day } from './fields.ts'

/** Where it was seen that a country is left out. */
const SOURCE = {
  source: z.string().min(1),
  source_url: z.url({ protocol: /^https$/ }),
  evidence: z.enum(['page', 'dataset', 'background']),
  verified_at: Day.nullable(),
}

/** The files of data/ to which a country adds records. */
const FILES_OF_COUNTRIES = [
  'jurisdictions',
  'rates',
  'product-rules',
  'thresholds',
  'consignment-limits',
  'vat-formats',
  'exchange-rates',
  'filing-calendar',
] as const
export type FileOfCountries = (typeof FILES_OF_COUNTRIES)[number]

const DayOfLaw = z.custom<CountryLaw['since']>((value) => Day.safeParse(value).success, 'is no day')
const Sentence = z.string().regex(/^[A-Z].*[^.]$/, 'begins with a capital letter and has no full stop')
const Section = z.string().min(1)

const Law = z.strictObject({
  name: z.string().min(1),
  act: z.string().min(1),
  since: DayOfLaw,
  section: Section,
  business: z.strictObject({ section: Section }).nullable(),
  everybody: z.strictObject({ since: DayOfLaw, note: Sentence }).exactOptional(),
  marketplace: z
    .array(
      z.strictObject({
        supplies: z.array(z.string()).min(1),
        sellers: z.literal('abroad'),
        since: DayOfLaw,
        section: Section,
        note: Sentence.exactOptional(),
      }),
    )
    .nullable(),
  tax: z.literal('GST').exactOptional(),
  rounding: z.literal('document').exactOptional(),
  tax_unit: z.strictObject({ currency: z.string(), minor_units: z.int() }).exactOptional(),
  goods: z
    .strictObject({
      words: z.string(),
      imports: z.strictObject({
        low_value: z.strictObject({ since: DayOfLaw, section: Section }),
        by_seller: Section,
        consumer: Section,
        business: Section,
      }),
    })
    .exactOptional(),
  registration: z.enum(['choice', 'appointed']).exactOptional(),
  caveat: Sentence.exactOptional(),
})

const Month = z.int().min(1).max(12)
const DayOfMonth = z.int().min(1).max(31)
const MonthsAfter = z.int().min(0).max(12)

/** When a country files. The rule of a frequency has no day if no page names it. */
export const CountryReturnsRecord = z.strictObject({
  place: z.string(),
  return_type: z.literal('generic'),
  weekend: z.enum(['next_business_day', 'not_moved']).nullable(),
  currency: z.string().min(3).nullable(),
  ...SOURCE,
  confidence: z.enum(CONFIDENCES),
  returns: z
    .array(
      z.strictObject({
        frequency: z.enum(FILING_FREQUENCIES),
        is_default: z.boolean(),
        first_month: Month.nullable(),
        months_after: MonthsAfter.nullable(),
        day: DayOfMonth.nullable(),
        exceptions: z.array(z.strictObject({ ends_in: Month, months_after: MonthsAfter, day: DayOfMonth })),
        notes: z.string().nullable(),
      }),
    )
    .min(1),
})

/** A change of the law that was announced, or is not in the data yet. Null: its day is unknown. */
const Announced = z.strictObject({
  day: Day.nullable(),
  what: Sentence,
  source: z.string().min(1),
  source_url: z.url({ protocol: /^https$/ }),
})

const LeftOut = z.strictObject({
  why: Sentence,
  no_such_tax: DayOfLaw.exactOptional(),
  services_only: z.literal(true).exactOptional(),
  collected_by: z.enum(['payer', 'recipient', 'nobody']).exactOptional(),
  ...SOURCE,
})

/** A file of data/countries. It has a law, or says why the country is left out. */
export const CountryFile = z.strictObject({
  country: z.string().regex(/^[A-Z]{2}$/),
  /** When a person looked at its pages last. */
  looked_on: Day.exactOptional(),
  announced: z.array(Announced).min(1).exactOptional(),
  law: Law.nullable(),
  left_out: LeftOut.exactOptional(),
  records: z.partialRecord(z.enum(FILES_OF_COUNTRIES), z.array(z.unknown())),
})
export type CountryFile = z.output<typeof CountryFile>

/** A country as the engine reads it. Throws an Error if the file has neither a law nor a reason. */
export function countryOf({ country, law, left_out }: CountryFile): Country {
  if (law !== null) return { id: country, law }
  if (left_out === undefined) throw new Error(`data/countries/${country}.json has no law and no left_out`)
  const { source: _source, source_url: _url, evidence: _evidence, verified_at: _seen, ...said } = left_out
  return { id: country, left_out: said }
}

/** The records that the countries add to a file of data/. Several may have one currency. */
export function recordsOfCountries(files: readonly CountryFile[], name: FileOfCountries): unknown[] {
  const added = files.flatMap(({ records }) => records[name] ?? [])
  return name === 'exchange-rates'
    ? [...new Map(added.map((each) => [JSON.stringify(each), each])).values()]
    : added
}
