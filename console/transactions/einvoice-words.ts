import type { z } from 'zod'
import type {
  Einvoice,
  EinvoiceBreakdownRow,
  EinvoiceLineRow,
  EinvoiceSellerRegistration,
} from '../../src/calculation/answers.ts'
import { formatMoney } from '../format.ts'
import { withSpaces } from '../words.ts'
import type { Transaction } from './why.tsx'

export type EinvoiceView = z.output<typeof Einvoice>
export type EinvoiceRow = z.output<typeof EinvoiceBreakdownRow>
export type EinvoiceRowOfLine = z.output<typeof EinvoiceLineRow>
export type EinvoiceNumber = z.output<typeof EinvoiceSellerRegistration>

/** The categories of UNCL5305 in words. A standard may have others. */
const CATEGORIES: Readonly<Record<string, string>> = {
  S: 'taxed',
  Z: 'zero rate',
  E: 'exempt',
  AE: 'reverse charge',
  K: 'within the Union',
  G: 'export',
  O: 'outside the scope',
}

/** The category with its meaning, such as `K, within the Union`. */
export function titleOfCategory({ category }: { category: string | null }): string {
  if (category === null) return 'no category'
  const meaning = CATEGORIES[category]
  return meaning === undefined ? category : `${category}, ${meaning}`
}

export function rateInWords({ rate_percent }: { rate_percent: string | null }): string {
  return rate_percent === null ? '–' : `${rate_percent}\u00a0%`
}

/** What the invoice says of its tax, as plain text to be pasted. Only numbers that are printed are in it. */
export function textOfInvoice({ currency }: Transaction, view: EinvoiceView): string {
  const { breakdown, seller_registrations, requires, warnings } = view
  const money = (amount: number) => formatMoney(amount, currency)
  const rows = breakdown.flatMap((row) => {
    const { exemption_code, exemption_text, text_source, taxable_amount, tax_amount } = row
    const sums = `${money(taxable_amount)}, tax ${money(tax_amount)}`
    const rate = row.rate_percent === null ? '' : ` ${row.rate_percent}\u00a0%`
    const mark = text_source === 'unconfirmed' ? ' [unconfirmed]' : ''
    return [
      `${row.category}${rate}: ${sums}`,
      ...(exemption_code === null ? [] : [`  ${exemption_code}`]),
      ...(exemption_text === null ? [] : [`  ${exemption_text}${mark}`]),
    ]
  })
  const numbers = seller_registrations.flatMap(({ printed, registration_number, term }) =>
    printed && registration_number !== null
      ? [`${term === null ? '' : `${term} `}${registration_number}`]
      : [],
  )
  return [
    ...rows,
    ...numbers,
    ...(requires.length === 0 ? [] : [`Also needed: ${requires.map((need) => withSpaces(need)).join(', ')}`]),
    ...warnings.map(({ message }) => `Note: ${message}`),
  ].join('\n')
}
