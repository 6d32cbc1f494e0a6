import { OUR_EXEMPTIONS } from '../../src/interfaces/taxjar/exemption-types.ts'
import { cell, inCell, type Row } from './rows.ts'
import type { Columns } from './columns.ts'
import type { ImportedLine, ImportedSale } from './sale.ts'

/** Why TaxJar's books have no tax of an order. */
type Stated = { exemption: ImportedLine['exemption'] | null; facilitated: boolean }

/**
 * The exemption of an order: `wholesale` is resale. A marketplace is no exemption: it owes the tax itself.
 * Throws with the row for a word that TaxJar does not have.
 */
export function exemptionOf(row: Row, { to }: Columns): Stated {
  const type = cell(row, 'exemption_type').toLowerCase()
  if (type === '' || type === 'non_exempt') return { exemption: null, facilitated: false }
  if (type === 'marketplace') return { exemption: null, facilitated: true }
  const exemption_type = inCell(row, 'exemption_type', () => ourType(type))
  const country = cell(row, to[0]).toUpperCase()
  const state = cell(row, to[1]).toUpperCase()
  const place = /^[A-Z]{2}$/.test(state) && ['US', 'CA'].includes(country) ? `${country}-${state}` : country
  return { exemption: { exemption_type, jurisdictions: [place] }, facilitated: false }
}

function ourType(type: string): NonNullable<ImportedLine['exemption']>['exemption_type'] {
  if (type !== 'wholesale' && type !== 'government' && type !== 'other')
    throw new Error(`"${type}" is not wholesale, government, other, marketplace or non_exempt`)
  return OUR_EXEMPTIONS[type]
}

/** What ends a sale of TaxJar: the order that it refunds, and the marketplace that owes its tax. */
export function endOf(
  row: Row,
  { facilitated }: Stated,
): Pick<ImportedSale, 'credit_note_for' | 'marketplace' | 'metadata'> {
  const external_id = cell(row, 'transaction_reference_id')
  const refund = cell(row, 'transaction_type').toLowerCase() === 'refund'
  return {
    ...(refund && external_id !== '' ? { credit_note_for: { external_id } } : {}),
    ...(facilitated ? { marketplace: { role: 'facilitated' } } : {}),
    metadata: { imported_from: 'taxjar' },
  }
}

/** A line with the exemption of its order, unless it was taxed. */
export function exempted(line: ImportedLine, exemption: ImportedLine['exemption'] | null): ImportedLine {
  return exemption && line.tax_amount === 0 ? { ...line, exemption } : line
}
