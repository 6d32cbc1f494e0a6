/** A stretch of days, both ends included. */
export type Window = { from: string; to: string }

/**
 * The stretches of days in which a threshold measures sales, as they stand on a day, the earliest first.
 * Where there is more than one, passing it in any of them is passing it. Accounting years are taken to be
 * calendar years.
 */
export function windowsOf(measurement_period: string | null, day: string): Window[] {
  const year = Number(day.slice(0, 4))
  const current = { from: `${year}-01-01`, to: day }
  const previous = { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` }
  switch (measurement_period) {
    case 'current_calendar_year':
      return [current]
    case 'previous_calendar_year':
      return [previous]
    case 'trailing_12_months':
    case 'current_or_projected_12_months':
      return [{ from: dayAfter(monthsBefore(day, 12)), to: day }]
    case 'trailing_12_months_tested_quarterly':
    case 'preceding_four_quarters':
      return [endingBefore(quarterStart(day, 0))]
    // New York's sales tax quarters end with February, May, August and November.
    case 'preceding_four_sales_tax_quarters':
      return [endingBefore(quarterStart(day, 2))]
    // Excise Tax Act, s. 148: four quarters together, or the running one alone.
    case 'four_consecutive_quarters':
      return [endingBefore(quarterStart(day, 0)), { from: quarterStart(day, 0), to: day }]
    case '12_months_ending_september_30': {
      const end = day > `${year}-09-30` ? year : year - 1
      return [{ from: `${end - 1}-10-01`, to: `${end}-09-30` }]
    }
    case 'none':
      return [{ from: '0001-01-01', to: day }]
    default:
      return [previous, current]
  }
}

/** The twelve months that end the day before. */
function endingBefore(start: string): Window {
  return { from: monthsBefore(start, 12), to: dayBefore(start) }
}

/**
 * The first day of the quarter that holds the day; quarters begin so many months after January, April, July
 * and October.
 */
function quarterStart(day: string, shift: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - shift
  return firstOf(months - (((months % 3) + 3) % 3) + shift)
}

/** The same day so many months earlier, or the last one of a shorter month. */
function monthsBefore(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count
  const last = dayBefore(firstOf(months + 1))
  const same = `${firstOf(months).slice(0, 8)}${day.slice(8)}`
  return same > last ? last : same
}

function firstOf(months: number): string {
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}
