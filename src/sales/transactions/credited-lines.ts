import { fieldError } from '../../platform/errors.ts'
import { unitsInWords } from '../../engine/book/money-in-words.ts'
import { productInSentence } from '../../engine/book/product-types.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import { type MirroredLine, mirroredLine } from './mirrored-lines.ts'
import {
  isWithin,
  partsLeft,
  partsOfRefund,
  sumsOfParts,
  without,
  withNotesAsRefunds,
} from './refund-lines.ts'
import { MONEY, proRata, splitRefund, splitStated } from './refund-split.ts'
import type { KeptCredit, LinePart, LineRow, RefundPart, StoredTax, StoredTransaction } from './rows.ts'

/** A line of a credit note. `price` is what remains after its discount, negative for a credit. */
export type CreditAsked = Readonly<{
  /** How an error names the line. */
  path: string
  price: number
  inclusive: boolean
  product_type: string
  reference: string | null
  /** The tax that the credit note states; null: it is that of the sale. */
  tax_amount: number | null
}>

/** Where the returns list a line of a credit note that states another tax than its sale. */
type CreditPlace = Pick<MirroredLine, 'place_of_supply' | 'scheme' | 'exemption' | 'tax_breakdown'>

/**
 * What a line of a credit note takes back: its tax, and the parts of lines of the sale. `mirrored` is null if
 * the line states another tax than that of the sale: then `placed` says where that is declared.
 */
export type CreditedLine = Readonly<{
  mirrored: MirroredLine | null
  placed: CreditPlace | null
  parts: readonly RefundPart[]
}>

/**
 * The lines of a credit note as mirrors of lines of its sale: a supply is corrected by its own rates, place
 * and exemptions, whatever is true on the day of the note (2006/112/EC art. 90; UStG § 17; ETA s. 232). A
 * line credits what has its reference or is named by it, else what has its product type: the line of exactly
 * its amount, else those that bear the same taxes, in their order. Throws invalid_request and
 * refund_exceeds_remaining.
 */
export function creditedLines(
  sale: StoredTransaction,
  asked: readonly CreditAsked[],
): readonly CreditedLine[] {
  const books = new LinesLeft(sale)
  return asked.map((line) => (line.tax_amount === null ? books.credit(line) : books.creditStated(line)))
}

/** What the lines of a sale have left, while the lines of a credit note take from it. */
class LinesLeft {
  readonly #currency: string
  readonly #lines: readonly LineRow[]
  readonly #references: ReadonlyMap<number, string | null>
  /** By position. */
  readonly #left: Map<number, RefundPart[]>
  readonly #earlier: Map<number, RefundPart[]>
  readonly #treatments: ReadonlyMap<LineRow, string>

