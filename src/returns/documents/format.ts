import type { FieldError } from '../../platform/errors.ts'
import type { PresentedReturn } from '../filing/present-return.ts'
import type { FilingType } from '../forms/forms.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import type { DocumentNumbers } from './document-numbers-store.ts'
import type { DocumentDetails } from './schemas.ts'

/**
 * How sure a layout is. `verified`: the tests compare it with the authority's own schema. `unverified`: it
 * follows documentation, and no official reader has read it. `own`: it is a layout of this service.
 */
const LAYOUTS = ['verified', 'unverified', 'own'] as const

/** The content of a return, open or filed. Amounts in minor units. */
export type ReturnContent = {
  figures: PresentedReturn
  /** The lines that the return declares; empty if the format does not need them. */
  lines: readonly LineEntry[]
  /** Empty if the format does not need them. */
  numbers: DocumentNumbers
  /** Whether the tax office got an earlier version of the return. */
  amends: boolean
}

/** A document for a tax office or an accountant. Pure. */
export type DocumentFormat = {
  format: string
  /** The returns that the layout can say. */
  types: readonly FilingType[]
  needs_lines: boolean
  /** The tax office takes it as the return: it is not written without late entries unless that is meant. */
  is_return?: true
  /** It has the numbers of credit notes and of what they credit; left out: it has not. */
  needs_numbers?: true
  /** Lines with the same key are needed as one, with the sums of their amounts; null: each line by itself. */
  mergeBy: ((line: LineEntry) => string) | null
  media_type: 'text/csv' | 'application/json' | 'application/xml'
  extension: 'csv' | 'json' | 'xml'
  /** How the name of the file begins, if its reader looks for that. */
  name_begins?: string
  layout: { status: (typeof LAYOUTS)[number]; source: string; source_url: string | null }
  /**
   * Writes the file, or its parts one after another if it can be long. If anything is in `missing`
   * afterwards, it is not used.
   */
  write: (
    content: ReturnContent,
    details: DocumentDetails,
    missing: Missing,
  ) => string | Promise<string | Iterator<string>>
  /** What its layout cannot say and is to be entered by hand: a line for each; left out: nothing. */
  beside?: (content: ReturnContent) => string[]
}

/** What a file lacks: the field or the figure, and what to do. */
export type Missing = { errors: FieldError[]; add: (path: string, message: string) => void }

/** An empty list of what a file lacks. */
export function nothingMissing(): Missing {
  const errors: FieldError[] = []
  return { errors, add: (path, message) => errors.push({ path, message }) }
}

/** Minor units of a currency with two digits as `1234.50`, or with another separator. */
export function decimalOf(amount: number, separator = '.'): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}${separator}${digits.slice(-2)}`
}

/** Whole units, half a unit away from zero. */
export function wholeUnits(amount: number): number {
  return Math.sign(amount) * Math.floor((Math.abs(amount) + 50) / 100) + 0
}

/** No file of a return is written before its period has ended. */
export function requireEnded({ period_ended, to_date }: ReturnContent['figures'], missing: Missing): void {
  if (!period_ended) missing.add('period', `ends on ${to_date}: a file is written after its end`)
}

/** What no file of the figures may leave out: the end of the period, and sales without an exchange rate. */
export function requireWhole(figures: ReturnContent['figures'], missing: Missing): void {
  requireEnded(figures, missing)
  for (const { currency } of figures.unconverted)
    missing.add('fx_rates', `needs a rate for ${currency}: the file has to contain all sales`)
}

/** The number of a registration, by jurisdiction or scheme; null if there is none. */
export function registrationNumber({ seller }: ReturnContent['figures'], id: string): string | null {
  return seller.registrations.find((each) => each.id === id)?.registration_number ?? null
}

/** The country code of VAT ids, which calls Greece EL. */
export function vatCountry(country: string): string {
  return country === 'GR' ? 'EL' : country
}

/** A VAT id without blanks, dots, hyphens and the prefix of its country. Some type that of Greece as GR. */
export function withoutPrefix(vat_id: string, country: string): string {
  const plain = vat_id.toUpperCase().replaceAll(/[^A-Z0-9+*]/g, '')
  return plain.startsWith(vatCountry(country)) || plain.startsWith(country) ? plain.slice(2) : plain
}
