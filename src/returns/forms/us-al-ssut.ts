import {
  apartFromLate,
  boxOf,
  type FilingRow,
  type Filled,
  formTotals,
  NET,
  sumOf,
  TAX,
  TAXABLE,
} from '../rows/figures.ts'
import { ANY_PERIOD, type FilingSeller, type Form, NETS_REFUNDS } from './form.ts'

const PLACE = 'US-AL'
const SCHEME = 'al_ssut'

/** Whether a seller declares its sales to Alabama as simplified sellers use tax, and not as sales tax. */
export function isDeclaredAsSsut(
  { place_of_supply }: Pick<FilingRow, 'place_of_supply'>,
  { registrations }: FilingSeller,
): boolean {
  return place_of_supply === PLACE && registrations.includes(SCHEME) && !registrations.includes(PLACE)
}

/** Simplified sellers use tax of Alabama: one rate for the whole state (Code of Alabama § 40-23-193). */
export const usAlSsut = {
  ...NETS_REFUNDS,
  type: 'al_ssut',
  currency: 'USD',
  periods: ANY_PERIOD,
  concerns: isDeclaredAsSsut,
  fill: (all: readonly FilingRow[]): Filled => {
    const { rows, late } = apartFromLate(all)
    return {
      boxes: [
        boxOf('sales', 'Total sales to Alabama', rows, NET),
        boxOf('deductions', 'Sales that are not taxed', rows, (row) => row.net_amount - row.taxable_amount),
        boxOf('taxable', 'Taxable sales', rows, TAXABLE),
        boxOf('tax', 'Simplified sellers use tax', rows, TAX),
        boxOf('late', 'Tax of corrections of filed periods', late, TAX),
      ],
      supplies: [],
      notes: [
        'The boxes have names of this service, because the names in My Alabama Taxes are not in the ' +
          'data',
        'Tax that was collected beyond the rate has to be paid, too',
      ],
      totals: { ...formTotals(rows, sumOf(rows, TAX)), tax_due: sumOf(all, TAX) },
    }
  },
} as const satisfies Form
