import { expect, it } from 'vitest'
import listed from '../../data/subdivisions.json' with { type: 'json' }
import { subdivisionsOf } from '../../scripts/checks/subdivisions.ts'
import { regionsOf } from '../../src/platform/http/subdivisions.ts'
import { iso31662 } from 'iso-3166'

it('are those of the library, from which npm run subdivisions:write makes them', () => {
  expect(listed).toEqual(subdivisionsOf())
})

it('are read back with code and name', () => {
  const read = Object.keys(listed).flatMap((country) => regionsOf(country))
  // Mail to the armed forces: codes of the post, which ISO 3166-2 does not list.
  const mail = ['US-AA', 'US-AE', 'US-AP']
  expect(read.filter(({ id }) => mail.includes(id))).toHaveLength(mail.length)
  expect(read.filter(({ id }) => !mail.includes(id))).toEqual(
    iso31662.map(({ code, name }) => ({ id: code, code: code.slice(3), name })),
  )
  expect(regionsOf('US').find(({ code }) => code === 'CA')?.name).toBe('California')
  expect(regionsOf('toString')).toEqual([])
})
