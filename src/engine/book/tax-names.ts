/** `SALES_TAX` as `sales tax`; abbreviations such as `VAT` stay. */
export function taxInWords(tax_type: string): string {
  return tax_type.includes('_') ? tax_type.toLowerCase().replaceAll('_', ' ') : tax_type
}
