import { OUR_EXEMPTIONS } from '../../src/interfaces/taxjar/exemption-types.ts'
import { cell, inCell, type Row } from './rows.ts'
import type { ImportedLine } from './sale.ts'

/** Why TaxJar's books have no tax of an order. */
type Stated = { exemption: ImportedLine['exemption'] | null; facilitated: boolean }

/**
 * The exemption of an order: `wholesale` is resale. A marketplace is no exemption: it owes the tax itself.
 * `columns` names those of the place. Throws with the row for a word that TaxJar does not have.
 */
export function exemptionOf(row: Row, columns: { country: string; state: string }): Stated {
  const type = cell(row, 'exemption_type').toLowerCase()
  if (type === '' || type === 'non_exempt') return { exemption: null, facilitated: false }
  if (type === 'marketplace') return { exemption: null, facilitated: true }
  const exemption_type = inCell(row, 'exemption_type', () => ourType(type))
  const country = cell(row, columns.country).toUpperCase()
  const state = cell(row, columns.state).toUpperCase()
  const place = /^[A-Z]{2}$/.test(state) && ['US', 'CA'].includes(country) ? `${country}-${state}` : country
  return { exemption: { exemption_type, jurisdictions: [place] }, facilitated: false }
}

function ourType(type: string): NonNullable<ImportedLine['exemption']>['exemption_type'] {
  if (type !== 'wholesale' && type !== 'government' && type !== 'other')
    throw new Error(`"${type}" is not wholesale, government, other, marketplace or non_exempt`)
  return OUR_EXEMPTIONS[type]
}

/** A line with the exemption of its order, unless it was taxed. */
export function exempted(line: ImportedLine, exemption: ImportedLine['exemption'] | null): ImportedLine {
  return exemption && line.tax_amount === 0 ? { ...line, exemption } : line
}
