import { invariant } from '../../engine/ground/invariant.ts'
import { filingTable } from '../filing/filing-table.ts'
import { FILING_TYPES } from '../forms/forms.ts'
import { bzstOssCsv } from './bzst-oss.ts'
import { czOssXml } from './cz-oss-xml.ts'
import { datevCsv } from './datev.ts'
import { deZmCsv, ecSalesList } from './ec-sales-list.ts'
import type { DocumentFormat } from './format.ts'
import { hmrcMtdJson } from './hmrc-mtd.ts'
import { ossXml } from './oss-xml.ts'
import { saftLinesCsv } from './saft-lines.ts'
import type { DOCUMENT_FORMATS } from './schemas.ts'
import { sstSerXml } from './sst-ser-xml.ts'

/** The figures of any return as a table of this service. */
const csv = {
  format: 'csv',
  types: FILING_TYPES,
  needs_lines: false,
  mergeBy: null,
  media_type: 'text/csv',
  extension: 'csv',
  layout: { status: 'own', source: 'This service: docs/returns.md', source_url: null },
  write: ({ figures }) => filingTable(figures),
} as const satisfies DocumentFormat

const FORMATS: readonly DocumentFormat[] = [
  csv,
  bzstOssCsv,
  ossXml,
  hmrcMtdJson,
  ecSalesList,
  deZmCsv,
  saftLinesCsv,
  datevCsv,
  czOssXml,
  sstSerXml,
]

/** The layout of a format. */
export function documentFormatOf(name: (typeof DOCUMENT_FORMATS)[number]): DocumentFormat {
  return invariant(
    FORMATS.find(({ format }) => format === name),
    'each format has a layout',
  )
}
