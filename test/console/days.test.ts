import { expect, it } from 'vitest'
import { withDays } from '../../console/format.ts'

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
