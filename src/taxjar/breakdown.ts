import type * as z from 'zod'
import type { Calculation } from '../calculation/answers.ts'
import type { Answer } from '../http/answers.ts'
import { multiplyAndDivide } from '../tax/arithmetic/rounding.ts'
import { majorUnits } from './amounts.ts'
import type { Breakdown, TaxOfOrder } from './answers.ts'

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
  calculated: CalculatedOrder,
  ids: readonly string[],
  shipping_taxed: boolean,
): TaxOfOrder['breakdown'] {
  const { currency, shipping_cost } = calculated
  const shipping = shipping_taxed ? shipping_cost : null
  const order = { calculated, ids, shipping, money: (amount: number) => majorUnits(amount, currency) }
  switch (calculated.jurisdiction_id.slice(0, 2)) {
    case 'US':
      return usBreakdown(order)
    case 'CA':
      return canadianBreakdown(order)
    default:
      return nationalBreakdown(order)
  }
}

type Order = {
  calculated: CalculatedOrder
  /** Of the lines, as they were sent. */
  ids: readonly string[]
  /** Null: the shipping bears no tax. */
  shipping: OrderPart | null
  money: (amount: number) => number
}

type UsBreakdown = Extract<z.output<typeof Breakdown>, { state_tax_rate: number }>

function usBreakdown({ calculated, ids, shipping, money }: Order): UsBreakdown {
  const kinds = new Map(calculated.local?.parts.map(({ id, type }) => [id, type]))
  const levelsOf = (line: OrderPart) => {
    const of = (kind: string) =>
      levelOf(line.tax_breakdown.filter(({ jurisdiction_id: id }) => kindOf(id, kinds) === kind))
    return { state: of('state'), county: of('county'), city: of('city'), special: of('district') }
  }
  const fields = (line: OrderPart, { state, county, city }: ReturnType<typeof levelsOf>) => ({
    ...sumsOf(line, money),
    state_taxable_amount: money(state.taxable),
    state_sales_tax_rate: fraction(state.rate),
    state_amount: money(state.tax),
    county_taxable_amount: money(county.taxable),
    county_tax_rate: fraction(county.rate),
    county_amount: money(county.tax),
    city_taxable_amount: money(city.taxable),
    city_tax_rate: fraction(city.rate),
    city_amount: money(city.tax),
  })
  const lines = calculated.line_items.map((line) => ({ line, levels: levelsOf(line) }))
  const shipped = shipping === null ? null : { line: shipping, levels: levelsOf(shipping) }
  const all = [...lines, ...(shipped === null ? [] : [shipped])].map(({ levels }) => levels)
  const [state, county, city, special] = (['state', 'county', 'city', 'special'] as const).map((kind) =>
    sumOf(all.map((levels) => levels[kind])),
  )
  return {
    ...orderSums(calculated, money),
    state_taxable_amount: money(state?.taxable ?? 0),
    state_tax_rate: fraction(state?.rate ?? 0),
    state_tax_collectable: money(state?.tax ?? 0),
    county_taxable_amount: money(county?.taxable ?? 0),
    county_tax_rate: fraction(county?.rate ?? 0),
    county_tax_collectable: money(county?.tax ?? 0),
    city_taxable_amount: money(city?.taxable ?? 0),
    city_tax_rate: fraction(city?.rate ?? 0),
    city_tax_collectable: money(city?.tax ?? 0),
    special_district_taxable_amount: money(special?.taxable ?? 0),
    special_tax_rate: fraction(special?.rate ?? 0),
    special_district_tax_collectable: money(special?.tax ?? 0),
    line_items: lines.map(({ line, levels }, index) => ({
      id: ids[index] ?? '',
      ...fields(line, levels),
      special_district_taxable_amount: money(levels.special.taxable),
      special_tax_rate: fraction(levels.special.rate),
      special_district_amount: money(levels.special.tax),
    })),
    ...(shipped !== null && {
      shipping: {
        ...fields(shipped.line, shipped.levels),
        special_taxable_amount: money(shipped.levels.special.taxable),
        special_tax_rate: fraction(shipped.levels.special.rate),
        special_district_amount: money(shipped.levels.special.tax),
      },
    }),
  }
}

/** A tax of the state has its id; all parts that are not known are districts. */
function kindOf(id: string, kinds: ReadonlyMap<string, string>): string {
  return /^US-[A-Z]{2}$/.test(id) ? 'state' : (kinds.get(id) ?? 'district')
}

/** The federal part of HST, in millionths. The rest is the province's (Excise Tax Act, s. 165(1), (2)). */
const FEDERAL = 50_000

