import type { Calculation } from '../../sales/calculation/answers.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { heldRateBook } from '../../tax-data/records/current-rate-book.ts'
import { MILLION, multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { federalPartOfHst } from '../../engine/regimes/ca.ts'
import { majorUnits } from './amounts.ts'
import type { TaxOfOrder } from './answers.ts'
import { formOf } from './countries.ts'
import { CANADIAN_NAMES, type FormNames, type NameIn, NATIONAL_NAMES, US_NAMES } from './level-names.ts'

export type CalculatedOrder = Answer<typeof Calculation>
type OrderPart = Pick<
  CalculatedOrder['line_items'][number],
  'taxable_amount' | 'tax_rate' | 'tax_amount' | 'tax_breakdown'
>
type OrderEntry = OrderPart['tax_breakdown'][number]

/** One level of tax on a line or order: amounts in minor units, the rate in millionths. */
type Level = { taxable: number; rate: number; tax: number }

const NO_TAX: Level = { taxable: 0, rate: 0, tax: 0 }

/** The taxes of an order by level. The levels of a line add up to its tax, and lines to the order. */
export function breakdownOf(
  context: Context,
  calculated: CalculatedOrder,
  ids: readonly string[],
  shipping_taxed: boolean,
): NonNullable<TaxOfOrder['breakdown']> {
  const order = { calculated, ids, shipping: shipping_taxed ? calculated.shipping_cost : null }
  switch (formOf(calculated.jurisdiction_id)) {
    case 'us':
      return breakdownIn(US_NAMES, order, usLevels(calculated))
    case 'canadian':
      return breakdownIn(CANADIAN_NAMES, order, canadianLevels(context, calculated))
    default:
      return breakdownIn(NATIONAL_NAMES, order, ({ tax_breakdown }) => ({ country: levelOf(tax_breakdown) }))
  }
}

/** An order, the ids of its lines as they were sent, and its shipping; null: that bears no tax. */
type Order = { calculated: CalculatedOrder; ids: readonly string[]; shipping: OrderPart | null }

type Levels = Readonly<Record<string, Level>>

function breakdownIn<Names extends FormNames>(
  names: Names,
  { calculated, ids, shipping }: Order,
  levelsOf: (part: OrderPart) => Readonly<Record<keyof Names['order'], Level>>,
) {
  const money = (amount: number) => majorUnits(amount, calculated.currency)
  const fieldsOf = <Named extends FormNames['order']>(named: Named, parts: readonly Levels[]) => {
    const fields: Record<string, number> = {}
    for (const [level, [taxable, rate, tax]] of Object.entries(named)) {
      const sum = sumOf(parts.flatMap((levels) => levels[level] ?? []))
      fields[taxable] = money(sum.taxable)
      fields[rate] = fraction(sum.rate)
      fields[tax] = money(sum.tax)
    }
    // The loop has set each name of the table.
    return fields as Record<NameIn<Named>, number>
  }
  const partOf = <Named extends FormNames['order']>(part: OrderPart, named: Named) => ({
    taxable_amount: money(part.taxable_amount),
    tax_collectable: money(part.tax_amount),
    combined_tax_rate: part.tax_rate,
    ...fieldsOf(named, [levelsOf(part)]),
  })
  const line_items = calculated.line_items.map((line, index) => ({
    id: ids[index] ?? '',
    ...partOf<Names['line']>(line, names.line),
  }))
  const parts = shipping === null ? calculated.line_items : [...calculated.line_items, shipping]
  return {
    taxable_amount: money(taxableAmount(calculated)),
    tax_collectable: money(taxWithoutFees(calculated)),
    combined_tax_rate: rateOfOrder(calculated),
    ...fieldsOf<Names['order']>(names.order, parts.map(levelsOf)),
    line_items,
    ...(shipping !== null && { shipping: partOf<Names['shipping']>(shipping, names.shipping) }),
  }
}

/** A tax of the state has the id of the order's place. All parts that are not known are districts. */
function usLevels({ jurisdiction_id, local }: CalculatedOrder) {
  const kinds = new Map<string, string>(local?.parts.map(({ id, type }) => [id, type]))
  kinds.set(jurisdiction_id, 'state')
  return ({ tax_breakdown }: OrderPart) => {
    const of = (kind: string) =>
      levelOf(tax_breakdown.filter(({ jurisdiction_id: id }) => (kinds.get(id) ?? 'district') === kind))
    return { state: of('state'), county: of('county'), city: of('city'), district: of('district') }
  }
}

/** HST counts as the GST and, for the rest, as a tax of the province. */
function canadianLevels(context: Context, { transaction_date }: CalculatedOrder) {
  const book = invariant(heldRateBook(context), 'a calculation leaves the rate book in memory')
  return ({ tax_breakdown }: OrderPart) => {
    const of = (type: OrderEntry['tax_type']) =>
      levelOf(tax_breakdown.filter(({ tax_type }) => tax_type === type))
    const hst = of('HST')
    const rate = federalPartOfHst(book, hst.rate, transaction_date) ?? hst.rate
    const tax = rate === hst.rate ? hst.tax : multiplyAndDivide(hst.taxable, rate, MILLION)
    const rest = { ...hst, rate: hst.rate - rate, tax: hst.tax - tax }
    return {
      gst: sumOf([of('GST'), { ...hst, rate, tax }]),
      pst: sumOf([of('PST'), of('RST'), rest]),
      qst: of('QST'),
    }
  }
}

/** The tax of the lines and the shipping of an order. TaxJar has no field for a fee on the whole order. */
export function taxWithoutFees({ tax_amount, fees }: CalculatedOrder): number {
  return fees.reduce((tax, fee) => tax - fee.tax_amount, tax_amount)
}

/** What of an order is taxed, shipping included, in minor units. */
export function taxableAmount({ line_items, shipping_cost }: CalculatedOrder): number {
  return line_items.reduce((sum, line) => sum + line.taxable_amount, shipping_cost?.taxable_amount ?? 0)
}

/** The rate of all that is taxed, or their average, to five decimals. */
export function rateOfOrder({ tax_rate }: CalculatedOrder): number {
  return Math.round(tax_rate * 100_000) / 100_000
}

/** The taxes of one level on a line. Several districts tax the same amount, and their rates add up. */
function levelOf(entries: readonly OrderEntry[]): Level {
  const [first] = entries
  if (first === undefined) return NO_TAX
  if (entries.length === 1) return levelOfEntry(first)
  const byJurisdiction = Map.groupBy(entries, ({ jurisdiction_id }) => jurisdiction_id)
  const levels = [...byJurisdiction.values()].map(levelOfOne)
  return {
    taxable: levels.reduce((most, { taxable }) => (Math.abs(taxable) > Math.abs(most) ? taxable : most), 0),
    rate: levels.reduce((sum, { rate }) => sum + rate, 0),
    tax: levels.reduce((sum, { tax }) => sum + tax, 0),
  }
}

/** The entries of one jurisdiction: several rates of one tax have their average. */
function levelOfOne(entries: readonly OrderEntry[]): Level {
  const [first] = entries
  if (first === undefined) return NO_TAX
  if (entries.length === 1) return levelOfEntry(first)
  const sum = sumOf(entries.map(levelOfEntry))
  const rate = sum.taxable === 0 ? 0 : multiplyAndDivide(sum.tax, MILLION, Math.abs(sum.taxable))
  return { ...sum, rate: Math.abs(rate) }
}

function levelOfEntry({ taxable_amount, rate, tax_amount }: OrderEntry): Level {
  return { taxable: taxable_amount, rate: Math.round(rate * MILLION), tax: tax_amount }
}

/** The sums of levels of different lines, with their highest rate. */
function sumOf(levels: readonly Level[]): Level {
  let [taxable, rate, tax] = [0, 0, 0]
  for (const level of levels) {
    taxable += level.taxable
    tax += level.tax
    if (level.rate > rate) rate = level.rate
  }
  return { taxable, rate, tax }
}

function fraction(millionths: number): number {
  return millionths / MILLION
}
