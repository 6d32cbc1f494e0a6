import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { FilingFrequency, Scheme } from '../../platform/http/tax-enums.ts'
import { FilingType } from '../reports/schemas.ts'
import { SubmissionState } from '../kept/schemas.ts'
import { WEEKEND_RULES } from './filing-calendar.ts'

export const ObligationsQuery = z.strictObject({
  from: CalendarDate.optional().describe(
    'The first due date. Left out: today, and before it all that is still to be filed',
  ),
  to: CalendarDate.optional().describe('The last due date, at most 400 days later. Left out: 92 days later'),
  ...pageFields(100),
})
export type ObligationsQuery = z.output<typeof ObligationsQuery>

export const ObligationStatus = z.enum(['open', 'due', 'overdue', 'filed'])
export const WeekendRule = z.enum(WEEKEND_RULES)

/** The tax that is due for a period, in one currency. */
export const TaxSoFar = z.strictObject({ currency: z.string(), tax_amount: Amount })

/** The kept return of a period. */
export const FiledObligation = z.strictObject({
  return_id: z.string(),
  version: z.int(),
  filed_at: Timestamp,
  state: SubmissionState.describe('`open` and `reviewed`: it is kept here, and still to be filed'),
  day: z.iso.date().nullable().describe('The day on which it was filed with the tax office. Null: not told'),
})

/** A return that a registration has to file. */
export const Obligation = z.strictObject({
  registration_id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: Scheme.nullable(),
  type: FilingType.nullable().describe('The form of the return; null: this service has none'),
  frequency: FilingFrequency,
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  due_date: z.iso.date().describe('The day that the law names'),
  last_date: z.iso
    .date()
    .describe('The first day after a weekend, if the law moves it. Public holidays are not considered'),
  weekend: WeekendRule.nullable().describe('What the law says of a weekend; null: not considered'),
  status: ObligationStatus.describe('`open`: the period has not ended; `overdue`: after `last_date`'),
  filed: FiledObligation.nullable(),
  so_far: z
    .array(TaxSoFar)
    .describe(
      'What is due by the sales so far, as `tax_due` of the return; of a filed one, what it declares. ' +
        'Sales without an exchange rate are in their own currency. Empty: no sales count',
    ),
  filing_url: z.string().nullable(),
  source: z.string(),
  source_url: z.string(),
  verified_at: z.iso.date().nullable().describe('Null: the source was not read'),
  confidence: z.string(),
  notes: z.string().nullable(),
})

/** A return that a recorded sale is in. Null fields of an open one: it is not kept yet. */
export const SaleReturn = z.strictObject({
  return_id: z.string().nullable().describe('Null: the return is open, and would declare the sale'),
  version: z.int().nullable(),
  type: FilingType,
  jurisdiction_id: z.string().nullable(),
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  due_date: z.iso.date().nullable().describe('Only of an open return'),
  last_date: z.iso
    .date()
    .nullable()
    .describe('Only of an open return: the first day after a weekend, if the law moves the day'),
  state: SubmissionState,
  number: z.string().nullable().describe('The number that the tax office gave'),
  day: z.iso.date().nullable().describe('The day on which it was filed with the tax office'),
  has_sale: z.boolean().describe('False: it has only refunds of the sale'),
  refunds: z.array(z.string()).describe('The refunds of the sale that it has'),
  declares_tax: z
    .boolean()
    .describe('False: it lists the sale without its tax, such as a supply that another return taxes'),
  late: z.boolean().describe('The return of its days was filed without it: this one corrects that'),
})

/** A registration whose due dates the calendar does not know. */
export const WithoutDatesAnswer = z.strictObject({
  registration_id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: Scheme.nullable(),
  filing_frequency: FilingFrequency.nullable(),
  message: z.string(),
})

export const ObligationsAnswer = z.strictObject({
  obligations: z.array(Obligation),
  without_dates: z.array(WithoutDatesAnswer),
  from: z.iso
    .date()
    .describe(
      'Without `from` in the request: the first day on which a return that is still open can have been ' +
        'due. It is the begin of the books, or 400 days ago if they are older',
    ),
  to: z.iso.date(),
  time_zone: z.string().describe('The zone in which the days of periods are days'),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

export const CalendarFeedAnswer = z.strictObject({
  created_at: Timestamp.nullable().describe('Null: the account has no address'),
  queried_at: Timestamp,
})

export const NewCalendarFeedAnswer = z.strictObject({
  url: z.string().nullable().describe('A path of this service, shown once. Who has it can read the calendar'),
  created_at: Timestamp,
  queried_at: Timestamp,
})

export const CalendarFeedDeleted = z.strictObject({ deleted: z.literal(true), queried_at: Timestamp })
