import { describe, expect, it } from 'vitest'
import { readRecords } from '../../../scripts/country-files.ts'
import { CALENDAR_PERIODS } from '../../../src/platform/kit/calendar.ts'
import { dueReturns, type FilingRegistration } from '../../../src/returns/due/due-returns.ts'
import { filingPlaces } from '../../../src/returns/due/filing-calendar.ts'
import { SCHEMES } from '../../../src/engine/ground/schemes.ts'

const registration = (where: Partial<FilingRegistration>): FilingRegistration => ({
  id: 'reg_1',
  jurisdiction_id: null,
  scheme: null,
  filing_frequency: null,
  valid_from: '2020-01-01',
  valid_to: null,
  ...where,
})

function dates(where: Partial<FilingRegistration>, from: string, to: string, counting = CALENDAR_PERIODS) {
  const { due } = dueReturns([registration(where)], counting, from, to)
  return due.map(({ period, due_date, last_date }) => [period, due_date, last_date])
}

describe('the returns that are due', () => {
  it('moves a day on Friday or Saturday to Sunday in Saudi Arabia', () => {
    expect(dates({ jurisdiction_id: 'SA' }, '2027-01-01', '2027-12-31')).toEqual([
      ['2026-Q4', '2027-01-31', '2027-01-31'],
      ['2027-Q1', '2027-04-30', '2027-05-02'],
      ['2027-Q2', '2027-07-31', '2027-08-01'],
      ['2027-Q3', '2027-10-31', '2027-10-31'],
    ])
  })

  it.each([
    [{ scheme: 'oss_union' }, [['2026-Q4', '2027-01-31', '2027-01-31']]],
    [{ scheme: 'ioss' }, [['2026-12', '2027-01-31', '2027-01-31']]],
    [{ jurisdiction_id: 'US-TX' }, [['2026-12', '2027-01-20', '2027-01-20']]],
    [{ jurisdiction_id: 'US-CA' }, [['2026-Q4', '2027-01-31', '2027-02-01']]],
    [
      { jurisdiction_id: 'US-TX', filing_frequency: 'annual' as const },
      [['2026', '2027-01-20', '2027-01-20']],
    ],
    [{ jurisdiction_id: 'US-MA' }, [['2026-12', '2027-01-30', '2027-01-30']]],
    [{ jurisdiction_id: 'CA' }, []],
    [
      { jurisdiction_id: 'CA', filing_frequency: 'quarterly' as const },
      [['2026-Q4', '2027-01-31', '2027-02-01']],
    ],
    [{ jurisdiction_id: 'AU' }, []],
    [
      { jurisdiction_id: 'AU', filing_frequency: 'monthly' as const },
      [['2026-12', '2027-01-21', '2027-01-21']],
    ],
    [
      { jurisdiction_id: 'NZ', filing_frequency: 'monthly' as const },
      [
        ['2026-11', '2027-01-15', '2027-01-15'],
        ['2026-12', '2027-01-28', '2027-01-28'],
      ],
    ],
    [{ jurisdiction_id: 'DE' }, [['2026-Q4', '2027-01-10', '2027-01-11']]],
    [{ jurisdiction_id: 'FR' }, [['2026-12', '2027-01-15', '2027-01-15']]],
    [{ jurisdiction_id: 'IT' }, []],
    [{ jurisdiction_id: 'ES' }, [['2026-Q4', '2027-01-30', '2027-02-01']]],
    [{ jurisdiction_id: 'NL' }, [['2026-Q4', '2027-01-31', '2027-01-31']]],
    [{ jurisdiction_id: 'AT' }, [['2026-11', '2027-01-15', '2027-01-15']]],
    [{ jurisdiction_id: 'BE' }, [['2026-12', '2027-01-20', '2027-01-20']]],
    [{ jurisdiction_id: 'PL' }, [['2026-12', '2027-01-25', '2027-01-25']]],
    [{ jurisdiction_id: 'US-NJ' }, [['2026-Q4', '2027-01-20', '2027-01-20']]],
    [
      { jurisdiction_id: 'US-OH', filing_frequency: 'six_monthly' as const },
      [['2026-07..2026-12', '2027-01-23', '2027-01-25']],
    ],
    [{ jurisdiction_id: 'US-NY' }, []],
    [{ jurisdiction_id: 'NZ' }, []],
    [
      { jurisdiction_id: 'NZ', filing_frequency: 'two_monthly' as const },
      [['2026-11..2026-12', '2027-01-28', '2027-01-28']],
    ],
    [
      { jurisdiction_id: 'NZ', filing_frequency: 'six_monthly' as const },
      [['2026-07..2026-12', '2027-01-28', '2027-01-28']],
    ],
    [{ jurisdiction_id: 'IE' }, [['2026-11..2026-12', '2027-01-23', '2027-01-23']]],
    [
      { jurisdiction_id: 'IE', filing_frequency: 'six_monthly' as const },
      [['2026-07..2026-12', '2027-01-23', '2027-01-23']],
    ],
    [{ jurisdiction_id: 'IE', filing_frequency: 'annual' as const }, [['2026', '2027-01-23', '2027-01-23']]],
  ])('in January 2027 of %j are %j', (where, expected) => {
    expect(dates(where, '2027-01-01', '2027-01-31')).toEqual(expected)
  })

  it.each([
    [
      { jurisdiction_id: 'AU' },
      '2027-02-01',
      '2027-04-30',
      [
        ['2026-Q4', '2027-02-28', '2027-03-01'],
        ['2027-Q1', '2027-04-28', '2027-04-28'],
      ],
    ],
    [{ jurisdiction_id: 'CA' }, '2027-02-01', '2027-04-30', [['2026', '2027-03-31', '2027-03-31']]],
    [{ jurisdiction_id: 'GB' }, '2027-02-01', '2027-04-30', [['2026-Q4', '2027-02-07', '2027-02-07']]],
    [
      { jurisdiction_id: 'US-NY' },
      '2027-02-01',
      '2027-04-30',
      [['2026-12..2027-02', '2027-03-20', '2027-03-20']],
    ],
    [{ jurisdiction_id: 'US-MA' }, '2027-02-01', '2027-02-28', [['2027-01', '2027-02-28', '2027-02-28']]],
    [
      { jurisdiction_id: 'US-WA', filing_frequency: 'annual' as const },
      '2027-02-01',
      '2027-04-30',
      [['2026', '2027-04-15', '2027-04-15']],
    ],
  ])('of %j from %s to %s', (where, from, to, expected) => {
    expect(dates(where, from, to)).toEqual(expected)
  })

  it.each([
    // Martin Luther King Jr. Day.
    [{ jurisdiction_id: 'US-GA' }, '2025-01-20', '2025-01-21', 'public_holiday'],
    // Friday, two days of Christmas and a Sunday.
    [{ jurisdiction_id: 'PL' }, '2026-12-25', '2026-12-28', 'public_holiday'],
    [{ jurisdiction_id: 'AT' }, '2026-08-15', '2026-08-17', 'public_holiday'],
    [{ jurisdiction_id: 'US-CA' }, '2027-01-31', '2027-02-01', 'weekend'],
    // The one-stop shop moves no day, and of Texas no rule is on file.
    [{ scheme: 'oss_union' }, '2027-01-31', '2027-01-31', 'weekend'],
    [{ jurisdiction_id: 'US-TX' }, '2025-01-20', '2025-01-20', 'public_holiday'],
    [{ jurisdiction_id: 'US-GA' }, '2025-02-20', '2025-02-20', null],
  ])('of %j on %s count until %s, which is %s', (where, due_date, last_date, falls_on) => {
    const { due } = dueReturns([registration(where)], CALENDAR_PERIODS, due_date, due_date)
    expect(due).toMatchObject([{ due_date, last_date, falls_on }])
  })

  it('follow the stagger group of the United Kingdom and the fiscal year of the account', () => {
    const second = { uk_stagger: 2, fiscal_year_start: 7 }
    expect(dates({ jurisdiction_id: 'GB' }, '2027-01-01', '2027-04-30', second)).toEqual([
      ['2026-Q4', '2027-03-07', '2027-03-07'],
    ])
    expect(dates({ scheme: 'oss_union' }, '2027-01-01', '2027-01-31', second)).toHaveLength(1)
    expect(dates({ jurisdiction_id: 'CA' }, '2026-09-01', '2026-09-30', second)).toEqual([
      ['2026', '2026-09-30', '2026-09-30'],
    ])
  })

  it('of New Zealand count from the fiscal year of the account, and those of Ireland do not', () => {
    const april = { uk_stagger: 1, fiscal_year_start: 4 }
    const two = { jurisdiction_id: 'NZ', filing_frequency: 'two_monthly' as const }
    expect(dates(two, '2027-01-01', '2027-06-30', april)).toEqual([
      ['2026-10..2026-11', '2027-01-15', '2027-01-15'],
      ['2026-12..2027-01', '2027-02-28', '2027-03-01'],
      ['2027-02..2027-03', '2027-05-07', '2027-05-07'],
      ['2027-04..2027-05', '2027-06-28', '2027-06-28'],
    ])
    const half = { jurisdiction_id: 'NZ', filing_frequency: 'six_monthly' as const }
    expect(dates(half, '2026-10-01', '2027-05-31', april)).toEqual([
      ['2026-04..2026-09', '2026-10-28', '2026-10-28'],
      ['2026-10..2027-03', '2027-05-07', '2027-05-07'],
    ])
    expect(dates({ jurisdiction_id: 'IE' }, '2027-01-01', '2027-01-31', april)).toEqual([
      ['2026-11..2026-12', '2027-01-23', '2027-01-23'],
    ])
  })

  it('are those of the days of the registration', () => {
    const where = { scheme: 'ioss', valid_from: '2026-02-15', valid_to: '2026-04-01' }
    expect(dates(where, '2026-01-01', '2026-12-31').map(([period]) => period)).toEqual([
      '2026-02',
      '2026-03',
      '2026-04',
    ])
  })

  it('are filed once for a period in which one registration follows another', () => {
    const { due } = dueReturns(
      [
        registration({ id: 'reg_2', jurisdiction_id: 'GB', valid_from: '2026-02-20' }),
        registration({ id: 'reg_1', jurisdiction_id: 'GB', valid_to: '2026-02-10' }),
      ],
      CALENDAR_PERIODS,
      '2026-01-01',
      '2026-09-30',
    )
    expect(due.map(({ registration: { id }, period }) => [id, period])).toEqual([
      ['reg_1', '2025-Q4'],
      ['reg_2', '2026-Q1'],
      ['reg_2', '2026-Q2'],
    ])
  })

  it('come in the order of their days, and name what the calendar does not know', () => {
    const { due, without_dates } = dueReturns(
      [
        registration({ id: 'reg_1', scheme: 'ioss' }),
        registration({ id: 'reg_2', jurisdiction_id: 'US-OH' }),
        registration({ id: 'reg_3', jurisdiction_id: 'SE' }),
        registration({ id: 'reg_4', jurisdiction_id: 'NZ' }),
      ],
      CALENDAR_PERIODS,
      '2027-01-01',
      '2027-02-28',
    )
    expect(due.map(({ registration: { id }, due_date }) => [id, due_date])).toEqual([
      ['reg_2', '2027-01-23'],
      ['reg_1', '2027-01-31'],
      ['reg_2', '2027-02-23'],
      ['reg_1', '2027-02-28'],
    ])
    expect(without_dates.map(({ registration: { id }, place }) => [id, place?.place])).toEqual([
      ['reg_3', undefined],
      ['reg_4', 'NZ'],
    ])
  })
})

