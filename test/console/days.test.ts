import { expect, it } from 'vitest'
import { momentText, setZone, withDays } from '../../console/format.ts'

it('a text has its days as people write them', () => {
  expect(withDays('From 2019-04-01 (2026-09-30: the last day)')).toBe(
    'From 1 Apr 2019 (30 Sep 2026: the last day)',
  )
})

it.each(['2026-10-43', '2026-13-01', '2026-10-435', 'RE-2026-10-04', '2026-10-04-7', '12026-10-04'])(
  'the number %s of an invoice stays as it is',
  (number) => {
    expect(withDays(`external_id: ${number} is taken`)).toBe(`external_id: ${number} is taken`)
  },
)

it('a day without a time is a day, and any other moment has its time', () => {
  setZone('Europe/Berlin')
  expect(momentText('2026-03-09T23:00:00.000Z')).toBe('10 Mar 2026')
  expect(momentText('2026-03-09T23:01:00.000Z')).toBe('10 Mar 2026, 00:01')
  setZone(null)
})
