/**
 * The books of a quarter, kept a second time: by hand-written rates and boxes, in integers, without the code of
 * the service. Amounts are minor units, rates are hundred-thousandths.
 */

/** A kind of sale: the request without its amounts, and which figures take its price and its tax. */
export type Kind = {
  name: string
  currency: 'EUR' | 'GBP' | 'USD'
  product_type: string
  rate: number
  /** Where it goes, where it leaves, to whom. */
  sale: Readonly<Record<string, unknown>>
  /** Figures of returns, such as `VAT3 T1`. */
  net?: readonly string[] | undefined
  tax?: readonly string[] | undefined
  /** The figure of a correction, where a return corrects the quarter before. */
  corrected?: string
  /** Its currency is that of the return, whichever it is. */
  at_home?: true
  /** The invoice states its tax. */
  states_tax?: true
  /** More fields of its line. It has neither a discount nor postage then. */
  line?: Readonly<Record<string, unknown>>
  /** Postage bears no tax, and is in these figures. */
  untaxed_postage?: readonly string[]
}

/** What was sold, credited or given back. `amount` is the price of the line. */
export type Sold = { kind: Kind; day: string; amount: number; postage: number; discount: number }

export type Figures = Record<string, number>

const HUNDRED_PERCENT = 100_000

/** Half a cent is rounded up, away from zero. */
export function taxOf(net: number, rate: number): number {
  const twice = 2 * Math.abs(net) * rate + HUNDRED_PERCENT
  const rest = twice % (2 * HUNDRED_PERCENT)
  return Math.sign(net) * ((twice - rest) / (2 * HUNDRED_PERCENT)) + 0
}

/** Dollars are converted at 1.25 for one unit, and all amounts of the books come out even. */
function inHome(amount: number, { currency, at_home }: Kind): number {
  if (currency !== 'USD' || at_home === true) return amount
  if ((amount * 4) % 5 !== 0) throw new Error(`${amount} US cents are no whole cents`)
  return (amount * 4) / 5
}

/** Adds a price and its tax to the figures of a kind. */
export function book(figures: Figures, kind: Kind, net: number, tax: number): void {
  const add = (names: readonly string[] = [], amount: number) => {
    for (const name of names) figures[name] = (figures[name] ?? 0) + amount
  }
  add(kind.net, inHome(net, kind))
  add(kind.tax, inHome(tax, kind))
}

/** Adds a sale: its line after the discount, and its postage, each with its own tax. */
export function bookSale(figures: Figures, { kind, amount, postage, discount }: Sold): void {
  const net = amount - discount
  book(figures, kind, net, taxOf(net, kind.rate))
  if (postage === 0) return
  if (kind.untaxed_postage === undefined) book(figures, kind, postage, taxOf(postage, kind.rate))
  else book(figures, { ...kind, net: kind.untaxed_postage }, postage, 0)
}

/** A sale of the quarter before was 5,000, and two fifths of it and of its tax are credited. */
export const EARLIER = { sold: 5_000, credited: 2_000 } as const

/** Adds the credit note: to its correction where the return has one, else to the figures of this quarter. */
export function bookEarlier(figures: Figures, kind: Kind): void {
  const fifths = 2 * taxOf(EARLIER.sold, kind.rate)
  const tax = (fifths - ((fifths + 2) % 5) + 2) / 5
  const { corrected } = kind
  const ofShop = (name: string) => corrected !== undefined && name.startsWith('OSS')
  const rest = {
    ...kind,
    net: kind.net?.filter((name) => !ofShop(name)),
    tax: kind.tax?.filter((name) => !ofShop(name)),
  }
  book(figures, rest, -EARLIER.credited, -tax)
  if (corrected !== undefined) figures[corrected] = (figures[corrected] ?? 0) - tax
}

/** Sales of each kind through the quarter: every third has postage, every fifth a discount. */
export function salesOf(kinds: readonly Kind[], each: number): Sold[] {
  return Array.from({ length: kinds.length * each }, (_, index) => {
    const kind = kinds[index % kinds.length] as Kind
    const turn = Math.floor(index / kinds.length)
    const month = 7 + (turn % 3)
    const even = kind.currency === 'USD' && kind.at_home !== true
    const plain = kind.states_tax === true || kind.line !== undefined || even
    const isGoods = kind.product_type !== 'saas'
    return {
      kind,
      day: `2026-${String(month).padStart(2, '0')}-${String(1 + ((index * 7) % 28)).padStart(2, '0')}`,
      amount: even ? 10_000 + 500 * index : 1_000 + 37 * index,
      postage: !plain && isGoods && turn % 3 === 1 ? 399 + index : 0,
      discount: !plain && turn % 5 === 2 ? 101 + index : 0,
    }
  })
}

/** Without the figures that are zero or unknown. */
export function known(figures: Readonly<Record<string, number | null>>): Figures {
  return Object.fromEntries(
    Object.entries(figures).filter((entry): entry is [string, number] => entry[1] !== null && entry[1] !== 0),
  )
}
