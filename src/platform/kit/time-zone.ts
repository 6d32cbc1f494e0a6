import { dayAfter, dayOf } from './calendar.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether the runtime knows the IANA time zone, e.g. `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return /^(UTC|[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/.test(name)
  } catch {
    return false
  }
}

/** The local day `YYYY-MM-DD` of a moment. Days before the year 1 are days in UTC. */
export function dayIn(zone: string, moment: Date): string {
  if (zone === 'UTC' || moment.getUTCFullYear() < 1) return dayOf(moment)
  const [month = '', day = '', year = ''] = formatOf(zone).format(moment).split('/')
  return `${year.padStart(4, '0')}-${month}-${day}`
}

/** The clocks of all zones differ from UTC by multiples of a quarter of an hour. */
const QUARTER_MS = 900_000
const todays = new Map<string, { quarter: number; day: string }>()

/** The local day of the present moment. Kept for a quarter of an hour, because each calculation asks. */
export function todayIn(zone: string, now: Date): string {
  const quarter = Math.floor(now.getTime() / QUARTER_MS)
  const known = todays.get(zone)
  if (known?.quarter === quarter) return known.day
  const day = dayIn(zone, now)
  todays.set(zone, { quarter, day })
  return day
}

/** The first moment of a local day, as a timestamp in UTC. A change of the clock may skip midnight. */
export function startOfDay(zone: string, day: string): string {
  const midnight = `${day}T00:00:00.000Z`
  const utc = Date.parse(midnight)
  if (zone === 'UTC' || day < '0001-01-03') return midnight
  // Local midnight is at most 15 hours from midnight in UTC. The local day never decreases between the two.
  let before = utc - 15 * HOUR_MS
  let after = utc + 15 * HOUR_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayIn(zone, new Date(middle)) < day) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}

/** The moment after the last one of a local day. It sorts after every timestamp of the last day of all. */
export function endOfDay(zone: string, day: string): string {
  return day === '9999-12-31' ? '~' : startOfDay(zone, dayAfter(day))
}

/** The moment of a date, which means the start of that local day, or of a timestamp with a zone. */
export function momentIn(zone: string, text: string): string {
  return text.length === 10 ? startOfDay(zone, text) : new Date(text).toISOString()
}

const HOUR_MS = 3_600_000

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(zone, format)
  return format
}

/** Countries and regions that have one time zone (IANA, file zone.tab). */
const SINGLE_ZONES: Readonly<Record<string, string>> = {
  AT: 'Europe/Vienna',
  BE: 'Europe/Brussels',
  BG: 'Europe/Sofia',
  CZ: 'Europe/Prague',
  DE: 'Europe/Berlin',
  DK: 'Europe/Copenhagen',
  EE: 'Europe/Tallinn',
  FI: 'Europe/Helsinki',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  GR: 'Europe/Athens',
  HR: 'Europe/Zagreb',
  HU: 'Europe/Budapest',
  IE: 'Europe/Dublin',
  IT: 'Europe/Rome',
  LT: 'Europe/Vilnius',
  LU: 'Europe/Luxembourg',
  LV: 'Europe/Riga',
  MT: 'Europe/Malta',
  NL: 'Europe/Amsterdam',
  PL: 'Europe/Warsaw',
  RO: 'Europe/Bucharest',
  SE: 'Europe/Stockholm',
  SI: 'Europe/Ljubljana',
  SK: 'Europe/Bratislava',
  CH: 'Europe/Zurich',
  NO: 'Europe/Oslo',
  'AU-ACT': 'Australia/Sydney',
  'AU-NT': 'Australia/Darwin',
  'AU-QLD': 'Australia/Brisbane',
  'AU-SA': 'Australia/Adelaide',
  'AU-TAS': 'Australia/Hobart',
  'AU-VIC': 'Australia/Melbourne',
  'CA-AB': 'America/Edmonton',
  'CA-MB': 'America/Winnipeg',
  'CA-NB': 'America/Moncton',
  'CA-NS': 'America/Halifax',
  'CA-PE': 'America/Halifax',
  'CA-SK': 'America/Regina',
  'CA-YT': 'America/Whitehorse',
  ...zonesOf('America/New_York', 'US', 'CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
  ...zonesOf('America/Chicago', 'US', 'AL AR IA IL LA MN MO MS OK WI'),
  ...zonesOf('America/Denver', 'US', 'CO MT NM UT WY'),
  ...zonesOf('America/Los_Angeles', 'US', 'CA WA'),
  'US-HI': 'Pacific/Honolulu',
}

function zonesOf(zone: string, country: string, regions: string): Record<string, string> {
  return Object.fromEntries(regions.split(' ').map((region) => [`${country}-${region}`, zone]))
}

/**
 * Whether an account still has days in UTC because its place has several time zones, or one that is not on
 * file. Its returns depend on the choice.
 */
export function lacksTimeZone(
  zone: string,
  place: { country: string | null; region: string | null } | null,
): boolean {
  if (place === null || place.country === null || zone !== 'UTC') return false
  return zoneOfPlace(place.country, place.region) === 'UTC'
}

/** The time zone of a place, if its country or region has one zone, else UTC. */
export function zoneOfPlace(country: string | null, region: string | null): string {
  if (country === null) return 'UTC'
  return SINGLE_ZONES[country] ?? SINGLE_ZONES[`${country}-${region ?? ''}`] ?? 'UTC'
}
