import { expect, it } from 'vitest'
import { printedBox } from '../../console/returns/forms.ts'

it.each([
  ['81', '81'],
  ['81-tax', '81'],
  ['9B-tax', '9B'],
  ['G1', 'G1'],
  ['ITR', 'ITR'],
  ['3 grunnlag', '3'],
  ['office-tax', ''],
  ['base 8 %', ''],
  ['late', ''],
])('box %s has the number "%s" on the form', (box, number) => {
  expect(printedBox(box)).toBe(number)
})
