import { describe, expect, it } from 'vitest'
import { readRateRows, ratesOfFile } from '../../../collectors/us-local/rate-file.ts'
import { localRateOn } from '../../../src/engine/regimes/us-local/local-book.ts'

const KANSAS = `\uFEFF20,45,20,0.06500,0.06500,0.06500,0.06500,20150701,20221231
20,45,20,0.06500,0.06500,0.00000,0.00000,20230101,20991231\r
20,00,177,0.01350,0.01350,0.01350,0.01350,20230401,20991231
20,00,177,0.01150,0.01150,0.01150,0.01150,20051001,20230331
20,01,38900,0.01550,0.01550,0.01550,0.01550,20091001,20250331
20,01,38900,.016,.016,.016,.016,20250401,20991231
20,63,21215,0.02000,0.02000,,,20260101,20991231
20,79,11KAN,0.09350,0.09350,0.09350,0.09350,20260101,20991231
`
const AS = { state: 'KS', included: 0, source: 'file', as_of: '2026-10-01' }
const read = (text: string, state = 'KS') => readRateRows(text, state, 'KSR2026Q4AUG19.csv')

describe('a rate file', () => {
  const { jurisdictions, state_rates } = ratesOfFile(read(KANSAS).made, [], AS)
  const rateOf = (id: string, day: string) => {
    const found = jurisdictions.find((each) => each.id === id)
    return found === undefined ? null : localRateOn(found, day)
  }

  it('has each rate with its days, and without the totals of composite codes', () => {
    expect(jurisdictions.map(({ id }) => id)).toEqual(['US-KS-177', 'US-KS-38900', 'US-KS-D-21215'])
    expect(rateOf('US-KS-177', '2023-03-31')).toBe(11_500)
    expect(rateOf('US-KS-177', '2023-04-01')).toBe(13_500)
    expect(rateOf('US-KS-38900', '2025-04-01')).toBe(16_000)
    expect(rateOf('US-KS-D-21215', '2025-12-31')).toBe(0)
    expect(rateOf('US-KS-D-21215', '2300-01-01')).toBe(20_000)
  })

  it('has the rates of the state, and those on food beside', () => {
    expect(state_rates.at(-1)).toEqual({
      rate_millionths: 65_000,
      food_millionths: 0,
      from: '2023-01-01',
      to: null,
    })
  })

  it('lets the later begin win where two rows overlap', () => {
    const two = '20,01,1,.01,.01,.01,.01,20200101,29991231\n20,01,1,.02,.02,.02,.02,20240101,29991231\n'
    const [city] = ratesOfFile(read(two).made, [], AS).jurisdictions
    expect(city?.rates).toMatchObject([{ to: '2023-12-31' }, { from: '2024-01-01', to: null }])
  })

  it('takes the part that our rate of Nevada contains from each county', () => {
    const clark = '32,45,32,0,0,0,0,20000101,29991231\n32,00,003,.08375,.08375,0,0,20200101,29991231\n'
    const nevada = ratesOfFile(read(clark, 'NV').made, [], { ...AS, state: 'NV', included: 68_500 })
    expect(nevada.jurisdictions[0]?.rates[0]?.rate_millionths).toBe(15_250)
  })

  it.each([
    ['a row that is cut off', '20,00,177,0.01350,0.0135'],
    ['another state', '29,00,177,.01,.01,.01,.01,20230401,20991231'],
    ['an unknown type', '20,55,177,.01,.01,.01,.01,20230401,20991231'],
    ['a percentage', '20,00,177,1.35,1.35,1.35,1.35,20230401,20991231'],
    ['a rate above all that exist', '20,00,177,.2,.2,.2,.2,20230401,20991231'],
    ['a negative rate', '20,00,177,-.01,-.01,-.01,-.01,20230401,20991231'],
    ['a day that does not exist', '20,00,177,.01,.01,.01,.01,20230231,20991231'],
    ['an end before the begin', '20,00,177,.01,.01,.01,.01,20230401,20230331'],
    ['a page', '<html><body>Access denied</body></html>'],
  ])('is refused: %s', (_, row) => {
    expect(() => read(`${KANSAS}${row}\n`)).toThrow(/does not understand 1 of 9 records/)
  })
})
