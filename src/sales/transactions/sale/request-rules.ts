/** The rules of a recorded sale and a refund that are functions. They need no zod: see field-rules.ts. */

/** Whether exactly one of the fields is given. */
export function isOneGiven(named: object): boolean {
  return Object.values(named).filter((value) => value !== undefined).length === 1
}

export function isOneSaleNamed(sale: { transaction_id?: unknown; external_id?: unknown }): boolean {
  return (sale.transaction_id === undefined) !== (sale.external_id === undefined)
}

export function isOneLineNamed(line: { id?: unknown; reference?: unknown }): boolean {
  return (line.id === undefined) !== (line.reference === undefined)
}

export function hasAmountOrQuantity(line: { amount?: unknown; quantity?: unknown }): boolean {
  return line.amount === undefined || line.quantity === undefined
}

export function hasAmountWithTax(line: { amount?: unknown; tax_amount?: unknown }): boolean {
  return line.tax_amount === undefined || line.amount !== undefined
}
