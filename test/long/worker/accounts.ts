import {
  addUp,
  type Entry,
  MONTHS,
  net,
  type Period,
  type Product,
  QUARTERS,
  roundedQuotient,
  sum,
  tax,
  within,
} from './ledger.ts'
import {
  AT_THE_END_OF_THE_QUARTER,
  BY_THE_CANADIAN_DAY,
  BY_THE_MONTH,
  byTheDay,
  type Conversion,
} from './rates.ts'

/** A seller with what it sells, and the returns that it owes. `figures` is what a return must say. */
export type Seller = {
  name: string
  profile: { country: string; region?: string; time_zone: string }
  registrations: readonly string[]
  currencies: readonly string[]
  /** How the form converts other currencies; left out: there are none. */
  conversion?: Conversion
  form: string
  periods: readonly Period[]
  jurisdictions: readonly (string | null)[]
  /** Files the return of the first quarter, and records a few of its sales too late. */
  files_first_quarter: boolean
  catalogue: readonly Product[]
  prices: { from: number; to: number; lines: number; inclusive: boolean; shipping: boolean }
  expected: (entries: readonly Entry[], period: Period, jurisdiction: string | null) => object
}

type OfReturn = (entries: readonly Entry[], period: Period) => object

const goods = (place: string, rate: number, product_type = 'physical_goods'): Product => ({
  product_type,
  to: toPlace(place),
  place,
  kind: 'goods',
  rates: rate === 0 ? [] : [rate],
})
const services = (place: string, rate: number, product_type = 'saas'): Product => ({
  ...goods(place, rate, product_type),
  kind: 'services',
})

function toPlace(place: string): Product['to'] {
  const [country = place, region] = place.split('-')
  return region === undefined ? { country } : { country, region }
}

// VAT rates of 2025, from the states' own tables.
const EU_GOODS = [
  goods('FR', 200_000),
  goods('FR', 55_000, 'books'),
  goods('IT', 220_000),
  goods('IT', 40_000, 'books'),
  goods('ES', 210_000),
  goods('AT', 200_000),
  goods('AT', 100_000, 'books'),
]
/** Estonia's rate rose from 22 % to 24 % on 2025-07-01. */
const ESTONIAN: Product = {
  ...goods('EE', 220_000),
  changes: [{ from: '2025-07-01', to: '2025-12-31', rates: [240_000] }],
}
const EU_SERVICES = [
  services('FR', 200_000),
  services('IT', 220_000),
  services('PL', 230_000),
  services('LU', 170_000),
]

/** What the scheme declares: goods that leave another state than where they are taxed, and services. */
const isOfOss = ({ product: { place, stock = 'DE', free } }: Entry) => place !== stock && free === undefined

/**
 * Supplies of the period by state, kind and rate; what belongs to sales of earlier periods is a correction.
 */
function ossReturn(periodOf: (day: string) => string): OfReturn {
  return (entries, period) => {
    const concerned = entries.filter(isOfOss)
    const own = concerned.filter(
      ({ day, late, sold }) => within(day, period) && !late && within(sold, period),
    )
    const corrections = concerned.filter(({ day, late, sold }) =>
      late ? isNext(period, sold, periodOf) : within(day, period) && !within(sold, period),
    )
    const of = ({ net: taxable_amount, tax: tax_amount }: Entry) => ({ taxable_amount, tax_amount })
    const states = new Set([...own, ...corrections].map(({ product }) => product.place))
    const due = [...states].map((state) => {
      const there = (each: Entry) => each.product.place === state
      return Math.max(tax(own.filter(there)) + tax(corrections.filter(there)), 0)
    })
    return {
      supplies: addUp(
        own,
        ({ product }) => `${product.place} ${product.kind} ${Number(product.rates[0]) / 1e6}`,
        of,
      ),
      corrections: addUp(corrections, ({ product, sold }) => `${product.place} ${periodOf(sold)}`, of),
      totals: {
        taxable_amount: net(own),
        tax_amount: tax(own),
        corrections_tax_amount: tax(corrections),
        tax_due: due.reduce((total, each) => total + each, 0),
      },
    }
  }
}

const quarterOf = (day: string) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
const monthOf = (day: string) => day.slice(0, 7)

