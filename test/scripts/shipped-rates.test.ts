import { describe, expect, it } from 'vitest'
import { hmrcRates } from '../../collectors/hmrc-rates.ts'
import { firstDayOf, monthOf, monthsAfter } from '../../src/platform/kit/calendar.ts'
import { daysOf, mergedDays, readShippedRates, textOfDays } from '../../scripts/shipped-data/shipped-rates.ts'

const hmrc = readShippedRates().find(({ series }) => series === 'hmrc')?.days ?? []

describe('the shipped exchange rates', () => {
  it('are months without a gap, a year of them', () => {
    expect(hmrc.length).toBeGreaterThanOrEqual(13)
    const [{ day: first } = { day: '' }] = hmrc
    expect(hmrc.map(({ day }) => day)).toEqual(
      hmrc.map((_, index) => firstDayOf(monthsAfter(monthOf(first), index))),
    )
  })

  it.each(Object.entries(hmrcRates.expected))('have %s within the bounds of the collector', (name, range) => {
    for (const { rates } of hmrc) {
      expect(rates[name]).toBeGreaterThanOrEqual(range[0])
      expect(rates[name]).toBeLessThanOrEqual(range[1])
    }
  })

  it('keep the currencies that are tied to another one', () => {
    for (const { rates } of hmrc) {
      const cross = (of: string, to: string) => (rates[of] ?? 0) / (rates[to] ?? 1)
      expect(cross('DKK', 'EUR')).toBeCloseTo(7.47, 1)
      expect(cross('AED', 'USD')).toBeCloseTo(3.6725, 2)
      expect(cross('SAR', 'USD')).toBeCloseTo(3.75, 2)
    }
  })
})

describe('the file of a series', () => {
  const days = [
    { day: '2026-09-01', rates: { EUR: 1_168_100, BGN: 2_254_600 } },
    { day: '2026-10-01', rates: { EUR: 1_166_500, JPY: 208_593_200 } },
  ]

  it('is read as it was written, with an empty cell for no rate', () => {
    expect(textOfDays(days)).toBe('day,EUR,BGN,JPY\n2026-09-01,1.1681,2.2546,\n2026-10-01,1.1665,,208.5932\n')
    expect(daysOf(textOfDays(days))).toEqual(days)
  })

  it.each(['1,1681', '-1', '0', 'one'])('cannot have the rate %s', (rate) => {
    expect(() => daysOf(`day,EUR\n2026-09-01,"${rate}"\n`)).toThrow(/EUR on 2026-09-01/)
  })

  it('takes what a collector has read in place of what it had, without the days before the oldest', () => {
    const collected = [{ day: '2026-10-01', rates: { EUR: 1_166_600 } }]
    expect(mergedDays(days, collected, '2026-10-01')).toEqual(collected)
    expect(mergedDays(days, collected, '2026-09-01')).toEqual([days[0], ...collected])
  })
})
