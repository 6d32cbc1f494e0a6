import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { editableMoney, formatMoney, parseMoney } from '../../console/format.ts'
import { CURRENCIES } from '../../src/platform/http/iso-codes.ts'

/** Readers with each kind of sign between thousands and before decimals. */
const READERS = [
  'en-US',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pl-PL',
  'sv-SE',
  'pt-BR',
  'ja-JP',
  'ar-EG',
]

const currency = fc.constantFrom(...CURRENCIES.keys())
/** The service takes no larger amount. */
const amount = fc.oneof(
  fc.integer({ min: -1_000_000_000_000_000, max: 1_000_000_000_000_000 }),
  fc.integer({ min: -100_000_000, max: 100_000_000 }),
)

/** The browser of a reader: what names no language is in theirs. */
function readAs(reader: string): void {
  const { NumberFormat } = Intl
  vi.stubGlobal('Intl', {
    ...Object.fromEntries(Object.getOwnPropertyNames(Intl).map((name) => [name, Reflect.get(Intl, name)])),
    NumberFormat: function (language?: string, options?: Intl.NumberFormatOptions) {
      return new NumberFormat(language ?? reader, options)
    },
  })
}

afterEach(() => void vi.unstubAllGlobals())

describe.each(READERS)('an amount in the browser of %s', (reader) => {
  it.each([
    ['shown', formatMoney],
    ['to change', editableMoney],
  ])('is the same after it was typed as it is %s', (_, write) => {
    readAs(reader)
    fc.assert(
      fc.property(amount, currency, (minor, code) => {
        expect(parseMoney(write(minor, code), code, 'Amount') + 0).toBe(minor)
      }),
      { numRuns: 300 },
    )
  })

  it('is read by the signs of its language, or refused', () => {
    readAs(reader)
    const format = new Intl.NumberFormat(reader, { minimumFractionDigits: 2, numberingSystem: 'latn' })
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (minor) => {
        let read: number | null = null
        try {
          read = parseMoney(format.format(minor / 100), 'EUR', 'Amount') + 0
        } catch {
          // Groups of two digits, as of India, are refused, and marks of direction.
        }
        expect([minor, ...(['en-IN', 'ar-EG'].includes(reader) ? [null] : [])]).toContain(read)
      }),
    )
  })
})
