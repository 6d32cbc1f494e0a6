import * as z from 'zod'
import { NameOfActor } from '../../platform/audit/schemas.ts'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { FilingFrequency, Scheme } from '../../platform/http/tax-enums.ts'
import { FilingType } from '../forms/queries.ts'
import { SubmissionState } from '../kept/schemas.ts'
import { OBLIGATION_DOCUMENTS } from '../../platform/database/values/return-statuses.ts'
import { DAYS_OFF } from '../due/due-returns.ts'
import { OBLIGATION_STATUSES } from '../due/filed.ts'
import { WEEKEND_RULES } from '../due/filing-calendar.ts'

export const ObligationStatus = z.enum(OBLIGATION_STATUSES)

export const ObligationsQuery = z.strictObject({
  from: CalendarDate.optional().describe(
    'The first due date. Left out: today, and before it all that is still to be filed',
  ),
  status: ObligationStatus.optional().describe(
    'Only obligations with this status; without `from` all of them since the books begin',
  ),
  to: CalendarDate.optional().describe('The last due date, at most 400 days later. Left out: 92 days later'),
  ...pageFields(100),
})
export type ObligationsQuery = z.output<typeof ObligationsQuery>

export const WeekendRule = z.enum(WEEKEND_RULES)
export const DayOff = z.enum(DAYS_OFF)

/** The tax that is due for a period, in one currency. */
export const TaxSoFar = z.strictObject({ currency: z.string(), tax_amount: Amount })

/** The kept return of a period. */
export const FiledObligation = z.strictObject({
  return_id: z.string(),
  version: z.int(),
  filed_at: Timestamp,
  state: SubmissionState.describe('`open` and `reviewed`: it is kept here, and still to be filed'),
  day: z.iso.date().nullable().describe('The day on which it was filed with the tax office. Null: not given'),
})

/** That an obligation is set aside: it is not filed here, and why. */
export const SetAside = z.strictObject({
  reason: z.string(),
  set_aside_at: Timestamp,
  set_aside_by: z.string().describe('The key or the person that set it aside'),
  set_aside_by_name: NameOfActor,
  counts: z
    .boolean()
    .describe(
      'False: a sale or a refund that it concerns was recorded or deleted since, so it is to be filed again',
    ),
})

/** That a recapitulative statement was filed, as you told it. */
export const FiledStatement = z.strictObject({
  day: z.iso.date().describe('The day on which it was filed with the tax office'),
  number: z.string().nullable().describe('The number that the tax office gave; null: not given'),
  told_at: Timestamp,
  told_by: z.string().describe('The key or the person that recorded it'),
  told_by_name: NameOfActor,
  counts: z
    .boolean()
    .describe(
      'False: a supply that it lists, or a refund of one, was recorded or deleted since, so it is to be ' +
        'corrected',
    ),
})

export const ObligationDocument = z.enum(OBLIGATION_DOCUMENTS)