const PROVINCIAL: ReadonlySet<string> = new Set(['PST', 'RST'])

function canadianBreakdown({ calculated, ids, shipping, money }: Order) {
  const levelsOf = (line: OrderPart) => {
    const of = (test: (entry: OrderEntry) => boolean) => levelOf(line.tax_breakdown.filter(test))
    const hst = of(({ tax_type }) => tax_type === 'HST')
    const federal = { ...hst, rate: Math.min(hst.rate, FEDERAL), tax: federalPart(hst) }
    const rest = { ...hst, rate: hst.rate - federal.rate, tax: hst.tax - federal.tax }
    return {
      gst: sumOf([of(({ tax_type }) => tax_type === 'GST'), federal]),
      pst: sumOf([of(({ tax_type }) => PROVINCIAL.has(tax_type)), rest]),
      qst: of(({ tax_type }) => tax_type === 'QST'),
    }
  }
  type Levels = ReturnType<typeof levelsOf>
  const fields = ({ gst, pst, qst }: Levels) => ({
    gst_taxable_amount: money(gst.taxable),
    gst_tax_rate: fraction(gst.rate),
    gst: money(gst.tax),
    pst_taxable_amount: money(pst.taxable),
    pst_tax_rate: fraction(pst.rate),
    pst: money(pst.tax),
    qst_taxable_amount: money(qst.taxable),
    qst_tax_rate: fraction(qst.rate),
    qst: money(qst.tax),
  })
  const lines = calculated.line_items.map((line) => ({ line, levels: levelsOf(line) }))
  const shipped = shipping === null ? null : { line: shipping, levels: levelsOf(shipping) }
  const all = [...lines, ...(shipped === null ? [] : [shipped])].map(({ levels }) => levels)
  const total: Levels = {
    gst: sumOf(all.map(({ gst }) => gst)),
    pst: sumOf(all.map(({ pst }) => pst)),
    qst: sumOf(all.map(({ qst }) => qst)),
  }
  return {
    ...orderSums(calculated, money),
    ...fields(total),
    line_items: lines.map(({ line, levels }, index) => ({
      id: ids[index] ?? '',
      ...sumsOf(line, money),
      ...fields(levels),
    })),
    ...(shipped !== null && {
      shipping: { ...sumsOf(shipped.line, money), ...fields(shipped.levels) },
    }),
  }
}

function federalPart({ taxable, rate, tax }: Level): number {
  return rate <= FEDERAL ? tax : multiplyAndDivide(taxable, FEDERAL, 1_000_000)
}

function nationalBreakdown({ calculated, ids, shipping, money }: Order) {
  const fields = ({ taxable, rate, tax }: Level) => ({
    country_taxable_amount: money(taxable),
    country_tax_rate: fraction(rate),
    country_tax_collectable: money(tax),
  })
  const lines = calculated.line_items.map((line) => ({ line, level: levelOf(line.tax_breakdown) }))
  const shipped = shipping === null ? null : { line: shipping, level: levelOf(shipping.tax_breakdown) }
  const all = [...lines, ...(shipped === null ? [] : [shipped])].map(({ level }) => level)
  return {
    ...orderSums(calculated, money),
    ...fields(sumOf(all)),
    line_items: lines.map(({ line, level }, index) => ({
      id: ids[index] ?? '',
      ...sumsOf(line, money),
      ...fields(level),
    })),
    ...(shipped !== null && { shipping: { ...sumsOf(shipped.line, money), ...fields(shipped.level) } }),
  }
}

function sumsOf({ taxable_amount, tax_amount, tax_rate }: OrderPart, money: Order['money']) {
  return {
    taxable_amount: money(taxable_amount),
    tax_collectable: money(tax_amount),
    combined_tax_rate: tax_rate,
  }
}

function orderSums(calculated: CalculatedOrder, money: Order['money']) {
  const taxable_amount = taxableAmount(calculated)
  return {
    taxable_amount: money(taxable_amount),
    tax_collectable: money(calculated.tax_amount),
    combined_tax_rate: rateOfOrder(calculated),
  }
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
  const rate = sum.taxable === 0 ? 0 : multiplyAndDivide(sum.tax, 1_000_000, Math.abs(sum.taxable))
  return { ...sum, rate: Math.abs(rate) }
}

function levelOfEntry({ taxable_amount, rate, tax_amount }: OrderEntry): Level {
  return { taxable: taxable_amount, rate: Math.round(rate * 1_000_000), tax: tax_amount }
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
  return millionths / 1_000_000
}
