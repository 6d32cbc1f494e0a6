import type { Principal } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { registrationNumbersOf } from '../../parties/accounts/registration-numbers.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { invoiceDetailsOf } from '../../engine/einvoice/details-of-sale.ts'
import type { InvoiceDetails } from '../../engine/ground/invoice-details.ts'
import { type SaleView, viewOf } from '../../engine/einvoice/view.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { Calculation } from './answers.ts'
import type { AskedCalculation } from './asked-calculation.ts'
import { TEXTS } from './invoice-texts.ts'

export { invoiceDetailsOf }

/** The view of the invoice of a calculation that asks for it. */
export function viewOfCalculation(
  principal: Principal,
  { currency, seller, einvoice }: AskedCalculation,
  day: string,
  details: InvoiceDetails,
): SaleView {
  return viewOf(details, {
    texts: TEXTS,
    language: einvoice?.language ?? null,
    day,
    digits: minorDigits(currency),
    registration_numbers: registrationNumbersOf(principal, seller, details.numbers, day),
  })
}

/** A calculation with the view of its invoice, and with the rows of each line. */
export function withView(
  answer: Answer<typeof Calculation>,
  { view, lines }: SaleView,
): Answer<typeof Calculation> {
  const { line_items, shipping_cost } = answer
  return {
    ...answer,
    line_items: line_items.map((line, index) => ({ ...line, einvoice: at(lines, index) })),
    shipping_cost:
      shipping_cost === null ? null : { ...shipping_cost, einvoice: at(lines, line_items.length) },
    einvoice: view,
  }
}
