import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dueCrons, startTicks } from '../../scripts/ticks.ts'
import { readConfig } from '../../scripts/wrangler.ts'

const at = (time: string) => new Date(`${time}Z`)

describe('the minutes of a cron expression', () => {
  it.each([
    ['*/5 * * * *', '2026-11-29T23:55:00', '2026-11-29T23:54:00'],
    ['17 3 * * *', '2026-02-28T03:17:59', '2026-02-28T15:17:00'],
    ['0 9-17 * * 1-5', '2026-11-30T09:00:00', '2026-11-29T09:00:00'],
    ['30 0 1,15 */3 *', '2026-04-15T00:30:00', '2026-05-15T00:30:00'],
    ['10/20 * * * *', '2026-04-15T00:50:00', '2026-04-15T00:20:00'],
  ])('of %s', (cron, due, not) => {
    expect(dueCrons([cron], at(due))).toEqual([cron])
    expect(dueCrons([cron], at(not))).toEqual([])
  })

  it.each(['', '* * * *', '60 * * * *', '*/0 * * * *', 'a * * * *', '5-3 * * * *', '0 0 1 * 1', '0 0 0 * *'])(
    'of "%s" cannot be read',
    (cron) => {
      expect(() => dueCrons([cron], new Date())).toThrow('The cron expression')
    },
  )

  it('are those of a plain list of all values', () => {
    const field = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 1, max: 59 }))
    fc.assert(
      fc.property(field, fc.date({ noInvalidDate: true }), ([start, step], time) => {
        const minutes = Array.from({ length: 60 }, (_, minute) => minute).filter(
          (minute) => minute >= start && (minute - start) % step === 0,
        )
        const cron = `${start}/${step} * * * *`
        expect(dueCrons([cron], time).length).toBe(minutes.includes(time.getUTCMinutes()) ? 1 : 0)
        expect(dueCrons([`${minutes.join(',')} * * * *`], time).length).toBe(dueCrons([cron], time).length)
      }),
    )
  })
})

describe('the clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: at('2026-11-29T03:14:30.500') }))
  afterEach(() => void vi.useRealTimers())

  it('fires the ticks of wrangler.toml at their minutes', async () => {
    const fired: string[] = []
    const end = startTicks(
      readConfig().triggers.crons,
      async (cron, time) => fired.push(`${time.toISOString()} ${cron}`),
      (fault) => {
        throw fault
      },
    )
    await vi.advanceTimersByTimeAsync(6 * 60_000)
    expect(fired).toEqual([
      '2026-11-29T03:15:00.000Z */5 * * * *',
      '2026-11-29T03:17:00.000Z 17 3 * * *',
      '2026-11-29T03:20:00.000Z */5 * * * *',
    ])
    await end()
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(fired).toHaveLength(3)
  })

  it('fires no tick that still runs, and waits for it at the end', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const fire = vi.fn(() => promise)
    const end = startTicks(['* * * * *'], fire, vi.fn())
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    expect(fire).toHaveBeenCalledTimes(1)
    const ended = vi.fn()
    const ending = end().then(ended)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ended).not.toHaveBeenCalled()
    resolve(undefined)
    await ending
    expect(fire).toHaveBeenCalledTimes(1)
  })

  it('goes on after a tick that failed, and reports it', async () => {
    const report = vi.fn()
    const end = startTicks(['* * * * *'], () => Promise.reject(new Error('no')), report)
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(report.mock.calls).toEqual([
      [new Error('no'), '* * * * *'],
      [new Error('no'), '* * * * *'],
    ])
    await end()
  })

  it('refuses an expression that it cannot read', () => {
    expect(() => startTicks(['@daily'], vi.fn(), vi.fn())).toThrow('@daily')
  })
})
