import { registrationNumbersOf } from '../../parties/accounts/registration-numbers.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { late } from '../../platform/kit/late.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import type { InvoiceDetails, InvoiceRow } from '../../engine/ground/invoice-details.ts'
import type { InvoiceTexts } from '../../engine/einvoice/texts.ts'
import { breakdownOf, emptyView, viewOf } from '../../engine/einvoice/view.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import type { Transaction } from './answers.ts'
import {
  baseOf,
  keptRow,
  keptRows,
  treatmentOfCredit,
  treatmentOfPart,
  unknownTreatment,
  ViewToKeep,
} from './einvoice-of-earlier.ts'
import type { KeptEinvoice, KeptLine } from './kept-einvoice-facts.ts'
import { partsOfRefund } from './refund-lines.ts'
import type { LineRow, RefundPart, RefundRow, StoredTransaction } from './rows.ts'
import { readSaleContext } from './sale-context.ts'
import type { SaleToRecord } from './sale-to-record.ts'
import type { Settlement } from './settle.ts'

type DraftedLines = {
  /** The lines of the supply, as they are recorded. */
  own: readonly LineRow[]
  settlements: readonly Settlement[]
}

/**
 * The view that is kept with a sale. That of a credit note is the view of its sale, and lines that take off
 * what an earlier sale charged have the view of that one. Null: no law on file assessed the sale.
 */
export function keptEinvoiceOf(
  { principal }: Context,
  sold: SaleToRecord,
  { own, settlements }: DraftedLines,
): KeptEinvoice | null {
  const { assessment, body, sale, credited } = sold
  const facts = assessment?.einvoice ?? null
  if (credited !== null) return viewOfCredit(credited, sold, own)
  if (facts === null) return null
  const view = new ViewToKeep({
    treatments: facts.treatments,
    numbers: facts.numbers,
    registration_numbers: registrationNumbersOf(principal, body.seller, facts.numbers, sale.day),
  })
  const lines = own.map((line, position) => {
    const rows = facts.lines[position]
    // A fee is no line of the assessment, and no standard has a category for it.
    if (rows === undefined) return view.add(unknownTreatment(null))
    return agrees(sold, line) ? keptRows(rows, line) : view.add(unknownTreatment('tax_differs'))
  })
  return {
    tax_scheme: facts.tax_scheme,
    country: facts.country,
    lines: [...lines, ...settlements.flatMap((each) => viewOfSettlement(view, each))],
    treatments: view.treatments,
    numbers: view.numbers,
    registration_numbers: view.registration_numbers,
  }
}

/** Whether the recorded tax is the calculated one, and not that of the caller's invoice. */
function agrees({ assessment }: SaleToRecord, { position, net_amount, tax_amount }: LineRow): boolean {
  const assessed = assessment?.lines[position] ?? assessment?.shipping
  return assessed?.net_amount === net_amount && assessed.tax_amount === tax_amount
}

/** A line has the treatment of what it credits, each rate in a row of its own. */
function viewOfCredit(
  { row, lines }: StoredTransaction,
  { credits }: SaleToRecord,
  own: readonly LineRow[],
): KeptEinvoice | null {
  const kept = readSaleContext(row.facts).einvoice ?? null
  if (kept === null) return null
  const view = new ViewToKeep({ treatments: [], numbers: [], registration_numbers: [] })
  const adopted = (found: number | null) =>
    found === null ? view.add(unknownTreatment('credit_unknown')) : view.adopt(kept, found)
  const viewed = own.map((line, position) => {
    const { mirrored = null, parts } = credits[position] ?? { parts: [] }
    const [first] = parts
    if (mirrored === null || first === undefined)
      return keptRow(adopted(treatmentOfCredit({ kept, lines }, line)), line)
    const treatmentOf = (part: RefundPart) =>
      adopted(
        treatmentOfPart(kept, {
          position: invariant(part.position, 'a part names its line'),
          tax_rate: part.tax_rate,
        }),
      )
    if (line.portions === null) return keptRow(treatmentOf(first), line)
    const byRate = Map.groupBy(parts, ({ tax_rate }) => tax_rate)
    return [...byRate.values()].map((ofRate) => ({
      treatment: treatmentOf(at(ofRate, 0)),
      taxable_amount: 0 - ofRate.reduce((sum, part) => sum + baseOf(part), 0),
      tax_amount: 0 - ofRate.reduce((sum, part) => sum + part.tax_amount, 0),
    }))
  })
  const { treatments, numbers, registration_numbers } = view
  const { tax_scheme, country } = kept
  return { tax_scheme, country, lines: viewed, treatments, numbers, registration_numbers }
}

/** Each line of a settlement takes off one part of a line of the settled sale. */
function viewOfSettlement(view: ViewToKeep, { row, lines, settled }: Settlement): KeptLine[] {
  const kept = readSaleContext(settled.row.facts).einvoice ?? null
  const parts: RefundPart[] = JSON.parse(row.parts)
  return parts.map(({ position, tax_rate }, index) => {
    if (kept === null) return view.add(unknownTreatment('not_kept'))
    const named = invariant(position, 'a part names its line')
    const found = treatmentOfPart(kept, { position: named, tax_rate })
    return found === null
      ? view.add(unknownTreatment('not_kept'))
      : keptRow(view.adopt(kept, found), at(lines, index))
  })
}

/** The sentences of all languages, which few requests ask for. */
const invoiceTexts = late(() => import('../calculation/invoice-texts.ts'))

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
    const { position, tax_rate, tax_amount } = part
    const rows = position === undefined ? [] : (lines[position] ?? [])
    const row =
      rows.find(({ treatment }) => (at(treatments, treatment).rate_millionths ?? 0) === tax_rate) ?? rows[0]
    return row === undefined ? [] : [{ ...row, taxable_amount: baseOf(part), tax_amount }]
  })
}
