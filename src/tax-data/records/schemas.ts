import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { RateCategory, TaxType } from '../../platform/http/tax-enums.ts'
import { COMBINATORS, LIMIT_TESTS, SOURCE_KINDS } from '../../engine/book/facts.ts'

/** Where the records of an answer come from and how old they are (specification, section 2.8). */
export const Meta = z.strictObject({
  source: z.string().nullable().describe('`multiple` if there is more than one'),
  source_url: z.string().nullable(),
  last_verified_at: Timestamp.nullable().describe(
    'When the oldest of the sources said so: its own day, or the day when a collector read it. Null: one ' +
      'of the records has no such source',
  ),
  reviewed_on: z.iso
    .date()
    .nullable()
    .describe(
      'When people reviewed the records as the release ships them. Null: collectors have read them all',
    ),
  data_freshness: z
    .enum(['fresh', 'stale', 'not_collected'])
    .describe(
      'Of the reading, not of the law (`rule_age`): whether collectors or people looked at the records ' +
        'lately. `not_collected`: no collector reads some of them, so a person reviews them',
    ),
  rule_age: z
    .strictObject({
      verified_on: z.iso.date().nullable().describe('The day of its source. Null: no dated source was seen'),
      source_kind: z
        .enum(SOURCE_KINDS)
        .describe(
          '`law`: its text. `authority`: a page of an office. `secondary`: a copy, such as a data set, a ' +
            'firm or a newspaper. `unknown`: nothing with a day',
        ),
    })
    .nullable()
    .describe(
      'The age of the law that decided, whoever collects it: of the rules and thresholds that were used, ' +
        'else of the rates. It is that of the one that was verified first. Null: no record was used',
    ),
  stale_record: z
    .string()
    .optional()
    .describe('The id of the first record that is too old or doubted; only in a stale answer'),
  data_version: z.string(),
})
export type Meta = z.output<typeof Meta>

/** Where a record comes from, and who was read last. */
export const PROVENANCE = {
  source: z.string(),
  source_url: z.string(),
  last_verified_at: Timestamp.nullable().describe('When the source said so; null: no dated source was seen'),
  verified_by: z
    .string()
    .describe('The publication that was read last, with its address; or `kept by hand, reviewed on` a day'),
  as_of: z.iso.date().nullable().describe('The day of which that publication speaks, if it names one'),
  doubted_since: Timestamp.nullable().describe(
    'Since when a source says something else that is not believed yet; the record is stale until then',
  ),
}

/** A dated rate, as a fraction. */
export const Rate = z.strictObject({
  id: z.string(),
  jurisdiction_id: z.string(),
  tax_type: TaxType,
  category: RateCategory,
  name: z.string(),
  rate: z.number(),
  components: z
    .array(z.strictObject({ name: z.string(), rate: z.number() }))
    .optional()
    .describe('The taxes that the rate is made of; left out: it is one tax'),
  effective_from: z.iso.date(),
  effective_to: z.iso.date().nullable(),
  ...PROVENANCE,
})

export const ThresholdTest = z.enum(LIMIT_TESTS)

/** A threshold of sales, the amount in minor units. */
export const Threshold = z.strictObject({
  id: z.string(),
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  threshold_type: z.string(),
  scope: z.string(),
  amount: Amount.nullable(),
  currency: z.string(),
  transaction_count: z.int().nullable(),
  combinator: z.enum(COMBINATORS).nullable(),
  amount_test: ThresholdTest,
  count_test: ThresholdTest,
  worldwide_amount: Amount.nullable().describe(
    'The limit of the worldwide turnover, which must be passed too. Null: only sales into the place count',
  ),
  measurement_period: z.string().nullable(),
  included_sales: z.string().nullable(),
  effective_from: z.iso.date(),
  effective_to: z.iso.date().nullable(),
  notes: z.string().nullable(),
  ...PROVENANCE,
})

/** How close sales are to a threshold. */
export const ThresholdProgress = z.strictObject({
  amount: Amount,
  currency: z.string(),
  transaction_count: z.int(),
  ratio: z
    .number()
    .nullable()
    .describe('1 reaches the threshold. Null: it depends on the worldwide turnover, which is unknown'),
})
