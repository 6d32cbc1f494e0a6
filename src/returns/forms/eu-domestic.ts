import { MILLION, multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import { MEMBER_STATES, memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import type { TaxabilityReason } from '../../engine/found/assessment.ts'
import { isScheme } from '../../engine/ground/schemes.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { boxesOfRecargo, notesOnRecargo } from './es-recargo.ts'
import { EU_FORMS, type EuGroup, type FormBoxes, PLAIN_FORM } from './eu-boxes.ts'
import {
  boxOf,
  type FilingRow,
  type Filled,
  isExportOf,
  isSuppliedIn,
  type Measure,
  NET,
  plainBox,
  sumOf,
  suppliesOf,
  TAX,
  formTotals,
} from '../rows/figures.ts'
import { ANY_PERIOD, type FilingScope, type Form, NETS_REFUNDS } from './form.ts'

/**
 * The sales side of the domestic VAT return of one member state (Directive 2006/112/EC, art. 250, 251), in
 * the boxes of its form if that is on file.
 */
export const euDomestic = {
  ...NETS_REFUNDS,
  type: 'eu_domestic',
  currency: null,
  periods: ANY_PERIOD,
  by_jurisdiction: 'member_state',
  concerns: (row, seller, state) =>
    state !== null && groupInDomesticReturn(state, row, seller.country) !== null,
  tax: taxOfState,
  fill: fillEuDomestic,
} as const satisfies Form

/** Exports and distance sales bear the tax of another place, which the return does not declare. */
function taxOfState({ place_of_supply, tax_amount }: Parameters<Measure>[0], state: string | null): number {
  return memberStateOf(place_of_supply) === state ? tax_amount : 0
}

/** Sales without the seller's tax that no domestic return of the seller declares. */
const NOT_DECLARED = new Set([
  'reverse_charge',
  'not_collecting',
  'marketplace_collects',
  'small_business',
  'not_supported',
])

type Grouped = Parameters<typeof isExportOf>[1] & Pick<FilingRow, 'scheme' | 'product_type' | 'tax_rate'>

/** The group of a sale in the return of a state; null: the return does not declare it. */
export function groupInDomesticReturn(
  state: string,
  sold: Grouped,
  seller_country: string | null,
): EuGroup | null {
  const place_of_supply = memberStateOf(sold.place_of_supply)
  const row = { ...sold, place_of_supply, exported_to: memberStateOf(sold.exported_to) }
  if (isSuppliedIn(state, row)) return groupInState(state, row)
  const goods = soldKindOf(row.product_type) === 'goods'
  if (goods && isExportOf(state, row)) return 'exports'
  if (seller_country === null || memberStateOf(seller_country) !== state) return null
  const elsewhere = MEMBER_STATES.includes(place_of_supply)
  if (elsewhere && row.reason === 'reverse_charge') return goods ? 'abroad' : 'union_services'
  if (elsewhere && goods && isSuppliedThere(row)) return 'distance_sales'
  // Exports of other states and imports are on the returns of these states.
  return goods ? null : 'abroad'
}

/**
 * Whether a sale is a supply of the seller in the place that is recorded with it. A supply at 0 % or an
 * exempt one is one too. An export or an import is not, nor a sale for which somebody else accounts.
 */
export function isSuppliedThere({ tax_rate, reason }: Pick<FilingRow, 'tax_rate' | 'reason'>): boolean {
  return tax_rate > 0 || reason === '' || SUPPLIED[reason as TaxabilityReason]
}

const SUPPLIED: Readonly<Record<TaxabilityReason, boolean>> = {
  zero_rated: true,
  reduced_rated: true,
  product_exempt: true,
  portion_product_exempt: true,
  taxable_basis_reduced: true,
  customer_exempt: true,
  reverse_charge: false,
  not_collecting: false,
  marketplace_collects: false,
  seller_accounts: false,
  small_business: false,
  not_subject_to_tax: false,
  not_supported: false,
  intra_community_supply: false,
  export: false,
  not_a_supply: false,
  own_rate: true,
}

function groupInState(state: string, row: Grouped): EuGroup | null {
  if (isScheme(row.scheme) || NOT_DECLARED.has(row.reason)) return null
  if (isExportOf(state, row)) return 'exports'
  if (row.reason === 'intra_community_supply') return 'intra_union_goods'
  if (row.tax_rate > 0) return 'taxed'
  return row.reason === 'zero_rated' ? 'zero' : 'exempt'
}

/** The VAT alone, without the second tax that some customers bear beside it. */
const VAT: Measure = (row) => row.tax_amount - row.provincial_tax_amount

function fillEuDomestic(rows: readonly FilingRow[], { jurisdiction_id, seller }: FilingScope): Filled {
  const state = jurisdiction_id ?? ''
  const form = EU_FORMS.get(state)
  const groups = Map.groupBy(rows, (row) => groupInDomesticReturn(state, row, seller.country))
  const taxed = groups.get('taxed') ?? []
  const lessening = new Set(form?.regularisation === undefined ? [] : rowsOfNegativeRates(taxed))
  return {
    boxes: [...boxesOf(form ?? PLAIN_FORM, groups, lessening), ...boxesOfRecargo(taxed)],
    supplies: suppliesOf(taxed, ['place', 'kind', 'rate'], { kindOf: soldKindOf, stateOf: () => state }),
    notes: [
      form === undefined
        ? 'The form of this state is not in the data: the boxes are groups of sales'
        : `Boxes of ${form.form}, by ${form.source} (${form.source_url})`,
      'Boxes about purchases are empty. Sales under a one-stop shop are taxed by its own return',
      'Sales by a marketplace, of a small business, or without a registration are not on the return',
      ...notesOnRecargo(taxed),
      ...notesOnStock(groups.get('distance_sales') ?? [], state, seller),
      ...(lessening.size > 0 && form?.regularisation !== undefined ? [form.regularisation.note] : []),
    ],
    totals: formTotals(taxed, sumOf(taxed, TAX)),
  }
}

/** The sums do not have the place that goods leave, so with stock elsewhere a box may have too much. */
function notesOnStock(rows: readonly FilingRow[], state: string, seller: FilingScope['seller']): string[] {
  const has_goods = rows.some(({ product_type }) => soldKindOf(product_type) === 'goods')
  const elsewhere = seller.registrations.some((id) => id !== state && MEMBER_STATES.includes(id))
  return has_goods && elsewhere ? [NOTE_ON_STOCK] : []
}

const NOTE_ON_STOCK =
  'The boxes with distance sales also have goods that left stock in another member state, and your sales ' +
  'within such a state. If the form asks only for goods that left this state, take these sales off: ' +
  '`ship_from` of each sale says where its goods left'

const TAKEN_OFF_LATER = 'The form takes no negative amount: take it off this line of a later return'

/** The rows of each rate whose refunds exceed its sales. */
function rowsOfNegativeRates(taxed: readonly FilingRow[]): FilingRow[] {
  const rates = [...Map.groupBy(taxed, ({ tax_rate }) => tax_rate).values()]
  return rates.filter((rows) => sumOf(rows, NET) < 0 || sumOf(rows, TAX) < 0).flat()
}

function boxesOf(
  form: FormBoxes,
  groups: ReadonlyMap<EuGroup | null, readonly FilingRow[]>,
  lessening: ReadonlySet<FilingRow>,
): Filled['boxes'] {
  const { boxes, purchases, unit, tax_unit = 1, nearest = false, regularisation } = form
  const named = new Set(boxes.flatMap(({ rates }) => (Array.isArray(rates) ? rates : [])))
  const unitOf = (measure: Measure) => ({ unit: measure === VAT ? tax_unit : unit, nearest })
  const filled = boxes.map(({ box, name, groups: wanted, rates, takes, kind, without_schemes }) => {
    const rows = wanted
      .flatMap((group) => groups.get(group) ?? [])
      .filter((row) => !lessening.has(row))
      .filter(({ tax_rate }) => isOfRate(tax_rate, rates, named))
      .filter(({ product_type }) => kind === undefined || soldKindOf(product_type) === kind)
      .filter(({ scheme }) => without_schemes !== true || !isScheme(scheme))
    const measure = takes === 'tax' ? VAT : NET
    const negative = regularisation !== undefined && sumOf(rows, measure) < 0
    return boxOf(box, name, rows, measure, { ...unitOf(measure), note: negative ? TAKEN_OFF_LATER : null })
  })
  const lessened = ([of, measure]: readonly ['base' | 'tax', Measure]) =>
    regularisation === undefined
      ? []
      : boxOf(
          regularisation[of].box,
          regularisation[of].name,
          [...lessening],
          (row) => 0 - measure(row),
          unitOf(measure),
        )
  const note = 'Needs your purchases, which this service does not know'
  return [
    ...filled,
    ...(
      [
        ['base', NET],
        ['tax', VAT],
      ] as const
    ).flatMap(lessened),
    ...computedBoxes(form, filled),
    ...purchases.map(({ box, name }) => plainBox(box, name, null, note)),
  ]
}

/** The tax as the office computes it, where it does so from whole units: that of the sales differs. */
function computedBoxes({ computed, unit }: FormBoxes, filled: Filled['boxes']): Filled['boxes'] {
  if (computed === undefined) return []
  const amountOf = (name: string) => filled.find(({ box }) => box === name)?.amount ?? 0
  const note = 'Computed from the whole euros of the form: the tax of the sales is rounded by sale'
  const boxes = computed.boxes.map(({ box, name, of, rate }) => {
    const whole = Math.trunc(amountOf(of) / unit) * unit
    return plainBox(box, name, multiplyAndDivide(whole, rate, MILLION), note)
  })
  const sum = boxes.reduce((total, { amount }) => total + (amount ?? 0), amountOf(computed.sum.with))
  return [...boxes, plainBox(computed.sum.box, computed.sum.name, sum, note)]
}

function isOfRate(
  rate: number,
  rates: readonly number[] | 'others' | undefined,
  named: ReadonlySet<number>,
): boolean {
  if (rates === undefined) return true
  return rates === 'others' ? !named.has(rate) : rates.includes(rate)
}
