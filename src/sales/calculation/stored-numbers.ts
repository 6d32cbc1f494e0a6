import type * as z from 'zod'
import { registrationNumbersOf } from '../../parties/accounts/registration-numbers.ts'
import type { SellerRequest } from '../../parties/accounts/seller-field.ts'
import type { Principal } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { ChargedNumber } from '../../engine/found/assessment.ts'
import { chargedNumbersOf } from '../../engine/einvoice/seller-numbers.ts'
import type { SellerNumber } from '../../engine/ground/invoice-details.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { SchemeId } from '../../engine/ground/schemes.ts'
import type { Calculation } from './answers.ts'
import { type ChargedUnder, numberOfLine, type TaxEntry, type TaxUnder, withNumber } from './charged-under.ts'

export { chargedNumbersOf }

/** The numbers of registrations; null: none is on file. */
export type NumbersOnFile = (numbers: readonly SellerNumber[]) => readonly (string | null)[]

/** Under which registrations the taxes of each line are charged, by the numbers on file. */
export function taxesUnder(
  charged: readonly (readonly ChargedNumber[])[],
  onFile: NumbersOnFile,
): TaxUnder[][] {
  return charged.map((taxes) => {
    const numbers = onFile(taxes.map(({ number }) => number))
    return taxes.map(({ number: { scheme, printed }, ...tax }, index) => ({
      ...tax,
      under: underOf(scheme, printed, numbers[index] ?? null),
    }))
  })
}

function underOf(scheme: SchemeId | null, printed: boolean, number: string | null): ChargedUnder {
  const named = scheme === null ? {} : { scheme }
  if (!printed) return { ...named, registration_printed: false }
  return number === null ? {} : { registration_number: number, ...named }
}

/** A calculation of a seller with the numbers under which its taxes are charged. */
export function withNumbers(
  principal: Principal,
  seller: z.output<typeof SellerRequest> | undefined,
  charged: readonly (readonly ChargedNumber[])[],
  answer: Answer<typeof Calculation>,
): Answer<typeof Calculation> {
  const taxes = taxesUnder(charged, (numbers) =>
    registrationNumbersOf(principal, seller, numbers, answer.transaction_date),
  )
  const { line_items, shipping_cost, tax_breakdown } = answer
  const numbered = <Line extends { tax_breakdown: readonly TaxEntry[] }>(line: Line, index: number) => {
    const entries = line.tax_breakdown.map((entry) => withNumber(entry, at(taxes, index)))
    return { ...line, ...numberOfLine(entries), tax_breakdown: entries }
  }
  return {
    ...answer,
    line_items: line_items.map(numbered),
    shipping_cost: shipping_cost === null ? null : numbered(shipping_cost, line_items.length),
    tax_breakdown: tax_breakdown.map((entry) => withNumber(entry, taxes.flat())),
  }
}
