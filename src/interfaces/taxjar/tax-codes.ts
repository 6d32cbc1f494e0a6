import { type CodeList, heldCodes, loadCodes } from '../../tax-data/product-codes/held-list.ts'
import { type OwnProduct, productOfCode } from '../../tax-data/product-codes/product-of-code.ts'

/** Reads the tax code of a line. A line without one is goods. */
export type ReadTaxCode = (code: string | null | undefined) => OwnProduct

const GOODS: OwnProduct = { product_type: 'physical_goods' }
const NO_CODES: ReadTaxCode = () => GOODS

type TaxCodeLine = { product_tax_code?: string | null | undefined }

/**
 * Reads tax codes of TaxJar for lines. Lines without codes wait for nothing. A code without a type here is
 * taxed in full, as TaxJar does it.
 */
export function taxCodeReader(lines: readonly TaxCodeLine[]): ReadTaxCode | Promise<ReadTaxCode> {
  if (lines.every(({ product_tax_code }) => !product_tax_code)) return NO_CODES
  const list = heldCodes()
  return list === null ? loadCodes().then(readerOf) : readerOf(list)
}

function readerOf(list: CodeList): ReadTaxCode {
  return (code) => (code ? productOfCode(list, code, 'taxjar') : GOODS)
}
