import { registrationNumbersOf } from '../../../parties/accounts/registration-numbers.ts'
import type { Context } from '../../../platform/context.ts'
import { at, invariant } from '../../../engine/ground/invariant.ts'
import {
  keptRow,
  keptRows,
  treatmentOfCredit,
  treatmentOfPart,
  unknownTreatment,
  ViewToKeep,
} from './einvoice-of-earlier.ts'
import { type KeptEinvoice, type KeptLine, rowOf } from '../sale/kept-einvoice.ts'
import type { LineRow, RefundPart, StoredTransaction } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import type { SaleToRecord } from './sale-to-record.ts'
import type { Settlement } from '../give-back/settle.ts'

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
  const { assessment, sale, credited } = sold
  const facts = assessment?.einvoice ?? null
  if (credited !== null) return viewOfCredit(credited, sold, own)
  if (facts === null) return null
  const view = new ViewToKeep({
    treatments: facts.treatments,
    numbers: facts.numbers,
    registration_numbers: registrationNumbersOf(principal, sold.sold_by.numbered, facts.numbers, sale.day),
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
      return keptRow(view, adopted(treatmentOfCredit({ kept, lines }, line)), line)
    const treatmentOf = (part: RefundPart) =>
      adopted(
        treatmentOfPart(kept, {
          position: invariant(part.position, 'a part names its line'),
          tax_rate: part.tax_rate,
        }),
      )
    if (line.portions === null) return keptRow(view, treatmentOf(first), line)
    const byRate = Map.groupBy(parts, ({ tax_rate }) => tax_rate)
    return [...byRate.values()].map((ofRate) => {
      const treatment = treatmentOf(at(ofRate, 0))
      const rows = ofRate.map((part) => rowOf(view.treatments, treatment, part))
      return {
        treatment,
        taxable_amount: 0 - rows.reduce((sum, row) => sum + row.taxable_amount, 0),
        tax_amount: 0 - rows.reduce((sum, row) => sum + row.tax_amount, 0),
      }
    })
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
      : keptRow(view, view.adopt(kept, found), at(lines, index))
  })
}
