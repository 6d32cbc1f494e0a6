type Row = {
  category: string | null
  rate_percent: string | null
  exemption_code: string | null
  exemption_text: string | null
  taxable_amount: number
  tax_amount: number
}
type View = { tax_scheme: string | null; breakdown: readonly Row[] }

/** `cac:TaxTotal` of UBL from the view of a sale. `digits`: those of the currency after the point. */
export function taxTotal({ breakdown, tax_scheme }: View, currency: string, digits = 2): string {
  const money = (name: string, units: number) =>
    `<cbc:${name} currencyID="${currency}">${(units / 10 ** digits).toFixed(digits)}</cbc:${name}>`
  const given = (name: string, value: string | null) =>
    value === null
      ? ''
      : `<cbc:${name}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</cbc:${name}>`
  const subtotals = breakdown.map(
    (row) =>
      `<cac:TaxSubtotal>${money('TaxableAmount', row.taxable_amount)}${money('TaxAmount', row.tax_amount)}` +
      `<cac:TaxCategory>${given('ID', row.category)}${given('Percent', row.rate_percent)}` +
      given('TaxExemptionReasonCode', row.exemption_code) +
      given('TaxExemptionReason', row.exemption_text) +
      `<cac:TaxScheme>${given('ID', tax_scheme)}</cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`,
  )
  const sum = breakdown.reduce((total, row) => total + row.tax_amount, 0)
  return `<cac:TaxTotal>${money('TaxAmount', sum)}${subtotals.join('')}</cac:TaxTotal>`
}
