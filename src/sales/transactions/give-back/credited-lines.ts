import { fieldError } from '../../../platform/errors.ts'
import { unitsInWords } from '../../../engine/book/money-in-words.ts'
import { productInSentence } from '../../../engine/book/product-types.ts'
import { isSurcharge } from '../../../engine/book/surcharge.ts'
import { at, invariant } from '../../../engine/ground/invariant.ts'
import { mergedLines, type MirroredLine, mirroredParts, taxesOfAll } from './mirrored-lines.ts'
import {
  isWithin,
  MONEY,
  proRata,
  splitFitting,
  splitRefund,
  splitStated,
  sumsOfParts,
} from './refund-split.ts'
import {
  cameBack,
  leftOfLine,
  type LinesLeft,
  remainderOf,
  settledByInWords,
  withoutCredited,
} from './remainder.ts'
import type { KeptCredit, LinePart, LineRow, RefundPart, StoredTax, StoredTransaction } from '../sale/rows.ts'

/** A line of a credit note. `price` is what remains after its discount, negative for a credit. */
export type CreditAsked = Readonly<{
  /** How an error names the line. */
  path: string
  price: number
  inclusive: boolean
  product_type: string
  /** False: it credits what was no supply. Else it credits a supply, if the sale has one that fits. */
  supply?: boolean
  reference: string | null
  /** The tax that the credit note states; null: it is that of the sale. */
  tax_amount: number | null
  /** The credit note is not completed. */
  pending?: boolean
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
 * its amount, else those that bear the same taxes, in their order. A charge takes away a negative line, or
 * what came back before by mistake: a refund that failed, a dispute that was won. Throws invalid_request and
 * refund_exceeds_remaining.
 */
export function creditedLines(
  sale: StoredTransaction,
  asked: readonly CreditAsked[],
): readonly CreditedLine[] {
  const books = booksOf(sale)
  const credits: CreditedLine[] = []
  let { lines: left } = remainderOf(sale)
  for (const line of asked) {
    const from = linesToTake(books, left, line)
    const credited = line.tax_amount === null ? credit(books, from, line) : creditStated(books, from, line)
    credits.push(credited)
    left = withoutCredited(left, credited.parts)
  }
  return credits
}

/** What is left of the lines, or for a charge of which nothing negative is left, what came back of them. */
function linesToTake(books: CreditedBooks, left: LinesLeft, asked: CreditAsked): LinesLeft {
  const has = (line: LineRow) => sumsOfParts(leftOfLine(left, line)).total
  if (asked.price <= 0 || linesNamed(books, asked).some((line) => has(line) < 0)) return left
  if (asked.pending === true || books.has_pending)
    throw fieldError(
      'invalid_request',
      'status',
      'a credit note with a charge, and those before it, must be completed',
    )
  return cameBack(left)
}

/** A credited sale as far as its lines are looked for. */
type CreditedBooks = Readonly<{
  currency: string
  settled: string
  /** A credit note of it is pending. */
  has_pending: boolean
  lines: readonly LineRow[]
  /** By position: the caller's own name for the line. */
  references: ReadonlyMap<number, string | null>
  treatments: ReadonlyMap<LineRow, string>
}>

function booksOf(sale: StoredTransaction): CreditedBooks {
  const { row, lines, notes = [] } = sale
  const facts: { lines?: Record<number, { reference?: string | null }> } = JSON.parse(row.facts)
  const named = lines.map(({ position }) => [position, facts.lines?.[position]?.reference ?? null] as const)
  return {
    currency: row.currency,
    settled: settledByInWords(sale),
    has_pending: notes.some(({ status }) => status === 'pending'),
    lines,
    references: new Map(named),
    treatments: new Map(lines.map((line) => [line, treatmentOf(line)])),
  }
}

/** Throws if no line of the sale matches, or if less is left of it. */
function credit(books: CreditedBooks, left: LinesLeft, asked: CreditAsked): CreditedLine {
  const { path, product_type } = asked
  const named = linesNamed(books, asked)
  if (named.length === 0) {
    const types = [...new Set(books.lines.map((line) => line.product_type))].join(', ')
    const detail = `the credited sale has no line of ${product_type}: it has ${types}`
    throw fieldError('invalid_request', `${path}.product_type`, detail)
  }
  const want = 0 - asked.price
  const meant = suppliesThatFit(left, named, asked) ?? named
  const found = linesOfPrice(books, left, meant, { want, inclusive: asked.inclusive })
  if (want !== 0 && found.length === 0) throw nothingLeft(books, left, asked, named)
  if (!areAlike(books, found)) {
    const detail =
      `the lines of ${productInSentence(product_type)} in the credited sale have different taxes: ` +
      'give the reference or the id of the one that is credited'
    throw fieldError('invalid_request', `${path}.reference`, detail)
  }
  const from = found.length === 0 ? meant.slice(0, 1) : found
  const pieces = piecesOfPrice(left, from, { want, inclusive: asked.inclusive })
  if (pieces === null) throw nothingLeft(books, left, asked, found)
  return mirroredPieces(left, pieces)
}

/** A mirror if the stated tax is that of the sale, to a unit, or is of two taxes. Throws invalid_request. */
function creditStated(books: CreditedBooks, left: LinesLeft, asked: CreditAsked): CreditedLine {
  const tax_amount = 0 - invariant(asked.tax_amount, 'the line states its tax')
  const stated = { tax_amount, net_amount: 0 - asked.price - (asked.inclusive ? tax_amount : 0) }
  const named = linesNamed(books, asked)
  const own =
    piecesOfStated(books, left, named.filter(isSupply), stated) ??
    piecesOfStated(
      books,
      left,
      named.filter((line) => !isSupply(line)),
      stated,
    )
  if (own !== null) return mirroredPieces(left, own)
  const lines = linesOfStated(books, left, named, { ...stated, path: asked.path })
  const parts = splitFitting(leftOfLines(left, lines), stated)
  const byLine = Map.groupBy(parts, ({ position }) => position)
  const mirrors = lines.map((line) => mirroredParts(left, line, byLine.get(line.position) ?? []))
  // The return has the second tax of a line by the rate of both, which is that of the sale.
  if (areAlike(books, lines) && taxesOfAll(mirrors).some(({ tax_type }) => isSurcharge(tax_type)))
    return { mirrored: mergedLines(mirrors), placed: null, parts }
  return { mirrored: null, placed: placeOfStated(mirrors, 0 - tax_amount), parts }
}

type Stated = { net_amount: number; tax_amount: number }

/**
 * The lines that a stated tax is spread over: those that it names if they have enough left, else all. If they
 * are declared in several places, it is those of the place with enough left and the closest tax.
 */
function linesOfStated(
  books: CreditedBooks,
  left: LinesLeft,
  named: readonly LineRow[],
  { path, net_amount, tax_amount }: Stated & Pick<CreditAsked, 'path'>,
): readonly LineRow[] {
  const sumsOf = (lines: readonly LineRow[]) => sumsOfParts(leftOfLines(left, lines))
  const from = named.length > 0 && isWithin(net_amount, sumsOf(named).subtotal) ? named : books.lines
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

/** What a price takes of a line. */
type CreditedPiece = { line: LineRow; parts: readonly RefundPart[] }

/** The pieces whose tax is the stated one; null: it is another one. */
function piecesOfStated(
  books: CreditedBooks,
  left: LinesLeft,
  named: readonly LineRow[],
  { net_amount, tax_amount }: Stated,
): readonly CreditedPiece[] | null {
  const whole = named.find((line) => {
    const sums = sumsOfParts(leftOfLine(left, line))
    return sums.subtotal === net_amount && sums.tax_amount === tax_amount
  })
  if (whole !== undefined) return [{ line: whole, parts: leftOfLine(left, whole) }]
  const price = { want: net_amount, inclusive: false }
  const found = linesOfPrice(books, left, named, price)
  const [first = named[0]] = found
  if (first === undefined || !areAlike(books, found)) return null
  const pieces = piecesOfPrice(left, found.length === 0 ? [first] : found, price)
  if (pieces === null) return null
  const own = sumsOfParts(pieces.flatMap(({ parts }) => parts)).tax_amount
  return own === tax_amount ? pieces : withRounding(left, pieces, tax_amount - own)
}

/** Each piece may have rounded its tax by itself, by a unit; null: the tax is another one. */
function withRounding(
  left: LinesLeft,
  pieces: readonly CreditedPiece[],
  difference: number,
): CreditedPiece[] | null {
  let rest = difference
  const rounded = pieces.map((piece) => {
    const all = leftOfLine(left, piece.line)
    const { subtotal, tax_amount } = sumsOfParts(piece.parts)
    const stated = { net_amount: subtotal, tax_amount: tax_amount + Math.sign(rest) }
    if (rest === 0 || !isWithin(stated.tax_amount, sumsOfParts(all).tax_amount)) return piece
    rest -= Math.sign(rest)
    return { ...piece, parts: splitStated(all, stated) }
  })
  return rest === 0 ? rounded : null
}

function leftOfLines(left: LinesLeft, lines: readonly LineRow[]): RefundPart[] {
  return lines.flatMap((line) => leftOfLine(left, line))
}

/** What is wanted of lines; `inclusive`: with tax. */
type Price = { want: number; inclusive: boolean }

/** What is left of a line, as its credit note counts prices. */
function priceLeft(left: LinesLeft, line: LineRow, inclusive: boolean): number {
  const { total, subtotal } = sumsOfParts(leftOfLine(left, line))
  return inclusive ? total : subtotal
}

/** The lines that the reference names among those of the product type, else all of them. */
function linesNamed({ lines, references }: CreditedBooks, asked: CreditAsked): readonly LineRow[] {
  const { product_type, supply = true, reference } = asked
  const ofType = lines.filter((line) => line.product_type === product_type && (supply || !isSupply(line)))
  if (reference === null) return ofType
  const named = ofType.filter(
    ({ id, position }) => id === reference || references.get(position) === reference,
  )
  return named.length > 0 ? named : ofType
}

function isSupply({ taxability_reason }: LineRow): boolean {
  return taxability_reason !== 'not_a_supply'
}

/** The lines but for those of no supply, if they have enough left for the credit. Null: they have less. */
function suppliesThatFit(
  left: LinesLeft,
  named: readonly LineRow[],
  { price, inclusive }: CreditAsked,
): readonly LineRow[] | null {
  const supplies = named.filter(isSupply)
  const has = supplies
    .map((line) => priceLeft(left, line, inclusive))
    .filter((each) => Math.sign(each) === Math.sign(0 - price))
    .reduce((sum, each) => sum + Math.abs(each), 0)
  return supplies.length > 0 && has >= Math.abs(price) ? supplies : null
}

/** The lines that a price with this sign takes from. One with exactly the price is enough. */
function linesOfPrice(
  books: CreditedBooks,
  left: LinesLeft,
  named: readonly LineRow[],
  { want, inclusive }: Price,
): readonly LineRow[] {
  const exact = named.filter((line) => priceLeft(left, line, inclusive) === want)
  const [first] = exact
  if (first !== undefined && areAlike(books, exact)) return [first]
  if (first !== undefined || want === 0) return exact
  return named.filter((line) => Math.sign(priceLeft(left, line, inclusive)) === Math.sign(want))
}

/** Takes a price from lines, one after the other; null: they have less. */
function piecesOfPrice(
  left: LinesLeft,
  lines: readonly LineRow[],
  { want, inclusive }: Price,
): CreditedPiece[] | null {
  const pieces: CreditedPiece[] = []
  let rest = want
  for (const line of lines) {
    const has = priceLeft(left, line, inclusive)
    const price = Math.abs(rest) < Math.abs(has) ? rest : has
    pieces.push({ line, parts: partsOfPrice(leftOfLine(left, line), { has, price, inclusive }) })
    rest -= price
    if (rest === 0) return pieces
  }
  return null
}

/** The parts of a line that a price takes. All that is left is taken as it is. */
function partsOfPrice(
  left: readonly RefundPart[],
  { has, price, inclusive }: { has: number; price: number; inclusive: boolean },
): readonly RefundPart[] {
  if (price === has) return left
  if (inclusive) return splitRefund(left, 0, price).parts
  const { subtotal, tax_amount } = sumsOfParts(left)
  return splitStated(left, { net_amount: price, tax_amount: proRata(tax_amount, price, subtotal) })
}

function mirroredPieces(left: LinesLeft, pieces: readonly CreditedPiece[]): CreditedLine {
  const mirrors = pieces.map(({ line, parts }) => mirroredParts(left, line, parts))
  return { mirrored: mergedLines(mirrors), placed: null, parts: pieces.flatMap(({ parts }) => parts) }
}

/** Whether the lines bear the same taxes, so that any of them may be credited. */
function areAlike({ treatments }: CreditedBooks, [first, ...others]: readonly LineRow[]): boolean {
  const own = first && treatments.get(first)
  return others.every((line) => treatments.get(line) === own)
}

function nothingLeft(
  { currency, settled, lines: all }: CreditedBooks,
  left: LinesLeft,
  { path, price }: CreditAsked,
  lines: readonly LineRow[],
): Error {
  if (price > 0)
    return fieldError(
      'invalid_request',
      path,
      'is a charge of more than refunds and credit notes took off the sale',
    )
  const totals = lines.map((line) => sumsOfParts(leftOfLine(left, line)).total)
  const most = totals.filter((each) => each > 0).reduce((sum, each) => sum + each, 0)
  const isWhole = all.every((line) => lines.includes(line))
  const of = isWhole ? 'credited sale' : 'lines that it credits'
  return fieldError(
    'refund_exceeds_remaining',
    isWhole ? 'line_items' : path,
    `must be at most ${unitsInWords(most, currency)} with tax, what is left of the ${of}${settled}`,
  )
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
