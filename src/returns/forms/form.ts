import {
  type FilingPeriod,
  type FilingRow,
  type Filled,
  type GivenBoxes,
  type Measure,
  TAX,
} from '../rows/figures.ts'
import type { RateSeriesId } from '../../tax-data/records/published-rates.ts'
import type { RateType } from '../rows/rate-types.ts'

/** A return in its official layout. All functions are pure. */
export type Form = {
  /** The name of the form in requests. */
  type: string
  /** The currency of the form; null: each currency by itself, or the one of the member state. */
  currency: string | null
  periods: readonly FilingPeriod['kind'][]
  /** Which published rates convert other currencies; null: only rates of the request. */
  exchange: ExchangeRule | null
  /**
   * Whether the form can be asked for one jurisdiction. `member_state`: it is of one member state. `country`:
   * it is of one country whose form is on file, or of all sales.
   */
  by_jurisdiction: boolean | 'member_state' | 'country'
  /** Whether the form counts a row. Other rows are not converted to its currency. */
  concerns: (row: FilingRow, seller: FilingSeller, jurisdiction_id: string | null) => boolean
  /** The part of the tax that the form declares: that of another state is not. Left out: all of it. */
  tax?: (row: Parameters<Measure>[0], jurisdiction_id: string | null) => number
  /** The first month of the years of its periods. Left out: that of the account. */
  year_starts_in?: number
  /** The boxes whose amounts the caller may give, because sales do not determine them. */
  given_boxes?: readonly string[]
  /** Whether the return lists the tax of each county, city and district. */
  lists_taxes?: true
  /** The period that a row of an earlier month corrects; null: the form lessens its own supplies. */
  correctionOf: (sold_in: string) => string | null
  /** The jurisdiction that declares a place. */
  stateOf: (place: string) => string
  /** Whether a correction of an earlier period comes too late for the return of a period. */
  expires: (corrected: string, period: FilingPeriod) => boolean
  /**
   * Fills in the form with the rows that concern it, in its currency: its own, and those late entries of
   * filed periods (`corrects`) that its boxes declare.
   */
  fill: (rows: readonly FilingRow[], scope: FilingScope) => Filled
}

/**
 * How a form takes published exchange rates. `period_end`: the rate of the last day of the period that is
 * declared or corrected, or of the next day of publication. `month`: the rate of the month of the sale.
 * `day`: the rate of the day of the sale, or of the last day of publication before it.
 */
export type ExchangeRule = { series: RateSeriesId; at: 'period_end' | 'month' | 'day' }

/** The data of the account that forms use. */
export type FilingSeller = {
  country: string | null
  /** Jurisdictions of the registrations that are valid in the period. */
  registrations: readonly string[]
  /** The name and the VAT id of the account's profile. Absent in returns of earlier releases. */
  name?: string
  vat_id?: string | null
  /** The same registrations with their numbers, by jurisdiction or scheme. */
  numbers?: readonly { id: string; registration_number: string | null }[]
}

export type FilingScope = {
  period: FilingPeriod
  /** Amounts that the caller gave for boxes that sales do not determine, in minor units. */
  boxes: GivenBoxes
  jurisdiction_id: string | null
  seller: FilingSeller
  rateTypeOf: (row: FilingRow) => RateType | null
  /** The standard rate of a place on the first day of the period, in millionths; 0 if it has none. */
  standardRateOf: (place: string) => number
}

/** What a form takes of the tax of a row. */
export function taxMeasureOf({ tax = TAX }: Pick<Form, 'tax'>, jurisdiction_id: string | null): Measure {
  return (row) => tax(row, jurisdiction_id)
}

/** The periods of a form that authorities require every month, quarter or year. */
export const ANY_PERIOD = ['month', 'quarter', 'year', 'months'] as const

/** The rules of a form that lessens its own supplies by refunds of earlier sales. */
export const NETS_REFUNDS = {
  by_jurisdiction: false,
  exchange: null,
  correctionOf: () => null,
  stateOf: (place: string) => place,
  expires: () => false,
} as const satisfies Partial<Form>

/** A voucher for several kinds of supply, and what the seller on the account's marketplace sells itself. */
const NO_SALE_OF_SELLER: ReadonlySet<string> = new Set(['not_a_supply', 'seller_accounts'])

/**
 * Whether a form declares a row. What is no sale of the seller for a tax office is in the list of all sales
 * alone.
 */
export function isDeclared(
  form: Pick<Form, 'type' | 'concerns'>,
  row: FilingRow,
  seller: FilingSeller,
  jurisdiction_id: string | null,
): boolean {
  if (NO_SALE_OF_SELLER.has(row.reason) && form.type !== 'generic') return false
  return form.concerns(row, seller, jurisdiction_id)
}
