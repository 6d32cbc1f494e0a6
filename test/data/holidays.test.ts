import { expect, it } from 'vitest'
import listed from '../../data/holidays.json' with { type: 'json' }
import { holidaysOf } from '../../scripts/checks/holidays.ts'

it('are those of the library, from which npm run holidays:write makes them', () => {
  expect(listed).toEqual(holidaysOf())
})

it('are days of the whole country that the place keeps too', () => {
  const of = (place: string) =>
    listed.find(({ places }) => places.includes(place))?.days.filter((day) => day.startsWith('2026-1'))
  expect(of('DE')).toEqual(['2026-10-03', '2026-12-25', '2026-12-26'])
  // Texas keeps the day after Thanksgiving too, and California no Columbus Day.
  expect(of('US-TX')).toEqual(['2026-10-12', '2026-11-11', '2026-11-26', '2026-12-25'])
  expect(of('US-CA')).toEqual(['2026-11-11', '2026-11-26', '2026-12-25'])
  expect(of('oss_union')).toBeUndefined()
})