/** What is late for the first period, which was filed, enters the second one. */
function isNext(period: Period, sold: string, periodOf: (day: string) => string): boolean {
  return (
    periodOf(sold) === periodOf('2025-01-01') && [QUARTERS[1]?.name, MONTHS[1]?.name].includes(period.name)
  )
}

/** Forms that subtract refunds in the period in which they are made. The boxes of some have late entries. */
function inPeriod(entries: readonly Entry[], period: Period) {
  const own = entries.filter(({ day, late }) => within(day, period) && !late)
  const late = entries.filter((entry) => entry.late && isNext(period, entry.sold, quarterOf))
  return { own, late }
}

const gross = (entries: readonly Entry[]) => net(entries) + tax(entries)
const isFree =
  (...why: Product['free'][]) =>
  (entry: Entry) =>
    why.includes(entry.product.free)
const isTaxed = ({ product }: Entry) => product.free === undefined

const vat100: OfReturn = (entries, period) => {
  const { own, late } = inPeriod(entries, period)
  const here = own.filter(({ product }) => product.place === 'GB')
  return {
    boxes: { 1: tax(here) + tax(late), 6: net(own) + net(late), 8: 0 },
    totals: {
      taxable_amount: net(here.filter(isTaxed)),
      tax_amount: tax(here),
      corrections_tax_amount: tax(late),
      tax_due: tax(here) + tax(late),
    },
  }
}

const gst34: OfReturn = (entries, period) => {
  const { own } = inPeriod(entries, period)
  const federal = ({ tax: all, provincial }: Entry) => all - provincial
  const earlier = own.filter(({ sold }) => sold < period.from)
  const rows = own.filter(({ sold }) => sold >= period.from)
  const provincialOf = (place: string) =>
    sum(own, ({ product, provincial }) => (product.place === place ? provincial : 0))
  const [collected, back] = [sum(rows, federal), -sum(earlier, federal)]
  return {
    boxes: {
      101: net(rows),
      103: collected,
      104: 0,
      105: collected,
      107: back || 0,
      QST: provincialOf('CA-QC'),
      'BC PST': provincialOf('CA-BC'),
      'SK PST': 0,
      'MB RST': 0,
    },
    totals: {
      taxable_amount: net(rows.filter(isTaxed)),
      tax_amount: collected,
      corrections_tax_amount: -back || 0,
      tax_due: collected - back,
    },
  }
}

const bas: OfReturn = (entries, period) => {
  const { own, late } = inPeriod(entries, period)
  const all = [...own, ...late]
  const exported = all.filter(isFree('export'))
  return {
    boxes: {
      G1: gross(all),
      G2: net(exported),
      G3: net(all.filter(isFree('zero'))),
      '1A': tax(all),
    },
    totals: {
      taxable_amount: net(own.filter(isTaxed)),
      tax_amount: tax(own),
      corrections_tax_amount: tax(late),
      tax_due: tax(own) + tax(late),
    },
  }
}

const gst101a: OfReturn = (entries, period) => {
  const { own } = inPeriod(entries, period)
  const taxed = own.filter(isTaxed)
  const free = own.filter(isFree('export'))
  // 3/23 of the price with tax, rounded half away from zero.
  const thrice = 6n * BigInt(gross(taxed)) + (gross(taxed) < 0 ? -23n : 23n)
  const gst = Number(thrice / 46n)
  return {
    boxes: { 5: gross(taxed) + net(free), 6: net(free), 7: gross(taxed), 8: gst, 10: gst },
    totals: { taxable_amount: net(taxed), tax_amount: gst, corrections_tax_amount: 0, tax_due: gst },
  }
}

/** The tax that the office computes from whole euros. */
const ofWholeEuros = (cents: number, percent: bigint) =>
  roundedQuotient(BigInt(Math.trunc(cents / 100)) * 100n * percent, 100n)

/** Goods that are taxed in another state, at whatever rate. */
const isAbroad = ({ product }: Entry) =>
  product.place !== 'DE' && product.kind === 'goods' && [undefined, 'zero'].includes(product.free)

