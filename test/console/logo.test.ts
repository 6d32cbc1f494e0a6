import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LOGO } from '../../src/interfaces/pages/navigation.ts'

it('the sign beside the name is that of the tab', () => {
  const shapes = (svg: string) => svg.match(/<(?:rect|path|circle)[^>]*>/g)
  expect(shapes(LOGO)).toEqual(shapes(readFileSync('public/favicon.svg', 'utf8')))
})
