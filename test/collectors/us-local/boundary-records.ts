/** Records of boundary files, with 89 columns, in the shape of the board's description. */

type Taxes = {
  state?: string
  county?: string
  place?: string
  /** Source, code and type, up to 20 times. */
  districts?: readonly string[]
  days?: string
}

const DAYS = '20051001,29991231'

export function zipRecord(zip: string, taxes: Taxes): string {
  return record('Z', taxes, { 17: zip, 19: zip })
}

export function intervalRecord(low: string, low4: string, high: string, high4: string, taxes: Taxes): string {
  return record('4', taxes, { 17: low, 18: low4, 19: high, 20: high4 })
}

export function addressRecord(zip: string, zip4: string, taxes: Taxes): string {
  return record('A', taxes, { 3: '1', 4: '99', 5: 'B', 7: 'MAIN', 8: 'ST', 14: 'TOPEKA', 15: zip, 16: zip4 })
}

function record(
  kind: string,
  { state = '20', county = '', place = '', districts = [], days = DAYS }: Taxes,
  columns: Readonly<Record<number, string>>,
): string {
  const cells = Array.from({ length: 89 }, (_, index) => columns[index] ?? '')
  cells.splice(0, 3, kind, ...days.split(','))
  cells.splice(22, 4, state, state, county, place)
  cells.splice(29, districts.length, ...districts)
  return cells.join(',')
}
