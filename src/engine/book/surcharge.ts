/** Whether a tax comes on top of the VAT because of a scheme of the customer. */
export function isSurcharge(tax_type: string): boolean {
  return tax_type === 'RECARGO_DE_EQUIVALENCIA'
}
