import type { InvoiceRow, InvoiceTreatment, SellerNumber } from '../../../engine/ground/invoice-details.ts'
import { at } from '../../../engine/ground/invariant.ts'
import {
  type KeptEinvoice,
  type KeptLine,
  rateOfTreatment,
  type RowAmounts,
  rowOf,
} from '../sale/kept-einvoice.ts'

/** A line of a recorded sale, as far as its view depends on it. The rate is in millionths. */
type LineOfEarlier = { position: number; product_type: string; tax_rate: number }

/** A recorded sale with its view; null: none was kept with it. */
type EarlierSale = { kept: KeptEinvoice | null; lines: readonly LineOfEarlier[] }

type NamedInvoice = Pick<KeptEinvoice, 'treatments' | 'numbers' | 'registration_numbers'>

/** What a line says of which no more is known than why. */
export function unknownTreatment(warning: InvoiceTreatment['warning']): InvoiceTreatment {
  return {
    category: null,
    rate_millionths: null,
    code: null,
    text: null,
    stated_reason: null,
    warning,
    at_origin: null,
    numbers: [],
  }
}

/** The treatments and numbers of a view that is being made, each once. It begins with those of a sale. */
export class ViewToKeep {
  readonly treatments: InvoiceTreatment[]
  readonly numbers: SellerNumber[]
  readonly registration_numbers: (string | null)[]

  constructor({ treatments, numbers, registration_numbers }: NamedInvoice) {
    this.treatments = [...treatments]
    this.numbers = [...numbers]
    this.registration_numbers = [...registration_numbers]
  }

  /** The place of a treatment that has no numbers. */
  add(treatment: InvoiceTreatment): number {
    const key = JSON.stringify(treatment)
    const known = this.treatments.findIndex((each) => JSON.stringify(each) === key)
    return known === -1 ? this.treatments.push(treatment) - 1 : known
  }

  /** The place of a treatment of an earlier sale, with the numbers as they were at that sale. */
  adopt(from: KeptEinvoice, treatment: number): number {
    const said = at(from.treatments, treatment)
    const numbers = said.numbers.map((index) =>
      this.#addNumber(at(from.numbers, index), from.registration_numbers[index] ?? null),
    )
    return this.add({ ...said, numbers })
  }

  #addNumber(number: SellerNumber, registered: string | null): number {
    const key = JSON.stringify(number)
    const known = this.numbers.findIndex(
      (each, index) => this.registration_numbers[index] === registered && JSON.stringify(each) === key,
    )
    if (known !== -1) return known
    this.registration_numbers.push(registered)
    return this.numbers.push(number) - 1
  }
}

/** The treatments of a line of a recorded sale. */
function treatmentsAt({ lines }: KeptEinvoice, position: number): readonly number[] {
  const kept = lines[position] ?? []
  return typeof kept === 'number' ? [kept] : kept.map(({ treatment }) => treatment)
}

/**
 * The treatment of what takes off a part of a known line: that of its rate, in millionths. Null: the line has
 * none.
 */
export function treatmentOfPart(
  kept: KeptEinvoice,
  { position, tax_rate }: { position: number; tax_rate: number },
): number | null {
  const own = treatmentsAt(kept, position)
  const ofRate = own.find((each) => rateOfTreatment(at(kept.treatments, each)) === tax_rate)
  return ofRate ?? own[0] ?? null
}

/**
 * The treatment of what credits a sale without a word on which line: that of the lines of its product and
 * rate, else of its rate, if they have one alone. Null: they have none or several.
 */
export function treatmentOfCredit(
  { kept, lines }: EarlierSale,
  { product_type, tax_rate }: Pick<LineOfEarlier, 'product_type' | 'tax_rate'>,
): number | null {
  if (kept === null) return null
  const ofRate = lines.flatMap((line) =>
    treatmentsAt(kept, line.position).flatMap((treatment) => {
      const said = at(kept.treatments, treatment)
      const rate = said.category === null ? line.tax_rate : rateOfTreatment(said)
      return rate === tax_rate ? [{ treatment, product_type: line.product_type }] : []
    }),
  )
  const ofProduct = ofRate.filter((each) => each.product_type === product_type)
  const found = new Set((ofProduct.length > 0 ? ofProduct : ofRate).map(({ treatment }) => treatment))
  const [only] = found
  return found.size === 1 ? (only ?? null) : null
}

/** A line of one treatment. */
export function keptRow({ treatments }: ViewToKeep, treatment: number, line: RowAmounts): KeptLine {
  return keptRows([rowOf(treatments, treatment, line)], line)
}

/** The rows of a line. A single row with the amounts of its line is the place of its treatment. */
export function keptRows(rows: readonly InvoiceRow[], line: RowAmounts): KeptLine {
  const [first] = rows
  const whole = first?.taxable_amount === line.net_amount && first.tax_amount === line.tax_amount
  return rows.length === 1 && first !== undefined && whole ? first.treatment : [...rows]
}
