import type { Operation } from '../openapi/types.ts'

const QUARTER = { from_date: '2026-07-01', to_date: '2026-09-30' }
const RETURN = { type: 'oss_union', period: '2026-Q3' }

/** What the sample of an operation asks for, where a call without a query would be refused. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getRates: { jurisdiction: 'FR' },
  getSummaryReport: QUARTER,
  listReportedTransactions: QUARTER,
  listReportedLines: QUARTER,
  listOssRecords: { scheme: 'oss_union', ...QUARTER },
  getFilingReport: RETURN,
  downloadFilingFile: { ...RETURN, format: 'csv' },
  exportReport: { report: 'transactions', ...QUARTER },
  downloadReturnFile: { format: 'csv' },
  checkVatIdFormat: { vat_id: 'DE136695976' },
  checkExemption: { jurisdiction_id: 'US-CA' },
}

/** Parts of a path that need no id of the reader's own. */
const PLACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getJurisdiction: { id: 'FR' },
  listJurisdictionRates: { id: 'FR' },
  listRegions: { country: 'US' },
}

/** The query of an operation's samples; empty: none. */
export function sampleQuery({ operationId }: Operation): Readonly<Record<string, string>> {
  return QUERIES[operationId] ?? {}
}

/** The value of a part of the path; null: the reader sets the variable with its name in capitals. */
export function sampleOfPath({ operationId }: Operation, name: string): string | null {
  return PLACES[operationId]?.[name] ?? null
}
