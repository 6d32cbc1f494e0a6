import type { Importer } from '../sale/sale.ts'

/** What is said of goods from abroad if the seller does not import them. `tax`: the name of the tax. */
export function dueAtBorder(tax: 'VAT' | 'GST', importer: Importer | null): string {
  const unless = importer === null ? ', unless it is the importer' : ''
  return `The goods are imported: ${tax} is due at the border, not charged by the seller${unless}`
}

export const SELLER_IMPORTS = 'The seller imports the goods, so it sells them in the country of arrival'
