import * as z from 'zod'
import { CalendarDate, Currency, JurisdictionId, text } from '../../platform/http/fields.ts'
import { cursorField, limitField } from '../../platform/http/page.ts'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { LINE_CURSOR, LineEntryKind } from '../rows/line-schemas.ts'
import type { Form } from './form.ts'
import { FILING_TYPES, FORMS_OF_REGION } from './forms.ts'

export const FIRST_DAY = 'The first day, in the time zone of the account'
export const LAST_DAY = 'The last day, in the time zone of the account'
export const FX_RATES =
  'Exchange rates, such as `USD:1.0812`: USD for one unit of the return currency. ' +
  '`2026-Q2:USD:1.1` is the rate of a corrected period, a month or a day. They replace published rates'

const ONE_RATE = String.raw`(\d{4}(-Q[1-4]|-\d\d(-\d\d)?)?:)?[A-Z]{3}:\d{1,9}(\.\d{1,6})?`

/** `USD:1.0812,2026-Q2:USD:1.1`, in millionths by `USD` and `2026-Q2:USD`. */
export const ExchangeRates = z
  .string()
  .max(2_000)
  .regex(new RegExp(`^${ONE_RATE}(,${ONE_RATE})*$`), 'must be like USD:1.0812,GBP:0.8533 or 2026-Q2:USD:1.1')
  .transform(
    (list) =>
      new Map(
        list.split(',').map((each) => {
          const rate = each.lastIndexOf(':')
          return [each.slice(0, rate), Math.round(Number(each.slice(rate + 1)) * 1_000_000)]
        }),
      ),
  )
  .refine((rates) => [...rates.values()].every((rate) => rate > 0), 'must be above 0')
  .meta({ type: 'string' })

const ONE_BOX = String.raw`[A-Z0-9]{1,4}:-?\d{1,15}`

/** `2:0,4:12345`, in minor units by box. */
const QueryBoxes = z
  .string()
  .max(500)
  .regex(new RegExp(`^${ONE_BOX}(,${ONE_BOX})*$`), 'must be like 2:0,4:12345')
  .transform(
    (list) =>
      new Map(
        list.split(',').map((each) => {
          const [box = '', amount] = each.split(':')
          return [box, Number(amount) + 0]
        }),
      ),
  )
  .meta({ type: 'string' })

export const FilingType = z.enum(FILING_TYPES)

/** `EU: oss_union, oss_non_union, ioss; UK: uk_vat100`, and so on. */
const FORMS_BY_REGION = Object.entries<readonly Form[]>(FORMS_OF_REGION)
  .filter(([, forms]) => forms.length > 0)
  .map(([region, forms]) => `${region}: ${forms.map(({ type }) => `\`${type}\``).join(', ')}`)
  .join('; ')

export const Period = text(16).describe(
  'A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12`',
)

export const FilingQuery = z.strictObject({
  type: FilingType.describe(`The form of the return. ${FORMS_BY_REGION}; for all others \`generic\``),
  period: Period,
  jurisdiction_id: JurisdictionId.optional().describe(
    'For forms of one state: this state. Required for `eu_domestic`. `generic` takes a country ' +
      'whose form is in the data, such as `CH`',
  ),
  fx_rates: ExchangeRates.optional().describe(FX_RATES),
  boxes: QueryBoxes.optional().describe(
    'Amounts of boxes that sales do not determine, such as input tax, in minor units: `2:0,4:12345`',
  ),
})
export type FilingQuery = z.output<typeof FilingQuery>

/** The lines of a figure of a return, or all lines of some days. */
export const lineFilter = {
  from_date: CalendarDate.optional().describe(FIRST_DAY),
  to_date: CalendarDate.optional().describe(LAST_DAY),
  type: FilingType.optional().describe('With `period` and `figure`: the lines of that figure of a return'),
  period: Period.optional(),
  figure: text(160).optional().describe('A figure of the return, as its link names it'),
  fx_rates: ExchangeRates.optional().describe('The exchange rates of the return, if the request gave any'),
  jurisdiction_id: JurisdictionId.optional().describe('Only lines of transactions of this jurisdiction'),
  place_of_supply: JurisdictionId.optional().describe('Only lines taxed there or in a part of it'),
  scheme: z
    .enum([...SCHEMES, 'none'])
    .optional()
    .describe('Only lines declared under this scheme'),
  currency: Currency.optional().describe('Only lines in this currency'),
  transaction_id: text(60).optional().describe('Only the lines of this transaction'),
  entry: LineEntryKind.optional().describe('Only sold lines, or only refunded ones'),
}

export const LinesQuery = z.strictObject({
  ...lineFilter,
  limit: limitField(500, 100),
  cursor: cursorField(LINE_CURSOR),
})
export type LinesQuery = z.output<typeof LinesQuery>
