import { boxOf, type FilingRow, type FilledBox, type Measure, NET } from '../rows/figures.ts'

/** The recargo de equivalencia: the second tax of a line. */
const RECARGO: Measure = (row) => row.provincial_tax_amount

/**
 * The boxes of Modelo 303 for each rate of the recargo: base and tax. A line has the rates of VAT and recargo
 * as one, in millionths. Layout since 2024-10: DR303e24v200 of the office, as quoted by OCA/l10n-spain#3793,
 * and #4022 for 0,5 %.
 */
const RATES: readonly { name: string; line_rates: readonly number[]; base: string; tax: string }[] = [
  { name: '1,75 %', line_rates: [227_500], base: '156', tax: '158' },
  { name: '0,5 % (0,26 % until 2024)', line_rates: [45_000, 22_600], base: '168', tax: '170' },
  { name: '1,4 %', line_rates: [114_000], base: '19', tax: '21' },
  { name: '5,2 %', line_rates: [262_000], base: '22', tax: '24' },
]

const NAMED: readonly number[] = RATES.flatMap(({ line_rates }) => line_rates)

function bearsRecargo(row: FilingRow): boolean {
  return row.provincial_tax_amount !== 0 || row.refunded_provincial_tax_amount !== 0
}

/** The boxes for the recargo on taxed sales; none without it. */
export function boxesOfRecargo(taxed: readonly FilingRow[]): FilledBox[] {
  const bearing = taxed.filter(bearsRecargo)
  const ofRates = RATES.flatMap(({ name, line_rates, base, tax }) =>
    boxesOf(
      { base, tax, name },
      bearing.filter(({ tax_rate }) => line_rates.includes(tax_rate)),
    ),
  )
  const others = bearing.filter(({ tax_rate }) => !NAMED.includes(tax_rate))
  return [
    ...ofRates,
    ...boxesOf({ base: 'recargo-other', tax: 'recargo-other-tax', name: 'several or earlier rates' }, others),
  ]
}

function boxesOf(
  { base, tax, name }: { base: string; tax: string; name: string },
  rows: readonly FilingRow[],
): FilledBox[] {
  if (rows.length === 0) return []
  return [
    boxOf(base, `Recargo de equivalencia ${name}, base imponible`, rows, NET),
    boxOf(tax, `Recargo de equivalencia ${name}, cuota`, rows, RECARGO),
  ]
}

/** What a reader of these boxes has to know. */
export function notesOnRecargo(taxed: readonly FilingRow[]): string[] {
  if (!taxed.some(bearsRecargo)) return []
  return [
    'The boxes of the recargo de equivalencia have the numbers of Modelo 303 since 2024-10. Refunds reduce ' +
      'them here: boxes 25 and 26 of the form take what reduces sales of earlier periods',
    'The rate of a supply with recargo is that of both taxes: 26.2 % is 21 % VAT and 5.2 % recargo',
  ]
}