/** The German advance return: 81 and 86 by rate, 41 goods and 21 services to businesses, 43 exports, 45 abroad. */
const ustva: OfReturn = (entries, period) => {
  const { own, late } = inPeriod(entries, period)
  const at = (rate: number) =>
    own.filter(
      ({ product: { place, stock = 'DE', rates } }) => place === 'DE' && stock === 'DE' && rates[0] === rate,
    )
  const free = (kind: Product['kind'], ...why: Product['free'][]) =>
    own.filter((entry) => isFree(...why)(entry) && entry.product.kind === kind)
  const taxed = [...at(190_000), ...at(70_000)]
  const [normal, reduced] = [ofWholeEuros(net(at(190_000)), 19n), ofWholeEuros(net(at(70_000)), 7n)]
  return {
    boxes: {
      '81-tax': normal,
      '86-tax': reduced,
      'office-tax': normal + reduced,
      81: net(at(190_000)),
      86: net(at(70_000)),
      41: net(free('goods', 'reverse')),
      21: net(free('services', 'reverse')),
      43: net(free('goods', 'export')),
      35: 0,
      36: 0,
      45: net([...own, ...late.filter(isOfOss)].filter(isAbroad)),
      48: 0,
      87: 0,
    },
    totals: {
      taxable_amount: net(taxed),
      tax_amount: tax(taxed),
      // The office wants the old return amended (§ 153 AO).
      corrections_tax_amount: 0,
      tax_due: tax(taxed),
    },
  }
}

/** The return of a state without a form of its own: what is taxed there and leaves a stock there. */
const ofStockIn = (state: string): OfReturn => {
  return (entries, period) => {
    const { own } = inPeriod(entries, period)
    const here = own.filter(({ product }) => product.place === state && product.stock === state)
    const none = { zero: 0, exempt: 0, exports: 0, intra_union_goods: 0, union_services: 0 }
    return {
      boxes: { taxable: net(here), tax: tax(here), ...none, distance_sales: 0, abroad: 0 },
      totals: {
        taxable_amount: net(here),
        tax_amount: tax(here),
        corrections_tax_amount: 0,
        tax_due: tax(here),
      },
    }
  }
}

function stateReturn(entries: readonly Entry[], period: Period, state: string | null): object {
  const own = inPeriod(entries, period).own.filter(({ product }) => product.place === state)
  const free = own.filter(({ product }) => product.free !== undefined)
  return {
    supplies:
      own.length === 0
        ? []
        : [
            {
              jurisdiction_id: state,
              gross_sales: net(own),
              exempt_sales: net(free),
              resale: net(own.filter(isFree('resale'))),
              food: net(own.filter(isFree('exempt'))),
              taxable_amount: net(own.filter(isTaxed)),
              tax_amount: tax(own),
            },
          ],
  }
}

/** Clothing below 100 USD has no tax in the third week of August. */
const CONNECTICUT_CLOTHING: Product = {
  ...goods('US-CT', 63_500, 'clothing'),
  changes: [{ from: '2025-08-17', to: '2025-08-23', below: 10_000, rates: [], free: 'holiday' }],
}
const CARTS = { from: 1, to: 40_000, lines: 3, inclusive: true, shipping: true }
const business = (vat_id: string) => ({ type: 'business', vat_id, vat_id_validated: true })
const abroad = (place: string): Product => ({ ...goods(place, 0), free: 'export' })

const fromAustria = (product: Product): Product => ({ ...product, stock: 'AT' })

/** A German shop that also sends goods from a stock in Austria, to all three sides of the border. */
const WITH_STOCK_ABROAD = {
  profile: { country: 'DE', time_zone: 'Europe/Berlin' },
  registrations: ['DE', 'AT', 'oss_union'],
  currencies: ['EUR'],
  files_first_quarter: false,
  catalogue: [
    goods('DE', 190_000),
    goods('AT', 200_000),
    fromAustria(goods('AT', 200_000)),
    fromAustria(goods('AT', 100_000, 'books')),
    fromAustria(goods('DE', 190_000)),
    fromAustria(goods('FR', 200_000)),
    fromAustria(ESTONIAN),
    fromAustria({ ...goods('IE', 0, 'children_clothing'), free: 'zero' }),
  ],
  prices: CARTS,
} as const

