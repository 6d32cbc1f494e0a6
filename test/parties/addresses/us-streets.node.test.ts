import { describe, expect, it } from 'vitest'
import { normaliseCity, normaliseStreet } from '../../../src/parties/addresses/us-streets.ts'

describe('a street of the United States', () => {
  it.each([
    ['1130 West 11th Street', '1130 W 11th St'],
    ['1130 W. 11th St., Suite 4', '1130 W 11th St Ste 4'],
    ['100 North Street', '100 North St'],
    ['12 Avenue Road Northwest', '12 Avenue Rd NW'],
    ['3700 SW 10th avenue apartment 3B', '3700 SW 10th Ave Apt 3B'],
    ['7 Broadway', '7 Broadway'],
    ['7 Park Plaza', '7 Park Plz'],
    ['PO Box 12', 'PO Box 12'],
    ['One Main Street', 'One Main Street'],
    ['100 Main Street , Suite 4', '100 Main St Ste 4'],
    ['100 , North Main Street', '100 N Main St'],
  ])('%s is written %s', (given, usual) => {
    expect(normaliseStreet(given)).toBe(usual)
  })
})

it('a city has no state behind it', () => {
  expect(normaliseCity('Austin, TX', 'TX')).toBe('Austin')
  expect(normaliseCity('Austin, T.X.', 'TX')).toBe('Austin')
  expect(normaliseCity('Washington, DC', 'MD')).toBe('Washington, DC')
})