/** A return that a registration has to file, or a recapitulative statement of a period with such supplies. */
export const Obligation = z.strictObject({
  id: z.string().describe('The same in every answer: of the place or scheme, and the period'),
  document: ObligationDocument,
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
    .describe(
      'The day that counts: the first working day from `due_date` on, if the law moves it. Holidays of a ' +
        'state or province alone are not considered, so it is never later than the legal day',
    ),
  falls_on: DayOff.nullable().describe('What `due_date` is; null: a working day, as far as it is known'),
  weekend: WeekendRule.nullable().describe(
    'What the law says of a weekend or public holiday; null: not in the data, so the day is not moved',
  ),
  status: ObligationStatus.describe(
    '`open`: the period has not ended; `overdue`: after `last_date`; `set_aside`: not to be filed, see ' +
      '`set_aside`',
  ),
  filed: FiledObligation.nullable(),
  set_aside: SetAside.nullable(),
  statement: FiledStatement.nullable(),
  so_far: z
    .array(TaxSoFar)
    .describe(
      'What is due by the sales so far, as `tax_due` of the return; of a filed one, what it ' +
        'declares. Sales without an exchange rate are in their own currency. It is empty if no sales ' +
        'count',
    ),
  earlier_unfiled: z
    .string()
    .nullable()
    .describe(
      'The earliest period of the same return, of those of this list, that has ended and is still to be ' +
        'filed: file in the order of the periods. Null: none',
    ),
  filing_url: z
    .string()
    .nullable()
    .describe('The figures of the return so far; of a statement, its file. Null: there is no form'),
  source: z.string(),
  source_url: z.string(),
  verified_at: z.iso.date().nullable().describe('Null: the source was not read'),
  confidence: z.string(),
  currency: z
    .string()
    .nullable()
    .describe('In which currency the place files, as the source says: `MXN or USD`; null: not in the data'),
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
    .describe('Only of an open return: the first working day from then on, if the law moves the day'),
  state: SubmissionState,
  number: z.string().nullable().describe('The number that the tax office gave'),
  day: z.iso.date().nullable().describe('The day on which it was filed with the tax office'),
  has_sale: z.boolean().describe('False: it has only refunds of the sale'),
  refunds: z.array(z.string()).describe('The refunds of the sale that it has'),
  declares_tax: z
    .boolean()
    .describe('False: it lists the sale without its tax, such as a supply that another return taxes'),
  late: z
    .boolean()
    .describe(
      'The return of its days was filed without it: this one corrects that, or is that one and to be amended',
    ),
})

/** A registration whose due dates the calendar does not know. */
export const WithoutDatesAnswer = z.strictObject({
  registration_id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: Scheme.nullable(),
  filing_frequency: FilingFrequency.nullable(),
  message: z.string(),
})

/** How many obligations have each status. */
export const ObligationCounts = z.strictObject({
  open: z.int(),
  due: z.int(),
  overdue: z.int(),
  filed: z.int(),
  set_aside: z.int(),
})

export const ObligationRequest = z
  .strictObject({
    set_aside: text(500)
      .min(1, 'must not be empty')
      .nullish()
      .describe('Why it is not filed here. Null: it is to be filed again'),
    filed: z
      .strictObject({
        day: CalendarDate.describe('The day on which it was filed with the tax office'),
        number: text(100).nullish().describe('The number that the tax office gave'),
      })
      .nullish()
      .describe('Only of a statement: that it was filed. Null: it was not. Returns: `POST /v1/returns`'),
  })
  .refine(({ set_aside, filed }) => (set_aside === undefined) !== (filed === undefined), {
    message: 'must be given: either set_aside or filed',
    path: ['set_aside'],
  })
export type ObligationBody = z.output<typeof ObligationRequest>

/** A filed return that its tax office wants corrected: it lacks entries that were recorded late. */
export const AmendmentDue = z.strictObject({
  id: z.string().describe('The same in every answer'),
  return_id: z.string(),
  type: FilingType,
  jurisdiction_id: z.string().nullable().describe('That of the return; null: it is of no single one'),
  place: z.string().describe('The place that levies the tax'),
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  notice: z.string().describe('The notice that the tax office needs'),
  source: z.string(),
  source_url: z.string().nullable(),
})

export const ObligationAnswer = z.strictObject({ ...Obligation.shape, queried_at: Timestamp })

export const ObligationsAnswer = z.strictObject({
  obligations: z.array(Obligation),
  counts: ObligationCounts.describe(
    'Of all that are due from `from` to `to`, on every page and for any `status`',
  ),
  without_dates: z.array(WithoutDatesAnswer),
  amendments: z
    .array(AmendmentDue)
    .describe(
      'Filed returns that are to be amended, on every page: `POST /v1/returns/:id/reopen`, then file them ' +
        'again. Until then no return declares these late entries',
    ),
  from: z.iso.date().describe('Without `from` in the request: the day on which the books begin, or today'),
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
  url: z
    .string()
    .nullable()
    .describe('The whole address, shown once. Anyone with this link can read the calendar'),
  created_at: Timestamp,
  queried_at: Timestamp,
})

export const CalendarFeedDeleted = z.strictObject({ deleted: z.literal(true), queried_at: Timestamp })