/** Twelve sellers of the year 2025: each form has one. */
export const AT_HOME: readonly Seller[] = [
  {
    name: 'a German shop in the union scheme',
    profile: { country: 'DE', time_zone: 'Europe/Berlin' },
    registrations: ['DE', 'oss_union'],
    currencies: ['EUR'],
    form: 'oss_union',
    files_first_quarter: true,
    periods: QUARTERS,
    jurisdictions: [null],
    catalogue: [...EU_GOODS, ESTONIAN, ...EU_SERVICES, goods('DE', 190_000)],
    prices: CARTS,
    expected: ossReturn(quarterOf),
  },
  {
    name: 'a German wholesaler at home',
    profile: { country: 'DE', time_zone: 'Europe/Berlin' },
    registrations: ['DE'],
    currencies: ['EUR'],
    form: 'eu_domestic',
    files_first_quarter: false,
    periods: MONTHS,
    jurisdictions: ['DE'],
    catalogue: [
      goods('DE', 190_000),
      goods('DE', 70_000, 'books'),
      services('DE', 190_000),
      { ...goods('AT', 0), free: 'reverse', customer: business('ATU13585627') },
      { ...services('AT', 0), free: 'reverse', customer: business('ATU13585627') },
      abroad('US-NY'),
    ],
    prices: CARTS,
    expected: ustva,
  },
  {
    name: 'a German shop with clothes of children',
    profile: { country: 'DE', time_zone: 'Europe/Berlin' },
    registrations: ['DE', 'oss_union'],
    currencies: ['EUR'],
    form: 'eu_domestic',
    files_first_quarter: false,
    periods: MONTHS,
    jurisdictions: ['DE'],
    catalogue: [
      goods('DE', 190_000),
      goods('DE', 70_000, 'books'),
      ESTONIAN,
      { ...goods('IE', 0, 'children_clothing'), free: 'zero' },
      abroad('US-NY'),
    ],
    prices: CARTS,
    expected: ustva,
  },
  {
    ...WITH_STOCK_ABROAD,
    name: 'a German shop with stock in Austria, by the one-stop shop',
    form: 'oss_union',
    periods: QUARTERS,
    jurisdictions: [null],
    expected: ossReturn(quarterOf),
  },
  {
    ...WITH_STOCK_ABROAD,
    name: 'a German shop with stock in Austria, in both states',
    form: 'eu_domestic',
    periods: MONTHS,
    jurisdictions: ['DE', 'AT'],
    expected: (entries, period, state) =>
      state === 'AT' ? ofStockIn('AT')(entries, period) : ustva(entries, period),
  },
  {
    name: 'an American publisher in the non-union scheme',
    profile: { country: 'US', region: 'OR', time_zone: 'America/Los_Angeles' },
    registrations: ['oss_non_union'],
    currencies: ['EUR'],
    form: 'oss_non_union',
    files_first_quarter: false,
    periods: QUARTERS,
    jurisdictions: [null],
    catalogue: [...EU_SERVICES, services('FR', 55_000, 'ebooks'), services('IT', 40_000, 'ebooks')],
    prices: { ...CARTS, shipping: false },
    expected: ossReturn(quarterOf),
  },
  {
    name: 'a shop that imports small consignments',
    profile: { country: 'US', region: 'OR', time_zone: 'UTC' },
    registrations: ['ioss'],
    currencies: ['EUR'],
    form: 'ioss',
    files_first_quarter: false,
    periods: MONTHS,
    jurisdictions: [null],
    catalogue: EU_GOODS,
    prices: { from: 1, to: 4_500, lines: 3, inclusive: false, shipping: false },
    expected: ossReturn(monthOf),
  },
  {
    name: 'a British shop',
    profile: { country: 'GB', time_zone: 'Europe/London' },
    registrations: ['GB'],
    currencies: ['GBP'],
    form: 'uk_vat100',
    files_first_quarter: true,
    periods: QUARTERS,
    jurisdictions: [null],
    catalogue: [
      goods('GB', 200_000),
      services('GB', 200_000),
      { ...goods('GB', 0, 'books'), free: 'zero' },
      abroad('US-NY'),
      {
        ...services('DE', 0),
        free: 'reverse',
        customer: business('DE136695976'),
      },
    ],
    prices: CARTS,
    expected: vat100,
  },
  {
    name: 'an American shop with three states',
    profile: { country: 'US', region: 'MA', time_zone: 'America/New_York' },
    registrations: ['US-MA', 'US-NJ', 'US-CT'],
    currencies: ['USD'],
    form: 'us_state',
    files_first_quarter: false,
    periods: MONTHS,
    jurisdictions: ['US-MA', 'US-NJ', 'US-CT'],
    catalogue: [
      goods('US-MA', 62_500),
      goods('US-NJ', 66_250),
      goods('US-CT', 63_500),
      CONNECTICUT_CLOTHING,
      { ...goods('US-MA', 0, 'groceries'), free: 'exempt' },
      { ...goods('US-NJ', 0, 'groceries'), free: 'exempt' },
      { ...goods('US-NJ', 0), free: 'resale' },
      abroad('US-MD'),
    ],
    prices: { ...CARTS, inclusive: false, shipping: false },
    expected: stateReturn,
  },
  {
    name: 'a Canadian shop',
    profile: { country: 'CA', region: 'ON', time_zone: 'America/Toronto' },
    registrations: ['CA', 'CA-QC', 'CA-BC'],
    currencies: ['CAD'],
    form: 'ca_gst34',
    files_first_quarter: false,
    periods: QUARTERS,
    jurisdictions: [null],
    catalogue: [
      goods('CA-ON', 130_000),
      goods('CA-AB', 50_000),
      { ...goods('CA-QC', 0), rates: [50_000, 99_750] },
      { ...goods('CA-BC', 0), rates: [50_000, 70_000] },
      { ...goods('CA-ON', 0, 'groceries'), free: 'zero' },
      abroad('US-NY'),
    ],
    prices: { ...CARTS, inclusive: false, shipping: false },
    expected: gst34,
  },
  {
    name: 'an Australian shop',
    profile: { country: 'AU', time_zone: 'Australia/Sydney' },
    registrations: ['AU'],
    currencies: ['AUD'],
    form: 'au_bas',
    files_first_quarter: true,
    periods: QUARTERS,
    jurisdictions: [null],
    catalogue: [
      goods('AU', 100_000),
      services('AU', 100_000),
      { ...goods('AU', 0, 'groceries'), free: 'zero' },
      abroad('US-NY'),
    ],
    prices: { ...CARTS, shipping: false },
    expected: bas,
  },
  {
    name: 'a shop in New Zealand',
    profile: { country: 'NZ', time_zone: 'Pacific/Auckland' },
    registrations: ['NZ'],
    currencies: ['NZD'],
    form: 'nz_gst101a',
    files_first_quarter: false,
    periods: MONTHS,
    jurisdictions: [null],
    catalogue: [goods('NZ', 150_000), services('NZ', 150_000), abroad('US-NY')],
    prices: { ...CARTS, shipping: false },
    expected: gst101a,
  },
]

/** The seller of a form, who sells in other currencies too. Postage would be a product of its own. */
function abroadToo(form: string, currencies: readonly string[], conversion: Conversion): Seller[] {
  const [first] = AT_HOME.filter((seller) => seller.form === form)
  return (first === undefined ? [] : [first]).map((seller) => ({
    ...seller,
    name: `${seller.name} that also sells in ${currencies.join(' and ')}`,
    currencies: [conversion.home, ...currencies],
    conversion,
    prices: { ...seller.prices, shipping: false },
  }))
}

/** All sellers. Five of them sell in several currencies. */
export const SELLERS: readonly Seller[] = [
  ...AT_HOME,
  ...abroadToo('oss_union', ['USD', 'JPY'], AT_THE_END_OF_THE_QUARTER),
  ...abroadToo('uk_vat100', ['USD', 'EUR'], BY_THE_MONTH),
  ...abroadToo('au_bas', ['USD', 'JPY', 'EUR'], byTheDay('AUD')),
  ...abroadToo('nz_gst101a', ['USD'], byTheDay('NZD')),
  ...abroadToo('ca_gst34', ['USD', 'EUR'], BY_THE_CANADIAN_DAY),
]
