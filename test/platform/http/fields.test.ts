import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../../src/platform/errors.ts'
import { countryName } from '../../../src/platform/http/country-name.ts'
import {
  CalendarDate,
  Country,
  Currency,
  JurisdictionId,
  MomentOrDay,
  Money,
  text,
} from '../../../src/platform/http/fields.ts'
import { COUNTRIES, CURRENCIES } from '../../../src/platform/http/iso-codes.ts'
import { validate } from '../../../src/platform/http/validate.ts'

function read(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  return result.success ? result.data : 'refused'
}

it.each([
  [0, 0],
  [-0, 0],
  [1e15, 1e15],
  [-1e15, -1e15],
  [1e15 + 1, 'refused'],
  [0.5, 'refused'],
  [Number.POSITIVE_INFINITY, 'refused'],
  [Number.NaN, 'refused'],
  ['100', 'refused'],
  [null, 'refused'],
  [true, 'refused'],
  [[100], 'refused'],
])('reads the amount %j as %j', (given, expected) => {
  expect(Object.is(read(Money, given), expected)).toBe(true)
})

it.each([
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', 'refused'],
  ['2026-02-30', 'refused'],
  ['2026-13-01', 'refused'],
  ['2026-1-1', 'refused'],
  [' 2026-01-01', 'refused'],
  ['10000-01-01', 'refused'],
  ['-001-01-01', 'refused'],
  ['2026-01-01T00:00:00Z', 'refused'],
  [20260101, 'refused'],
])('reads the date %j as %j', (given, expected) => {
  expect(read(CalendarDate, given)).toBe(expected)
})

it.each([
  ['2026-01-31', '2026-01-31'],
  ['2026-01-31T23:30:00-05:00', '2026-01-31T23:30:00-05:00'],
  ['2026-01-31T00:00:00', 'refused'],
  ['2026-01-31T25:00:00Z', 'refused'],
  ['2026-02-30T00:00:00Z', 'refused'],
  ['0000-01-01T00:00:00+14:00', 'refused'],
  ['9999-12-31T23:59:59-12:00', 'refused'],
])('reads the moment or day %j as %j', (given, expected) => {
  expect(read(MomentOrDay, given)).toBe(expected)
})

it.each([
  ['eur', 'EUR'],
  ['BGN', 'BGN'],
  ['XCG', 'XCG'],
  ['XXX', 'refused'],
  ['XAU', 'refused'],
  ['DEM', 'refused'],
  ['ıSK', 'refused'],
  ['EURO', 'refused'],
  ['__proto__', 'refused'],
])('reads the currency %j as %j', (given, expected) => {
  expect(read(Currency, given)).toBe(expected)
})

it.each([
  ['de', 'DE'],
  ['EL', 'GR'],
  ['uk', 'GB'],
  ['XI', 'XI'],
  ['AN', 'refused'],
  ['DD', 'refused'],
  ['YU', 'refused'],
  ['xk', 'XK'],
  ['IC', 'IC'],
  ['EA', 'refused'],
  ['EU', 'refused'],
  ['ZZ', 'refused'],
  ['DEU', 'refused'],
  ['ı1', 'refused'],
])('reads the country %j as %j', (given, expected) => {
  expect(read(Country, given)).toBe(expected)
})

it('knows every country of ISO 3166-1 by name, and as many currencies as ISO 4217 has in use', () => {
  expect(COUNTRIES.size).toBe(250)
  for (const code of COUNTRIES) expect(countryName(code), code).not.toBe(code)
  expect(CURRENCIES.size).toBeGreaterThan(155)
})

it.each([
  ['us-ca', 'US-CA'],
  ['EL', 'GR'],
  ['el-69', 'GR-69'],
  ['UK-X', 'GB-X'],
  ['constructor', 'refused'],
  ['U', 'refused'],
  ['US-', 'refused'],
])('reads the jurisdiction %j as %j', (given, expected) => {
  expect(read(JurisdictionId, given)).toBe(expected)
})

it('refuses text that neither UTF-8 nor the database can hold', () => {
  expect(read(text(10), '\ud800')).toBe('refused')
  expect(read(text(10), 'a\0b')).toBe('refused')
  expect(read(text(10), 'Zürich 😀')).toBe('Zürich 😀')
  expect(read(text(3), 'abcd')).toBe('refused')
})

describe('a fault', () => {
  const Body = z.strictObject({
    lines: z.array(z.strictObject({ amount: Money, kind: z.enum(['a', 'b'], 'must be a or b') })),
    on: CalendarDate.optional(),
  })

  function faultOf(value: unknown): ApiError {
    try {
      validate(Body, value)
    } catch (thrown) {
      if (thrown instanceof ApiError) return thrown
    }
    throw new Error('nothing was refused')
  }

  it('is named by its path, with a misspelt field in the message, else the first one', () => {
    const fault = faultOf({
      lines: [
        { amount: 1, kind: 'a' },
        { amount: '1', kind: 'c', ammount: 1 },
      ],
    })
    expect(fault.errors).toEqual([
      { path: 'lines[1].amount', message: 'must be an integer in minor units' },
      { path: 'lines[1].kind', message: 'must be a or b' },
      { path: 'lines[1].ammount', message: 'is not a known field: did you mean amount?' },
    ])
    expect(fault.message).toBe('lines[1].ammount: is not a known field: did you mean amount? (and 2 more)')
  })

  it('names the missing fields first in the message, and then a field that may be one of them', () => {
    expect(faultOf({}).message).toBe('lines: is required')
    expect(faultOf({ lines: [{}] }).message).toBe('lines[0].amount, lines[0].kind: are required')
    expect(faultOf({ line: [] }).message).toBe(
      'lines: is required; line: is not a known field: did you mean lines?',
    )
    expect(faultOf({ lines: [{ amount: 'x' }, { kind: 'c', other: 1 }] }).message).toBe(
      'lines[0].kind, lines[1].amount: are required; lines[1].other: is not a known field (and 2 more)',
    )
    const { message } = faultOf({ lines: Array.from({ length: 9 }, () => ({})) })
    expect(message).toMatch(/^(lines\[\d\]\.\w+, ){4}lines\[2\]\.amount: are required \(and 13 more\)$/)
  })

  it('says of a missing field that it is required', () => {
    expect(faultOf({}).errors).toEqual([{ path: 'lines', message: 'is required' }])
    expect(faultOf({ lines: [{}] }).errors).toEqual([
      { path: 'lines[0].amount', message: 'is required' },
      { path: 'lines[0].kind', message: 'is required' },
    ])
  })

  it('is one of at most 20, however many there are', () => {
    expect(faultOf({ lines: Array.from({ length: 500 }, () => ({})) }).errors).toHaveLength(20)
    expect(
      faultOf(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]))).errors,
    ).toHaveLength(20)
  })

  it('of the whole body is named body', () => {
    for (const value of [null, [], 'x', 1]) expect(faultOf(value).errors).toMatchObject([{ path: 'body' }])
  })
})
