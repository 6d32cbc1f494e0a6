import type { Answer } from '../../../platform/http/answers.ts'
import { late } from '../../../platform/kit/late.ts'
import { minorDigits } from '../../../engine/book/minor-digits.ts'
import type { InvoiceDetails, InvoiceRow } from '../../../engine/ground/invoice-details.ts'
import type { InvoiceTexts } from '../../../engine/einvoice/texts.ts'
import { breakdownOf, emptyView, viewOf } from '../../../engine/einvoice/view.ts'
import { at } from '../../../engine/ground/invariant.ts'
import type { Transaction } from '../sale/answers.ts'
import { type KeptEinvoice, rateOfTreatment, rowOf } from '../sale/kept-einvoice.ts'
import { partsOfRefund } from '../sale/line-parts.ts'
import type { LineRow, RefundRow, StoredTransaction } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'

/** The sentences of all languages, which few requests ask for. */
const invoiceTexts = late(() => import('../../calculation/invoice-texts.ts'))

/** A transaction with the view of its invoice in a language; null: that of the law. */
export async function withEinvoice(
  stored: StoredTransaction,
  answer: Answer<typeof Transaction>,
  language: string | null,
): Promise<Answer<typeof Transaction>> {
  const { TEXTS } = await invoiceTexts.load()
  return withEinvoiceIn(TEXTS, stored, answer, language)
}

function withEinvoiceIn(
  texts: InvoiceTexts,
  { row, lines, refunds }: StoredTransaction,
  answer: Answer<typeof Transaction>,
  language: string | null,
): Answer<typeof Transaction> {
  const kept = readSaleContext(row.facts).einvoice ?? null
  if (kept === null) return { ...answer, einvoice: emptyView(language) }
  const { registration_numbers, ...rest } = kept
  const facts = { ...rest, lines: lines.map((line) => rowsOfLine(kept, line)) }
  const shown = viewOf(facts, {
    texts,
    language,
    day: row.credited_day ?? row.day,
    digits: minorDigits(row.currency),
    registration_numbers,
  })
  const ofRefunds = refunds.map((refund) => breakdownOf(rowsOfRefund(facts, refund), shown.treatments))
  const shownRefunds = answer.refunds.map((refund, index) => ({ ...refund, einvoice: at(ofRefunds, index) }))
  const latest = shownRefunds.at(-1)
  return {
    ...answer,
    line_items: answer.line_items.map((line, index) => ({ ...line, einvoice: at(shown.lines, index) })),
    refunds: shownRefunds,
    ...(latest !== undefined && { refund: latest }),
    einvoice: shown.view,
  }
}

/** The rows of a line: a kept place alone has the amounts of the line. */
function rowsOfLine({ lines }: KeptEinvoice, line: LineRow): readonly InvoiceRow[] {
  const kept = lines[line.position]
  if (typeof kept !== 'number') return kept ?? []
  return [{ treatment: kept, taxable_amount: line.net_amount, tax_amount: line.tax_amount }]
}

/** What a refund gives back, by the rows of its lines: a part belongs to the row of its rate. */
function rowsOfRefund({ lines, treatments }: InvoiceDetails, refund: RefundRow): InvoiceRow[] {
  return partsOfRefund(refund).flatMap((part) => {
    const { position, tax_rate } = part
    const rows = position === undefined ? [] : (lines[position] ?? [])
    const row =
      rows.find(({ treatment }) => rateOfTreatment(at(treatments, treatment)) === tax_rate) ?? rows[0]
    return row === undefined ? [] : [rowOf(treatments, row.treatment, part)]
  })
}
