/** A moment at which the tests run. `local`: how clocks in `zone` show it. */
export type TestDay = { what: string; local: string; zone: string; at: Date }

/** The last hour of a day: the tests of a machine with two free cores take ten minutes of it. */
const LATE = 'T23:10'

/**
 * The days after `now` on which tests fail that lean on the clock. At that hour, zones on both sides of UTC
 * have another day than UTC.
 */
export function testDays(now: Date): TestDay[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const day = (of: number, in_month: number, date: number) =>
    new Date(Date.UTC(of, in_month, date)).toISOString().slice(0, 10)
  const tomorrow = day(year, month, now.getUTCDate() + 1)
  return [
    testDay('tomorrow', tomorrow + LATE, 'UTC'),
    testDay('end of a quarter', day(year, Math.floor(month / 3) * 3 + 6, 0) + LATE, 'Pacific/Auckland'),
    testDay('end of a year', day(year + 1, 0, 0) + LATE, 'America/Los_Angeles'),
    testDay('29 February', day(nextLeapYear(year + 1), 1, 29) + LATE, 'Europe/Berlin'),
    testDay('a year later', day(year + 1, month, now.getUTCDate() + 1) + LATE, 'Asia/Kolkata'),
  ]
}

/** The moment at which clocks in `zone` show `local`, such as 2027-12-31T23:59. */
export function testDay(what: string, local: string, zone: string): TestDay {
  const as_utc = new Date(`${local}Z`)
  if (Number.isNaN(as_utc.getTime())) throw new Error(`${local} is no moment such as 2027-12-31T23:59`)
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const ahead_ms = Date.parse(`${shown.format(as_utc).replace(' ', 'T')}Z`) - as_utc.getTime()
  return { what, local, zone, at: new Date(as_utc.getTime() - ahead_ms) }
}

function nextLeapYear(from: number): number {
  return new Date(Date.UTC(from, 1, 29)).getUTCMonth() === 1 ? from : nextLeapYear(from + 1)
}
