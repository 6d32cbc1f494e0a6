import { csvOf } from '../../platform/kit/csv.ts'
import { decimalTwins } from '../rows/decimal-twins.ts'
import type { PresentedReturn } from './present-return.ts'

const FILING_COLUMNS = [
  'section',
  'box',
  'name',
  'jurisdiction_id',
  'kind',
  'rate',
  'rate_type',
  'period',
  'currency',
  'gross_sales',
  'exempt_sales',
  'uncollected_sales',
  'taxable_amount',
  'tax_amount',
  'amount',
  'note',
  'level',
  'code',
  'levied_as',
  'office_code',
] as const

/** The figures of a return as a table: a row for each box, supply and correction. */
export function filingTable(filed: PresentedReturn): string {
  const twins = decimalTwins(FILING_COLUMNS)
  const rows = [
    ...filed.boxes.map((each) => ({ section: 'box', currency: filed.currency, ...each })),
    ...filed.supplies.map((each) => ({
      section: 'supply',
      period: filed.period,
      ...each,
      exempt_by_reason: null,
    })),
    ...(filed.jurisdiction_taxes ?? []).map((each) => ({
      section: 'jurisdiction',
      period: filed.period,
      ...each,
    })),
    ...filed.corrections.map((each) => ({ section: 'correction', ...each })),
    ...filed.amendments.map((each) => ({ section: 'amendment', ...each, note: each.notice })),
    ...filed.expired_corrections.map((each) => ({ section: 'expired_correction', ...each })),
  ]
  const read = rows.map((row) => ({ ...row, ...twins.of(row) }))
  return csvOf([...FILING_COLUMNS, ...twins.columns], read, true)
}
