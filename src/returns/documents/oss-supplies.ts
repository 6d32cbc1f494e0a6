import { placeOfCode } from '../../platform/http/place-name.ts'
import { shareByWeight } from '../../engine/arithmetic/allocation.ts'
import { at } from '../../engine/ground/invariant.ts'
import { MEMBER_STATES, memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import { readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import type { PresentedReturn } from '../filing/present-return.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { type Missing, requireWhole, type ReturnContent } from './format.ts'

/** A supply of a one-stop shop return, from one member state. Amounts in cents, the rate as a fraction. */
export type OssSupply = {
  state: string
  kind: 'goods' | 'services'
  rate: number
  rate_type: 'standard' | 'reduced'
  /** The member state of dispatch or establishment; null: that of identification. */
  from: string | null
  taxable_amount: number
  tax_amount: number
}

/**
 * The supplies of a Union return by the member state from which goods were dispatched, or of the fixed
 * establishment that supplied services (Implementing Regulation (EU) 2020/194, annex III, parts 2a to 2d).
 * Reports in `missing` what portals do not take. A supply without tax is not declared.
 */
export function ossSupplies({ figures, lines }: ReturnContent, missing: Missing): OssSupply[] {
  requireWhole(figures, missing)
  const home = figures.seller.country ?? ''
  if (!MEMBER_STATES.includes(home))
    missing.add('seller.country', 'must be the member state of identification')
  const own = Map.groupBy(
    lines.filter((line) => isOfPeriod(figures, line)),
    keyOfLine,
  )
  return figures.supplies.flatMap((supply) => {
    const { jurisdiction_id, kind, rate, rate_type, taxable_amount, tax_amount } = supply
    if (rate === 0 || (taxable_amount === 0 && tax_amount === 0)) return []
    const name = keyOfSupply(supply)
    if (taxable_amount < 0 || tax_amount < 0)
      missing.add(`supplies.${name}`, 'is negative: record a credit note with credit_note_for')
    if (rate_type === null || rate === null || kind === null) {
      missing.add(`supplies.${name}`, 'has a rate that was not in force: check the tax of these invoices')
      return []
    }
    const whole = { state: jurisdiction_id, kind, rate, rate_type, taxable_amount, tax_amount }
    return byOrigin(whole, own.get(name) ?? [], home, missing, name)
  })
}

/** Shares a supply between the states that it comes from, by their taxable amounts, to the cent. */
function byOrigin(
  whole: Omit<OssSupply, 'from'>,
  lines: readonly LineEntry[],
  home: string,
  missing: Missing,
  name: string,
): OssSupply[] {
  const groups = [...Map.groupBy(lines, (line) => originOf(line) ?? home)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  for (const [country] of groups) {
    if (!MEMBER_STATES.includes(country))
      missing.add(
        `supplies.${name}`,
        `was dispatched from ${placeOfCode(country)}, outside the European Union`,
      )
    if (whole.kind === 'services' && country === whole.state)
      missing.add(
        `supplies.${name}`,
        'was supplied from the state that taxes it: declare it on the domestic return of that state',
      )
  }
  const [only, ...others] = groups
  if (only === undefined) return [{ ...whole, from: null }]
  if (others.length === 0) return [{ ...whole, from: only[0] === home ? null : only[0] }]
  const currencies = new Set(lines.map(({ currency }) => currency))
  const weights = groups.map(([, own]) => own.reduce((sum, line) => sum + line.taxable_amount, 0))
  if (currencies.size > 1 || weights.some((weight) => weight < 0)) {
    missing.add(
      `supplies.${name}`,
      'cannot be shared between its states of origin: several currencies, or more refunds than sales',
    )
    return []
  }
  const [taxable, tax] = [whole.taxable_amount, whole.tax_amount].map((total) =>
    shareByWeight(total, weights),
  )
  return groups.map(([country], index) => ({
    ...whole,
    from: country === home ? null : country,
    taxable_amount: at(taxable ?? [], index),
    tax_amount: at(tax ?? [], index),
  }))
}

/** Lines of one supply, month and state that they come from are needed as one. */
export function keyOfOrigin(line: LineEntry): string {
  const { currency, day, sold_in } = line
  const place = originOf(line) ?? ''
  return [keyOfLine(line), currency, day.slice(0, 7), sold_in, place, isDeemed(line)].join(' ')
}

/** Whether the seller is the marketplace that is deemed to make the sale (2006/112/EC, art. 14a). */
export function isDeemed({ facts }: LineEntry): boolean {
  return readSaleContext(facts).marketplace?.role === 'facilitator'
}

/** Where goods were dispatched, or the fixed establishment of services; null: the seller's own place. */
function originOf({ facts, product_type }: LineEntry): string | null {
  const { ship_from, supplied_from } = readSaleContext(facts)
  return soldKindOf(product_type) === 'goods' ? (ship_from?.country ?? null) : supplied_from
}

/** Lines of earlier periods are corrections, not supplies. */
function isOfPeriod({ from_date, to_date }: PresentedReturn, { day, sold_in }: LineEntry): boolean {
  return from_date <= day && day <= to_date && sold_in >= from_date.slice(0, 7)
}

function keyOfSupply({ jurisdiction_id, kind, rate }: PresentedReturn['supplies'][number]): string {
  return `${jurisdiction_id}.${kind ?? ''}.${rate ?? ''}`
}

function keyOfLine({ place_of_supply, product_type, tax_rate }: LineEntry): string {
  return `${memberStateOf(place_of_supply)}.${soldKindOf(product_type)}.${tax_rate / 1_000_000}`
}

/** A rate as the percentage that portals take: `20.00`. */
export function percentOf(rate: number, separator = '.'): string {
  const hundredths = Math.round(rate * 10_000)
  return `${Math.floor(hundredths / 100)}${separator}${String(hundredths % 100).padStart(2, '0')}`
}
