/** A fraction such as `0.0975` or `9.7500000000000003E-2` as millionths; null: it is no rate. */
export function fraction(text: string): number | null {
  if (!/^\d?\.?\d+(?:E-\d{1,2})?$/i.test(text.trim())) return null
  return bounded(Number(text) * 1_000_000)
}

/** A percentage such as `2.5000` as millionths; null: it is no rate. */
export function percentInMillionths(text: string): number | null {
  if (!/^\d{0,2}(?:\.\d+)?%?$/.test(text.trim()) || !/\d/.test(text)) return null
  return bounded(Number(text.trim().replace('%', '')) * 10_000)
}

/** Rates have at most six digits behind the point. */
function bounded(value: number): number | null {
  const rate = Math.round(value)
  return Math.abs(value - rate) < 0.01 && rate <= 135_000 ? rate : null
}

/** `1/01/2026 0:00`, `2026-04-01T00:00:00`, `2026/04/01`, `20260901` or milliseconds as a day; else null. */
export function dayOfText(text: string): string | null {
  const given = text.trim()
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(given)
  if (us !== null) return `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}`
  const iso = /^(\d{4})[-/](\d{2})[-/](\d{2})/.exec(given) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(given)
  if (iso !== null) return `${iso[1]}-${iso[2]}-${iso[3]}`
  return /^\d{12,13}$/.test(given) ? new Date(Number(given)).toISOString().slice(0, 10) : null
}
