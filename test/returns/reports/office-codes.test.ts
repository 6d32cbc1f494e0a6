import { expect, it } from 'vitest'
import jurisdictions from '../../../data/us-local/jurisdictions.csv?raw'
import offices from '../../../data/office-codes.json'
import { notesOnOfficeCodes, officeCodeOf } from '../../../src/returns/filing/office-codes.ts'

it.each([
  ['US-NY-061', '8081'],
  ['US-NY-005', '8081'],
  ['US-NY-001', '0181'],
  ['US-NY-84000', '6511'],
  // Cattaraugus County has cities that report apart.
  ['US-NY-009', null],
  ['US-KS-71000', null],
])('the code of %s on the form is %s', (id, code) => {
  expect(officeCodeOf(id)).toBe(code)
})

it('is that of a place with local taxes in the data', () => {
  const known = new Set(jurisdictions.split('\n').map((row) => row.slice(0, row.indexOf(','))))
  const ids = offices.flatMap(({ codes }) => Object.keys(codes))
  expect(ids.length).toBeGreaterThan(40)
  expect(ids.filter((id) => !known.has(id))).toEqual([])
})

it('is told with its source, and where it is not in the data, never that a place has none', () => {
  const taxes = [
    { state: 'US-NY', office_code: '8081' },
    { state: 'US-WA', office_code: null },
    { state: 'US-KS', office_code: null },
  ]
  expect(notesOnOfficeCodes(taxes)).toEqual([
    expect.stringContaining('Publication 718'),
    'Codes of places on the form are not in the data: Kansas, Washington. Look at the form',
  ])
  expect(notesOnOfficeCodes([])).toEqual([])
})