  constructor(sale: StoredTransaction) {
    const { lines = {} }: { lines?: Record<number, { reference?: string | null }> } = JSON.parse(
      sale.row.facts,
    )
    const byLine = (parts: RefundPart[]) =>
      Map.groupBy(parts, ({ position }) => invariant(position, 'a part names its line'))
    this.#currency = sale.row.currency
    this.#lines = sale.lines
    this.#treatments = new Map(sale.lines.map((line) => [line, treatmentOf(line)]))
    this.#references = new Map(
      sale.lines.map(({ position }) => [position, lines[position]?.reference ?? null]),
    )
    this.#left = byLine(partsLeft(sale))
    const { refunds } = withNotesAsRefunds(sale)
    this.#earlier = byLine(refunds.flatMap(partsOfRefund).filter(({ position }) => position !== undefined))
  }

  /** Throws if no line of the sale matches, or if less is left of it. */
  credit(asked: CreditAsked): CreditedLine {
    const { path, product_type } = asked
    const named = this.#linesNamed(asked)
    if (named.length === 0) {
      const types = [...new Set(this.#lines.map((line) => line.product_type))].join(', ')
      const detail = `the credited sale has no line of ${product_type}: it has ${types}`
      throw fieldError('invalid_request', `${path}.product_type`, detail)
    }
    const want = 0 - asked.price
    const found = this.#linesOf(named, asked, want)
    if (want !== 0 && found.length === 0) throw this.#nothingLeft(asked, named)
    if (!this.#areAlike(found)) {
      const detail =
        `the lines of ${productInSentence(product_type)} in the credited sale have different taxes: ` +
        'give the reference or the id of the one that is credited'
      throw fieldError('invalid_request', `${path}.reference`, detail)
    }
    const pieces = this.#take(found.length === 0 ? named.slice(0, 1) : found, asked, want)
    if (pieces === null) throw this.#nothingLeft(asked, found)
    return this.#credited(pieces)
  }

  /** No mirror unless the stated tax is that of the sale, but for the rounding. Throws invalid_request. */
  creditStated(asked: CreditAsked): CreditedLine {
    const tax_amount = 0 - invariant(asked.tax_amount, 'the line states its tax')
    const stated = { tax_amount, net_amount: 0 - asked.price - (asked.inclusive ? tax_amount : 0) }
    const named = this.#linesNamed(asked)
    const own = this.#piecesOfStated(named, stated)
    if (own !== null) return this.#credited(own)
    const lines = this.#linesOfStated(named, asked, stated)
    const parts = splitStated(
      lines.flatMap((line) => this.#leftOf(line)),
      stated,
    )
    const byLine = Map.groupBy(parts, ({ position }) => position)
    const pieces = lines.map((line) => ({ line, parts: byLine.get(line.position) ?? [] }))
    return { mirrored: null, placed: placeOfStated(this.#mirrors(pieces), 0 - tax_amount), parts }
  }

  /**
   * The lines that a stated tax is spread over: those that it names if they have enough left, else all. If
   * they are declared in several places, it is those of the place with enough left and the closest tax.
   */
  #linesOfStated(
    named: readonly LineRow[],
    { path }: CreditAsked,
    { net_amount, tax_amount }: Stated,
  ): readonly LineRow[] {
    const sumsOf = (lines: readonly LineRow[]) => sumsOfParts(lines.flatMap((line) => this.#leftOf(line)))
    const from = named.length > 0 && isWithin(net_amount, sumsOf(named).subtotal) ? named : this.#lines
    const places = [...Map.groupBy(from, declaredIn).values()]
    if (places.length < 2) return from
    const distance = (lines: readonly LineRow[]) => {
      const { subtotal, tax_amount: tax } = sumsOf(lines)
      return Math.abs(proRata(tax, net_amount, subtotal) - tax_amount)
    }
    const [closest] = places
      .filter((lines) => named.length === 0 || lines.some((line) => named.includes(line)))
      .filter((lines) => isWithin(net_amount, sumsOf(lines).subtotal))
      .toSorted((one, other) => distance(one) - distance(other))
    if (closest !== undefined) return closest
    const ids = [...new Set(from.map(({ place_of_supply }) => place_of_supply))].join(', ')
    const detail = `credits lines that are declared in several places, ${ids}: give a line for each of them`
    throw fieldError('invalid_request', `${path}.amount`, detail)
  }

  #piecesOfStated(
    named: readonly LineRow[],
    { net_amount, tax_amount }: Stated,
  ): readonly CreditedPiece[] | null {
    const whole = named.find((line) => {
      const left = sumsOfParts(this.#leftOf(line))
      return left.subtotal === net_amount && left.tax_amount === tax_amount
    })
    if (whole !== undefined) return [{ line: whole, parts: this.#leftOf(whole) }]
    const found = this.#linesOf(named, NET, net_amount)
    const [first = named[0]] = found
    if (first === undefined || !this.#areAlike(found)) return null
    const pieces = this.#take(found.length === 0 ? [first] : found, NET, net_amount)
    const own = pieces?.reduce((sum, { parts }) => sum + sumsOfParts(parts).tax_amount, 0)
    if (own === tax_amount) return pieces
    if (pieces === null || own === undefined) return null
    return this.#withRounding(pieces, tax_amount - own)
  }

  /** Each piece may have rounded its tax by itself, by a unit; null: the tax is another one. */
  #withRounding(pieces: readonly CreditedPiece[], difference: number): CreditedPiece[] | null {
    let rest = difference
    const rounded = pieces.map((piece) => {
      const left = this.#leftOf(piece.line)
      const { subtotal, tax_amount } = sumsOfParts(piece.parts)
      const stated = { net_amount: subtotal, tax_amount: tax_amount + Math.sign(rest) }
      if (rest === 0 || !isWithin(stated.tax_amount, sumsOfParts(left).tax_amount)) return piece
      rest -= Math.sign(rest)
      return { ...piece, parts: splitStated(left, stated) }
    })
    return rest === 0 ? rounded : null
  }

  #leftOf({ position }: LineRow): RefundPart[] {
    return invariant(this.#left.get(position), 'a line of a sale has parts')
  }

  /** What is left of a line, as its credit note counts prices. */
  #priceLeft(line: LineRow, inclusive: boolean): number {
    const { total, subtotal } = sumsOfParts(this.#leftOf(line))
    return inclusive ? total : subtotal
  }

  /** The lines that the reference names among those of the product type, else all of them. */
  #linesNamed({ product_type, reference }: CreditAsked): readonly LineRow[] {
    const ofType = this.#lines.filter((line) => line.product_type === product_type)
    if (reference === null) return ofType
    const named = ofType.filter(
      ({ id, position }) => id === reference || this.#references.get(position) === reference,
    )
    return named.length > 0 ? named : ofType
  }

  /** The lines that a price with this sign takes from. One with exactly the price is enough. */
  #linesOf(
    named: readonly LineRow[],
    { inclusive }: Pick<CreditAsked, 'inclusive'>,
    want: number,
  ): readonly LineRow[] {
    const exact = named.filter((line) => this.#priceLeft(line, inclusive) === want)
    const [first] = exact
    if (first !== undefined && this.#areAlike(exact)) return [first]
    if (first !== undefined || want === 0) return exact
    return named.filter((line) => Math.sign(this.#priceLeft(line, inclusive)) === Math.sign(want))
  }

  /** Takes a price from lines, one after the other; null: they have less. */
  #take(
    lines: readonly LineRow[],
    { inclusive }: Pick<CreditAsked, 'inclusive'>,
    want: number,
  ): CreditedPiece[] | null {
    const pieces: CreditedPiece[] = []
    let rest = want
    for (const line of lines) {
      const has = this.#priceLeft(line, inclusive)
      const price = Math.abs(rest) < Math.abs(has) ? rest : has
      pieces.push({ line, parts: partsOfPrice(this.#leftOf(line), { has, price, inclusive }) })
      rest -= price
      if (rest === 0) return pieces
    }
    return null
  }

  #credited(pieces: readonly CreditedPiece[]): CreditedLine {
    const parts = pieces.flatMap((piece) => piece.parts)
    return { mirrored: mergedLines(this.#mirrors(pieces)), placed: null, parts }
  }

  /** The mirrors of what was taken, which is no longer left. */
  #mirrors(pieces: readonly CreditedPiece[]): MirroredLine[] {
    return pieces.map(({ line, parts }) => {
      const mirror = mergedParts(line, parts, this.#earlier.get(line.position) ?? [])
      this.#takeParts(line, parts)
      return mirror
    })
  }

  #takeParts(line: LineRow, own: readonly RefundPart[]): void {
    if (own.length === 0) return
    const { position } = line
    this.#earlier.set(position, [...(this.#earlier.get(position) ?? []), ...own])
    this.#left.set(position, without(this.#leftOf(line), own))
  }

  /** Whether the lines bear the same taxes, so that any of them may be credited. */
  #areAlike([first, ...others]: readonly LineRow[]): boolean {
    const own = first && this.#treatments.get(first)
    return others.every((line) => this.#treatments.get(line) === own)
  }

  #nothingLeft({ path, price }: CreditAsked, lines: readonly LineRow[]): Error {
    const totals = lines.map((line) => sumsOfParts(this.#leftOf(line)).total)
    const left = totals.filter((each) => each > 0).reduce((sum, each) => sum + each, 0)
    const most = unitsInWords(left, this.#currency)
    const isWhole = this.#lines.every((line) => lines.includes(line))
    const of = isWhole ? 'credited sale' : 'lines that it credits'
    if (price > 0)
      return fieldError(
        'invalid_request',
        path,
        'is a charge, but a credit note only refunds what the sale charged. Credit less instead',
      )
    return fieldError(
      'refund_exceeds_remaining',
      isWhole ? 'line_items' : path,
      `must be at most ${most} with tax, what is left of the ${of}`,
    )
  }
}

const NET = { inclusive: false }

type Stated = { net_amount: number; tax_amount: number }

type CreditedPiece = { line: LineRow; parts: readonly RefundPart[] }

/** The parts of a line that a price takes. All that is left is taken as it is. */
function partsOfPrice(
  left: readonly RefundPart[],
  { has, price, inclusive }: { has: number; price: number; inclusive: boolean },
): readonly RefundPart[] {
  if (price === has) return left
  const sums = sumsOfParts(left)
  if (inclusive) return splitRefund({ ...sums, amount_refunded: 0 }, left, price).parts
  return splitStated(left, { net_amount: price, tax_amount: proRata(sums.tax_amount, price, sums.subtotal) })
}

/** Lines with the same stand in one return. */
function declaredIn({ place_of_supply, scheme }: LineRow): string {
  return `${place_of_supply} ${scheme}`
}

/** The taxes of a stated line are those of what it credits, if that lists them, and add up to its tax. */
function placeOfStated(mirrors: readonly MirroredLine[], tax_amount: number): CreditPlace {
  const { place_of_supply, scheme, exemption } = at(mirrors, 0)
  const taxes = taxesOfAll(mirrors)
  const listed = taxes.reduce((sum, tax) => sum + tax.tax_amount, 0)
  const isListed = listed === mirrors.reduce((sum, mirror) => sum + mirror.tax_amount, 0)
  const [largest] = taxes.toSorted((a, b) => Math.abs(b.tax_amount) - Math.abs(a.tax_amount))
  if (largest !== undefined) largest.tax_amount += tax_amount - listed
  return {
    place_of_supply,
    scheme,
    exemption: mirrors.every((mirror) => mirror.exemption === exemption) ? exemption : '',
    tax_breakdown: isListed ? JSON.stringify(taxes) : '[]',
  }
}

/** What decides the tax of a line: lines with the same can stand for each other. */
function treatmentOf(line: LineRow): string {
  const taxes: StoredTax[] = JSON.parse(line.tax_breakdown)
  const parts: LinePart[] = line.portions === null ? [] : JSON.parse(line.portions)
  const { place_of_supply, scheme, taxable, tax_rate, taxability_reason, exemption } = line
  return JSON.stringify([
    [place_of_supply, scheme, taxable, tax_rate, taxability_reason, exemption],
    taxes.map((tax) => ({ ...tax, taxable_amount: 0, tax_amount: 0 })),
    parts.map(({ tax_rate: rate, reason }) => [rate, reason]),
  ])
}

/** One line for all parts of a line that has several rates. */
function mergedParts(
  line: LineRow,
  parts: readonly RefundPart[],
  earlier: readonly RefundPart[],
): MirroredLine {
  const merged = mergedLines(parts.map((part) => mirroredLine(line, part, earlier)))
  if (line.portions === null) return merged
  const portions = parts.map(({ tax_rate, reason, net_amount, taxable_amount, tax_amount }): LinePart => {
    const [net, taxable, tax] = [net_amount, taxable_amount, tax_amount].map((amount) => 0 - amount)
    return { tax_rate, reason, net_amount: net ?? 0, taxable_amount: taxable ?? 0, tax_amount: tax ?? 0 }
  })
  const { tax_rate, taxability_reason } = line
  return { ...merged, tax_rate, taxability_reason, portions: JSON.stringify(portions) }
}

/** The sum of lines with one treatment. */
function mergedLines(lines: readonly MirroredLine[]): MirroredLine {
  const [first, ...others] = lines
  const merged = { ...invariant(first, 'a credit takes from a line') }
  if (others.length === 0) return merged
  const taxes = taxesOfAll(lines)
  for (const each of others)
    for (const name of [...MONEY, 'uncollected_amount'] as const) merged[name] += each[name]
  return { ...merged, tax_breakdown: JSON.stringify(taxes), portions: mergedPortions(lines) }
}

function taxesOfAll(lines: readonly MirroredLine[]): StoredTax[] {
  const taxes: StoredTax[] = []
  for (const each of lines)
    for (const tax of JSON.parse(each.tax_breakdown) as StoredTax[]) addTax(taxes, tax)
  return taxes
}

function addTax(taxes: StoredTax[], tax: StoredTax): void {
  const same = taxes.find(
    (each) =>
      each.jurisdiction_id === tax.jurisdiction_id &&
      each.tax_type === tax.tax_type &&
      each.levied_as === tax.levied_as &&
      each.rate === tax.rate,
  )
  if (same === undefined) taxes.push({ ...tax })
  else {
    same.taxable_amount += tax.taxable_amount
    same.tax_amount += tax.tax_amount
  }
}

function mergedPortions(lines: readonly MirroredLine[]): string | null {
  const all = lines.map(({ portions }) => (portions === null ? [] : (JSON.parse(portions) as LinePart[])))
  const [first = []] = all
  if (first.length === 0) return null
  const sums = first.map((part) => ({ ...part }))
  for (const parts of all.slice(1))
    parts.forEach((part, index) => {
      const sum = at(sums, index)
      for (const name of ['net_amount', 'taxable_amount', 'tax_amount'] as const) sum[name] += part[name]
    })
  return JSON.stringify(sums)
}

/** What is kept of the lines that a credit note credits: one entry for each part of a line of the sale. */
export function creditsToKeep(parts: readonly RefundPart[]): KeptCredit[] {
  const groups = Map.groupBy(parts, ({ position, portion }) => `${position} ${portion}`)
  return [...groups.values()].map((group): KeptCredit => {
    const { position, portion = 0 } = at(group, 0)
    const [net = 0, taxable = 0, tax = 0, provincial = 0] = MONEY.map((name) =>
      group.reduce((sum, part) => sum + part[name], 0),
    )
    return [invariant(position, 'a part names its line'), portion, net, taxable, tax, provincial]
  })
}