describe('the returns of the countries of digital services', () => {
  it.each([
    [
      'KE',
      [
        ['2026-10', '2026-11-20', '2026-11-20'],
        ['2026-11', '2026-12-20', '2026-12-20'],
      ],
    ],
    ['UA', [['2026-Q3', '2026-11-09', '2026-11-09']]],
    ['CL', []],
    // The last working day of the month cannot be earlier than this day.
    [
      'GH',
      [
        ['2026-10', '2026-11-28', '2026-11-28'],
        ['2026-11', '2026-12-29', '2026-12-29'],
      ],
    ],
  ])('%s', (jurisdiction_id, expected) => {
    expect(dates({ jurisdiction_id }, '2026-11-01', '2026-12-31')).toEqual(expected)
  })

  it('say how often a country files if no page names the day', () => {
    const known = registration({ jurisdiction_id: 'MX' })
    const { due, without_dates } = dueReturns([known], CALENDAR_PERIODS, '2026-01-01', '2026-12-31')
    expect(due).toEqual([])
    expect(without_dates).toMatchObject([
      { place: { currency: 'MXN or USD', without_day: { frequency: 'monthly' } } },
    ])
  })
})

describe('the filing calendar', () => {
  const jurisdictions = readRecords('jurisdictions') as { id: string; tax_system: string; type: string }[]

  it('names places that exist, once, and one default frequency at most', () => {
    const ids = new Set([...jurisdictions.map(({ id }) => id), ...SCHEMES])
    const places = filingPlaces()
    expect(places.map(({ place }) => place).filter((place) => !ids.has(place))).toEqual([])
    for (const { place, returns, without_day, source, source_url } of places) {
      const frequencies = returns.map(({ frequency }) => frequency)
      expect(new Set(frequencies).size, place).toBe(frequencies.length)
      const without_default = place === 'NZ' || without_day !== null
      expect(returns.filter(({ is_default }) => is_default).length, place).toBe(without_default ? 0 : 1)
      expect(source, place).not.toBe('')
      expect(new URL(source_url).protocol, place).toBe('https:')
      for (const { day, months_after, exceptions } of returns)
        for (const each of [{ day, months_after }, ...exceptions]) {
          expect(each.day).toBeGreaterThanOrEqual(1)
          expect(each.day).toBeLessThanOrEqual(31)
          expect(each.months_after).toBeGreaterThanOrEqual(1)
          expect(each.months_after).toBeLessThanOrEqual(4)
        }
    }
  })

  it('has every state with a sales tax', () => {
    const known = new Set(filingPlaces().map(({ place }) => place))
    const taxed = jurisdictions.filter(
      ({ id, type, tax_system }) =>
        /^US-[A-Z]{2}$/.test(id) && type !== 'territory' && !['NONE', 'LOCAL_SALES_TAX'].includes(tax_system),
    )
    expect(taxed.length).toBeGreaterThan(40)
    expect(taxed.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([])
  })
})
