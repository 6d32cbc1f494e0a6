import * as z from 'zod'
import { PresenceKind } from '../../parties/accounts/establishments.ts'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { Meta, Threshold, ThresholdProgress } from '../../tax-data/records/schemas.ts'

export const NexusStatus = z.enum(['below', 'approaching', 'exceeded', 'depends_on_turnover'])
export type NexusStatus = z.output<typeof NexusStatus>

const DayAtPace = z.iso
  .date()
  .nullable()
  .describe(
    'The day on which sales reach the threshold if they go on as in the days of this calendar year so far. ' +
      'Null: it is passed, it is not reached this year, fewer than 28 days are measured, or the period ' +
      'moves with the day',
  )

/** What the sales of the running period will oblige to, if the threshold does not look at them yet. */
export const NextPeriod = z.strictObject({
  status: NexusStatus,
  progress: ThresholdProgress,
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  obliges_from: z.iso.date().describe('The day from which a seller over the threshold has to collect'),
  exceeded_on_at_pace: DayAtPace,
})

/** About the tax of taxable sales on which none was collected. */
export const UncollectedTax = z.strictObject({
  currency: z.string(),
  taxable_amount: Amount.describe(
    'The taxable sales without tax of the days of physical presence, and from `exceeded_on` to `as_of`, ' +
      'refunds not deducted',
  ),
  tax_amount: Amount.describe('These sales at the rates of their products on `as_of`, without local taxes'),
})

/** What a threshold counts worldwide beside the sales into the place. */
export const WorldwideTurnover = z.strictObject({
  currency: z.string(),
  stated: Amount.nullable().describe(
    'The `global_turnover` of the account in this currency. Null: it is not set, or there is no ' +
      'exchange rate',
  ),
  recorded: Amount.describe('Recorded sales in all countries in the period: the turnover is at least that'),
})

/** Why no threshold measures the sales into a place. */
export const WhyUnmeasured = z.enum([
  'no_threshold',
  'union_threshold',
  'seller_unknown',
  'later_period',
  'not_covered',
])
export type WhyUnmeasured = z.output<typeof WhyUnmeasured>

/** Sales of one currency into a place. */
export const UnmeasuredSums = z.strictObject({
  currency: z.string(),
  net_amount: Amount.describe('Without tax; refunds are not deducted'),
  tax_amount: Amount.describe('The tax that was collected'),
})

/** A place with recorded sales that no threshold measures. */
export const UnmeasuredPlace = z.strictObject({
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  why: WhyUnmeasured.describe(
    '`no_threshold`: the data has none for this seller, which may have to register from the first sale; ' +
      '`union_threshold`: the EU-wide threshold applies, and it counts no sale without tax; ' +
      '`seller_unknown`: it depends on where the seller is established, which the account does not say; ' +
      '`later_period`: the threshold looks at other days than these; `not_covered`: the law of the place ' +
      'is not in the data',
  ),
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  transaction_count: z.int(),
  sums: z.array(UnmeasuredSums).describe('What was sold there, for each currency'),
})

export const NexusKind = z.enum(['physical', 'economic'])

/** What the account has in a place, with its days. */
export const PhysicalPresence = z.strictObject({
  kind: PresenceKind,
  from: z.iso.date().describe('The first day'),
  to: z.iso.date().nullable().describe('Null: it has no end'),
})

/** How close the recorded sales into a jurisdiction are to its threshold. */
export const NexusExposure = z.strictObject({
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  status: NexusStatus,
  registered: z.boolean(),
  threshold: Threshold,
  progress: ThresholdProgress,
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  exceeded_on: z.iso.date().nullable(),
  nexus_kind: NexusKind.nullable().describe(
    'Why the seller has to collect there: `physical`, an office, staff or stock, which needs no ' +
      'threshold; `economic`, sales over the threshold. The earlier of both. Null: neither',
  ),
  nexus_since: z.iso.date().nullable().describe('The first day of that duty; null: it is unknown'),
  physical_presence: z
    .array(PhysicalPresence)
    .describe('What the account has, or had, there by its `establishments`'),
  exceeded_on_at_pace: DayAtPace,
  next_period: NextPeriod.nullable().describe(
    'For a threshold on the year before: the sales of the running year, which count only later',
  ),
  uncollected_tax: z
    .array(UncollectedTax)
    .nullable()
    .describe(
      'An estimate by currency, of places with nexus in which the seller is not registered. Only sales of ' +
        'the days of physical presence, and from the day of passing on. Null: no such liability, or no ' +
        'reliable estimate',
    ),
  worldwide_turnover: WorldwideTurnover.nullable().describe(
    'For a threshold with `worldwide_amount`. If it decides and is not set, `status` is ' +
      '`depends_on_turnover`, and the ratio is null. Null: the threshold does not count it',
  ),
  notes: z.array(z.string()),
})

export const NexusAnswer = z.strictObject({
  as_of: z.iso.date(),
  jurisdictions: z.array(NexusExposure),
  total: z.int(),
  home_limits: z
    .array(NexusExposure)
    .describe(
      'For a `small_business`: how near its sales at home are to the limits of the scheme. ' +
        'Exempt sales count too, which the law of some countries leaves out',
    ),
  not_monitored: z
    .array(UnmeasuredPlace)
    .describe('Places with sales in the last 12 months that no threshold measures, where none is registered'),
  meta: Meta,
  queried_at: Timestamp,
})
