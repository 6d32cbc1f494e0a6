import type { RefundLineRequest, RefundRequest, Transaction } from '../schema.ts'
import { cutText } from './text.ts'

/** What a refund of a shop gives back of one line. Without a quantity: all pieces. */
export type ShopRefundLine = { shop_line: string; quantity?: number }

/**
 * A refund as a shop knows it: an amount with tax, and what it is for. `shop_lines` names lines by the ids in
 * the sale. Without lines and shipping, the amount is shared over all lines, and the reason says so.
 */
export type ShopRefund = {
  external_id: string
  amount: number
  reason: string
  refunded_at?: string | null
  shop_lines: readonly ShopRefundLine[]
  /** The part of the amount that is for shipping, with tax. */
  shop_shipping?: number
}

/** A line of a recorded sale. `rest`: what is not refunded yet, with tax. `weight`: its part of a refund. */
type Left = { id: string; rest: number; weight: number }

/** The service takes 50 keys with values of 500 characters. Other keys stay free for the shop. */
const KEYS_MAX = 40
const VALUE_MAX = 500
const KEY = 'shop_lines_'
const REASON_MAX = 500
/** A fee on delivery is not given back with goods. */
const FEE = 'retail_delivery_fee'

/**
 * The metadata of a sale that keeps the ids of its lines in the shop. More ids than it can contain are left
 * out: refunds of those lines are shared.
 */
export function metadataOfLines(ids: readonly string[]): Record<string, string> {
  const values: string[][] = [[]]
  for (const id of ids.map((each) => encodeURIComponent(each))) {
    const last = values.at(-1) ?? []
    if ([...last, id].join(' ').length <= VALUE_MAX) last.push(id)
    else values.push([id])
  }
  const kept = values.map((each) => each.join(' '))
  const end = kept.findIndex((value) => value.length > VALUE_MAX)
  return Object.fromEntries(
    kept.slice(0, end === -1 ? KEYS_MAX : Math.min(end, KEYS_MAX)).map((value, at) => [`${KEY}${at}`, value]),
  )
}

function idsOfLines({ metadata }: Transaction): string[] {
  const values = Array.from({ length: KEYS_MAX }, (_, at) => metadata[`${KEY}${at}`] ?? '')
  return values.flatMap((value) => (value === '' ? [] : value.split(' ').map(decodeURIComponent)))
}

/**
 * The refund by line. The sum is always the amount of the shop: each named line takes its part, and at most
 * what is left of it. What the named lines cannot take is shared over the others.
 */
export function refundByLine(sale: Transaction, refund: ShopRefund): RefundRequest {
  const named = refund.shop_lines.length > 0 || (refund.shop_shipping ?? 0) > 0
  if (!named) return sharedRefund(refund, 'the shop names none')
  const lines = linesLeft(sale, refund)
  if (lines === null) return sharedRefund(refund, 'the books do not have the lines that the shop names')
  const own = fill(
    refund.amount,
    lines.map(({ rest, weight }) => ({ rest: weight > 0 ? rest : 0, weight })),
  )
  const surplus = refund.amount - sum(own)
  const others = lines.map(({ rest }, at) => rest - (own[at] ?? 0))
  const fees = new Set(sale.line_items.flatMap(({ id, product_type }) => (product_type === FEE ? id : [])))
  const more = fill(
    surplus,
    others.map((rest, at) => ({ rest: fees.has(lines[at]?.id ?? '') ? 0 : rest, weight: rest })),
  )
  if (sum(more) < surplus) return sharedRefund(refund, 'the lines that the shop names have less left')
  const line_items = lines.flatMap(({ id }, at): RefundLineRequest[] => {
    const amount = (own[at] ?? 0) + (more[at] ?? 0)
    return amount > 0 ? [{ id, amount }] : []
  })
  const why = `${surplus} is more than its lines have left, and is shared over the others`
  return { ...common(refund), line_items, ...(surplus > 0 && { reason: withReason(refund, why) }) }
}

/** The refund over all lines, with the cause in its reason. */
export function sharedRefund(refund: ShopRefund, why: string): RefundRequest {
  const { amount } = refund
  return { ...common(refund), amount, reason: withReason(refund, `shared over all lines, because ${why}`) }
}

function common({ external_id, reason, refunded_at }: ShopRefund): RefundRequest {
  return { external_id, reason: cutText(reason, REASON_MAX), refunded_at: refunded_at ?? null }
}

function withReason({ reason }: ShopRefund, why: string): string {
  return `${cutText(reason, REASON_MAX - why.length - 3)} (${why})`
}

/** The lines with their weights in the refund. Null: the shop names a line that the sale does not have. */
function linesLeft(sale: Transaction, { shop_lines, shop_shipping = 0 }: ShopRefund): Left[] | null {
  const ids = idsOfLines(sale)
  const weights = new Map<string, number>()
  for (const { shop_line, quantity } of shop_lines) {
    const line = sale.line_items[ids.indexOf(shop_line)]
    if (line === undefined || !ids.includes(shop_line)) return null
    const gross = line.net_amount + line.tax_amount
    const part = quantity === undefined || line.quantity === 0 ? 1 : quantity / line.quantity
    weights.set(line.id, (weights.get(line.id) ?? 0) + gross * part)
  }
  const shipping = sale.line_items.filter(({ product_type }) => product_type === 'shipping')
  const charged = shipping.reduce((total, line) => total + line.net_amount + line.tax_amount, 0)
  for (const line of charged > 0 ? shipping : [])
    weights.set(line.id, (shop_shipping * (line.net_amount + line.tax_amount)) / charged)
  const rests = restsOf(sale)
  return sale.line_items.map(({ id }, at) => ({ id, rest: rests[at] ?? 0, weight: weights.get(id) ?? 0 }))
}

/** What is left of each line. Of refunds that were shared it is an estimate, which the service checks. */
function restsOf({ line_items, refunds }: Transaction): number[] {
  let rests = line_items.map(({ net_amount, tax_amount }) => net_amount + tax_amount)
  for (const refund of refunds) {
    const whole = sum(rests)
    const taken = new Map(refund.line_items?.map((line) => [line.id, line.net_amount + line.tax_amount]))
    rests = rests.map((rest, at) =>
      refund.line_items === null
        ? Math.floor(rest * (whole > 0 ? 1 - refund.amount / whole : 0))
        : rest - (taken.get(line_items[at]?.id ?? '') ?? 0),
    )
  }
  return rests
}

/** Divides an amount by weights into whole units. No part exceeds its rest, so the sum may be less. */
function fill(amount: number, parts: readonly { rest: number; weight: number }[]): number[] {
  const given = parts.map(() => 0)
  let left = amount
  while (left > 0) {
    const open = parts.flatMap(({ rest, weight }, at) => {
      const room = rest - (given[at] ?? 0)
      return room > 0 && weight > 0 ? [{ at, room, weight }] : []
    })
    if (open.length === 0) break
    const whole = open.reduce((total, { weight }) => total + weight, 0)
    const before = left
    let [running, due] = [0, 0]
    for (const { at, room, weight } of open) {
      running += weight
      // Running sums are rounded, so that the parts add up.
      const upTo = Math.round(before * Math.min(running / whole, 1))
      const part = Math.min(room, upTo - due)
      due = upTo
      given[at] = (given[at] ?? 0) + part
      left -= part
    }
  }
  return given
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
