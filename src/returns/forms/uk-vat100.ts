import { BRITISH_TERRITORY } from '../../engine/regimes/gb-territory.ts'
import { isScheme } from '../../engine/ground/schemes.ts'
import {
  boxOf,
  type FilingRow,
  type Filled,
  givenBox,
  isExportOf,
  knownOr,
  NET,
  sumIfKnown,
  sumOf,
  TAX,
  formTotals,
} from '../rows/figures.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { ANY_PERIOD, type FilingScope, type FilingSeller, type Form, NETS_REFUNDS } from './form.ts'

/**
 * A British seller does not charge tax on these services abroad. Box 6 counts them nevertheless (VAT Notice
 * 700/12).
 */
const UNTAXED_ABROAD = new Set(['reverse_charge', 'not_subject_to_tax', 'export', 'not_collecting'])
const WHOLE_POUNDS = { unit: 100 }

/** The VAT return of the United Kingdom, boxes 1 to 9 (VAT Notice 700/12). */
export const ukVat100 = {
  ...NETS_REFUNDS,
  type: 'uk_vat100',
  currency: 'GBP',
  periods: ANY_PERIOD,
  // HMRC's rate of the month of the sale (VAT Notice 700, section 7.7).
  exchange: { series: 'hmrc', at: 'month' },
  given_boxes: ['2', '4', '7', '9'],
  concerns: (row, seller) => !isScheme(row.scheme) && (isHere(row) || isAbroad(row, seller)),
  fill: fillUkVat100,
} as const satisfies Form

function isHere({ place_of_supply }: FilingRow): boolean {
  return BRITISH_TERRITORY.has(place_of_supply.slice(0, 2))
}

/**
 * Whether box 6 counts a supply abroad: goods that left the territory, and services from an establishment in
 * it. That of the seller stands for each service, because a row does not say which one supplied it.
 */
function isAbroad(row: FilingRow, { country }: FilingSeller): boolean {
  if (isHere(row)) return false
  if (soldKindOf(row.product_type) === 'goods')
    return [...BRITISH_TERRITORY].some((each) => isExportOf(each, row))
  return BRITISH_TERRITORY.has(country ?? '') && UNTAXED_ABROAD.has(row.reason)
}

const PURCHASES = 'Needs your purchases, which this service does not know'

function fillUkVat100(rows: readonly FilingRow[], { seller, boxes }: FilingScope): Filled {
  const here = rows.filter(isHere)
  const abroad = rows.filter((row) => isAbroad(row, seller))
  const dispatches = here.filter(
    (row) => row.place_of_supply === 'XI' && row.reason === 'intra_community_supply',
  )
  const vat = sumOf(here, TAX)
  const given = (box: string, name: string, unit = 1) =>
    givenBox(boxes, { box, name, unknown: PURCHASES, unit })
  const due = sumIfKnown(vat, boxes.get('2') ?? null)
  const reclaimed = boxes.get('4')
  const net = sumIfKnown(due, reclaimed === undefined ? null : -reclaimed)
  return {
    boxes: [
      boxOf('1', 'VAT due on sales and other outputs', here, TAX),
      given('2', 'VAT due on acquisitions of goods made in Northern Ireland from EU Member States'),
      knownOr('3', 'Total VAT due (boxes 1 and 2)', due, 'Needs box 2'),
      given('4', 'VAT reclaimed on purchases and other inputs'),
      knownOr('5', 'Net VAT to pay or reclaim (boxes 3 and 4)', net, 'Needs boxes 3 and 4'),
      boxOf('6', 'Total value of sales and all other outputs excluding VAT', [...here, ...abroad], NET, {
        ...WHOLE_POUNDS,
        note: abroad.length > 0 ? 'Includes exports and services abroad' : null,
      }),
      given('7', 'Total value of purchases and all other inputs excluding VAT', WHOLE_POUNDS.unit),
      boxOf(
        '8',
        'Total value of dispatches of goods from Northern Ireland to EU Member States, excluding VAT',
        dispatches,
        NET,
        WHOLE_POUNDS,
      ),
      given(
        '9',
        'Total value of acquisitions of goods made in Northern Ireland from EU Member States, excluding VAT',
        WHOLE_POUNDS.unit,
      ),
    ],
    supplies: [],
    notes: ['Amounts in pence; boxes 6 to 9 of the form take whole pounds: form_amount'],
    totals: formTotals(here, vat),
  }
}
