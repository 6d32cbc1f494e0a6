import { soldKindOf } from '../rows/sold-kind.ts'
import {
  boxOf,
  type FilingRow,
  type Filled,
  formTotals,
  isExportOf,
  isSuppliedIn,
  type Measure,
  NET,
  plainBox,
  sumOf,
  suppliesOf,
  TAX,
} from '../rows/figures.ts'
import type { FilingScope, FilingSeller } from './form.ts'
import { NATIONAL_FORMS, type NationalForm, type NationalGroup, SCHEME_FORMS } from './national-forms.ts'

/** The countries whose form is on file. */
export const COUNTRIES_WITH_FORM: readonly string[] = [...NATIONAL_FORMS.keys()]

/** Sales in the country that its returns do not count: another accounts for them, or nobody does. */
const NOT_DECLARED = new Set([
  'not_collecting',
  'marketplace_collects',
  'small_business',
  'not_supported',
  'not_subject_to_tax',
  'not_a_supply',
])

/** Whether the return of a country has a box for a sale. */
export function isInNationalReturn(country: string, row: FilingRow, seller: FilingSeller): boolean {
  const group = groupOf(country, row, seller)
  return group !== null && formFor(country, seller).boxes.some(({ groups }) => groups.includes(group))
}

/** The group of a sale in the return of a country; null: the return does not declare it. */
function groupOf(country: string, row: FilingRow, seller: FilingSeller): NationalGroup | null {
  const declared = declaredBy(country, seller)
  if (row.reason === 'not_a_supply') return null
  if (declared.some((each) => isExportOf(each, row))) return 'exports'
  if (declared.some((each) => isSuppliedIn(each, row))) return groupInCountry(row)
  const elsewhere = !taxAreaOf(country).some((each) => isSuppliedIn(each, row))
  return elsewhere && seller.country === country ? 'abroad' : null
}

function groupInCountry({ reason, tax_rate }: FilingRow): NationalGroup | null {
  if (NOT_DECLARED.has(reason)) return null
  if (reason === 'reverse_charge') return 'reverse_charge'
  if (tax_rate > 0) return 'taxed'
  return reason === 'zero_rated' ? 'zero' : 'exempt'
}

/** An export, and a sale abroad, bears the tax of another country, which the return does not declare. */
export function taxOfArea(row: Parameters<Measure>[0], country: string): number {
  return taxAreaOf(country).some((each) => isSuppliedIn(each, row)) ? row.tax_amount : 0
}

/** The countries that share the return of a country, because they have one tax, and itself. */
export function taxAreaOf(country: string): readonly string[] {
  const own = NATIONAL_FORMS.get(country)
  if (own === undefined) return [country]
  return [...NATIONAL_FORMS].flatMap(([id, form]) => (form === own ? [id] : []))
}

/** The country, and those of its tax area in which the seller has no registration of its own. */
function declaredBy(country: string, { registrations }: FilingSeller): string[] {
  return taxAreaOf(country).filter((each) => each === country || !registrations.includes(each))
}

function formFor(country: string, { registrations }: FilingSeller): NationalForm {
  const simplified = SCHEME_FORMS.get(country)
  const under = simplified !== undefined && registrations.includes(simplified.scheme)
  const form = under && !registrations.includes(country) ? simplified.form : NATIONAL_FORMS.get(country)
  return form ?? { form: '', unit: 1, boxes: [], others: [], notes: [] }
}

/** Fills in the return of a country, in its currency. Its boxes are those of the form, as far as on file. */
export function fillNationalReturn(
  country: string,
  rows: readonly FilingRow[],
  { seller }: Pick<FilingScope, 'seller'>,
): Filled {
  const { form, unit, boxes, others, notes } = formFor(country, seller)
  const groups = Map.groupBy(rows, (row) => groupOf(country, row, seller))
  const taxed = groups.get('taxed') ?? []
  return {
    boxes: [
      ...boxes.map(({ box, name, groups: wanted, rates, takes }) => {
        const own = wanted
          .flatMap((group) => groups.get(group) ?? [])
          .filter(({ tax_rate }) => rates === undefined || rates.includes(tax_rate))
        return boxOf(box, name, own, takes === 'tax' ? TAX : NET, { unit: takes === 'tax' ? 1 : unit })
      }),
      ...others.map(({ box, name, why }) => plainBox(box, name, null, why)),
    ],
    supplies: suppliesOf(taxed, ['place', 'kind', 'rate'], { kindOf: soldKindOf }),
    notes: [
      `Boxes of ${form}, not yet compared with the page of the tax office`,
      ...notes,
      'Sales that a marketplace or the customer accounts for, of a small business, or without a ' +
        'registration are not on the return, unless a box names them',
    ],
    totals: formTotals(taxed, sumOf(taxed, TAX)),
  }
}
