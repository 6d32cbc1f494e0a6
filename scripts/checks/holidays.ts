import Holidays from 'date-holidays'
import { COUNTRY_CODES } from '../../src/engine/book/country-codes.generated.ts'
import { filingPlaces } from '../../src/returns/due/filing-calendar.ts'

/** The years whose holidays are shipped: earlier returns are overdue by any count. */
const [FIRST_YEAR, LAST_YEAR] = [2024, 2031]

/** Days that follow the sight of the moon are only known when they are announced. */
const ANNOUNCED = /Muharram|Safar|Rabi|Jumada|Rajab|Shaban|Ramadan|Shawwal|Dhu/

/** Places whose office is that of a state of the United States, by the id of a scheme. */
const STATE_OF: Readonly<Record<string, string>> = {
  al_ssut: 'US-AL',
  co_retail_delivery_fee: 'US-CO',
  mn_retail_delivery_fee: 'US-MN',
}

/** A country of data/countries is one file, so its holidays are not shipped, and its days move too little. */
const IN_FILES: ReadonlySet<string> = new Set(COUNTRY_CODES)

/** The public holidays of some places, of all years in their order. */
type HolidaysOfPlaces = { places: string[]; days: string[] }

/**
 * The public holidays of the places of the filing calendar, from the library date-holidays: days on which the
 * whole country rests. Of a state or province only those that it keeps too. A day that a state alone keeps is
 * left out, so a due day is moved too little rather than too far.
 */
export function holidaysOf(): HolidaysOfPlaces[] {
  const groups = new Map<string, HolidaysOfPlaces>()
  for (const { place, jurisdiction_id } of filingPlaces().filter(({ place: id }) => !IN_FILES.has(id))) {
    const office = STATE_OF[place] ?? jurisdiction_id ?? place
    const [country = '', region] = office.split('-')
    if (!/^[A-Z]{2}$/.test(country)) continue
    const days = daysOf(country, region)
    const key = days.join(' ')
    const group = groups.get(key) ?? { places: [], days }
    group.places.push(place)
    groups.set(key, group)
  }
  return [...groups.values()].filter(({ days }) => days.length > 0)
}

function daysOf(country: string, region: string | undefined): string[] {
  const whole = publicDays(new Holidays(country))
  const own = region === undefined ? whole : publicDays(new Holidays(country, region))
  return whole.filter((day) => own.includes(day))
}

function publicDays(calendar: Holidays): string[] {
  const days: string[] = []
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
    for (const { date, type, rule } of calendar.getHolidays(year))
      if (type === 'public' && !ANNOUNCED.test(rule)) days.push(date.slice(0, 10))
  return [...new Set(days)].toSorted()
}
