import listed from '../../../data/holidays.json' with { type: 'json' }
import statements from '../../../data/statement-calendar.json' with { type: 'json' }
import calendar from '../../../data/filing-calendar.json' with { type: 'json' }
import { COUNTRY_CALENDAR } from './country-calendar.generated.ts'
import { FILING_FREQUENCIES, type Frequency } from '../../platform/kit/calendar.ts'
import { FILING_TYPES, type FilingType } from '../forms/forms.ts'
import { invariant } from '../../engine/ground/invariant.ts'

/** What the law says of a due day on a weekend; null: that is not considered. */
export const WEEKEND_RULES = ['next_business_day', 'not_moved'] as const
type WeekendRule = (typeof WEEKEND_RULES)[number]

/** A day of the month that is some months after the last month of a period, or the last day of that month. */
type DueDay = { months_after: number; day: number }

/** When the returns of one frequency are due. */
export type ReturnRule = DueDay & {
  frequency: Frequency
  /** Whether it applies if the registration names no frequency. */
  is_default: boolean
  /**
   * The month in which the years of the periods begin. 1: as the account counts its quarters and years. Null:
   * all periods count from the first month of the account's fiscal year.
   */
  first_month: number | null
  /** Periods that end in a month, 1 to 12, with a due day of their own. */
  exceptions: readonly (DueDay & { ends_in: number })[]
  notes: string | null
}

/** When the returns of a place or scheme are due, and the source. */
export type FilingPlace = {
  /** The id of a jurisdiction or a scheme, as a registration names it. */
  place: string
  /** The country whose return a scheme files; null: the return is that of the place or scheme itself. */
  jurisdiction_id: string | null
  /** Null: this service has no form for the return. */
  return_type: FilingType | null
  weekend: WeekendRule | null
  /** The days of its weekend, Sunday is 0. */
  rest_days: readonly number[]
  /** Its public holidays, of the years that the data has. A scheme of the European Union has none. */
  holidays: ReadonlySet<string>
  source: string
  source_url: string
  verified_at: string | null
  confidence: string
  /** In which currency it files, as the source says; null: that is not in the data. */
  currency: string | null
  returns: readonly ReturnRule[]
  /** How often it files, if no page says on which day. Null: the days of its returns are known. */
  without_day: { frequency: Frequency; notes: string | null } | null
}

const SATURDAY_AND_SUNDAY = [6, 0]

const HOLIDAYS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  listed.flatMap(({ places, days }) => {
    const set = new Set(days)
    return places.map((place) => [place, set] as const)
  }),
)

const PLACES: ReadonlyMap<string, FilingPlace> = new Map(
  [...calendar, ...COUNTRY_CALENDAR].map((each) => [each.place, placeOf(each)]),
)

type CalendarRecord = (typeof calendar)[number] | (typeof COUNTRY_CALENDAR)[number]

function placeOf(each: CalendarRecord): FilingPlace {
  const rules = each.returns.map((rule) => ({
    ...rule,
    frequency: known(FILING_FREQUENCIES, rule.frequency),
  }))
  return {
    ...each,
    jurisdiction_id: 'jurisdiction_id' in each ? each.jurisdiction_id : null,
    return_type: each.return_type === null ? null : known(FILING_TYPES, each.return_type),
    weekend: each.weekend === null ? null : known(WEEKEND_RULES, each.weekend),
    rest_days: 'rest_days' in each ? each.rest_days : SATURDAY_AND_SUNDAY,
    holidays: HOLIDAYS.get(each.place) ?? new Set<string>(),
    currency: 'currency' in each ? each.currency : null,
    returns: rules.filter(hasDay),
    without_day: rules.find((rule) => !hasDay(rule)) ?? null,
  }
}

/** A rule as it is on file: of some countries, no page names the day. */
type FiledRule = Omit<ReturnRule, 'months_after' | 'day'> & {
  months_after: number | null
  day: number | null
}

function hasDay(rule: FiledRule): rule is ReturnRule {
  return rule.day !== null && rule.months_after !== null
}

function known<Word extends string>(words: readonly Word[], text: string): Word {
  return invariant(
    words.find((word) => word === text),
    `the filing calendar knows ${text}`,
  )
}

/** The calendar of a place or scheme; null: it is not in the data. */
export function filingPlace(id: string): FilingPlace | null {
  return PLACES.get(id) ?? null
}

/** All places of the calendar. */
export function filingPlaces(): FilingPlace[] {
  return [...PLACES.values()]
}

const STATEMENTS: ReadonlyMap<string, FilingPlace> = new Map(
  statements.map((each) => [
    each.place,
    {
      ...each,
      jurisdiction_id: null,
      return_type: 'eu_domestic' as const,
      weekend: each.weekend === null ? null : known(WEEKEND_RULES, each.weekend),
      rest_days: SATURDAY_AND_SUNDAY,
      holidays: HOLIDAYS.get(each.place) ?? new Set<string>(),
      currency: null,
      without_day: null,
      returns: each.returns.map((rule) => ({
        ...rule,
        frequency: known(FILING_FREQUENCIES, rule.frequency),
      })),
    },
  ]),
)

/**
 * When the recapitulative statements of a member state are due (Directive 2006/112/EC, art. 263); null: it is
 * not in the data. The statement has the sales of the state's return.
 */
export function statementPlace(id: string): FilingPlace | null {
  return STATEMENTS.get(id) ?? null
}
