import { describe, expect, it } from 'vitest'
import {
  afterFailure,
  type FailedAttempt,
  FAILURES_MAX,
  RETRY_DELAYS_S,
  retryDelays,
  type WebhookState,
} from '../../src/notices/delivery/delivery-policy.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString()
const webhook = (state: Partial<WebhookState> = {}): WebhookState => ({
  status: 'active',
  consecutive_failures: 0,
  paused_until: null,
  last_failed_at: null,
  failure_counted_at: null,
  ...state,
})
/** An attempt that ended in failure now, and began when it ended. */
const failed = (attempt: number, more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  attempt,
  began: NOW,
  ended: NOW,
  retry_after_s: null,
  chance: 1,
  ...more,
})

describe('a failed delivery', () => {
  it.each([
    [1, 60],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 86_400],
  ])('waits after attempt %d for %d seconds', (attempts, seconds) => {
    expect(afterFailure(webhook(), failed(attempts)).delivery).toEqual({
      status: 'pending',
      next_attempt_at: after(seconds),
    })
  })

  it('has failed for good after its sixth attempt, though its webhook goes on', () => {
    expect(afterFailure(webhook(), failed(6))).toEqual({
      delivery: { status: 'failed', next_attempt_at: after(0) },
      webhook: webhook({
        consecutive_failures: 1,
        paused_until: after(60),
        last_failed_at: after(0),
        failure_counted_at: after(0),
      }),
      wake_at: null,
    })
  })

  it.each([
    // The first attempt of this one, while the webhook has failed three times before.
    [1, 3, 7_200],
    // The fourth attempt of this one, after which another was a success.
    [4, 0, 7_200],
    [2, 1, 300],
  ])(
    'is woken after attempt %d and %d failures before when both are over: in %d s',
    (attempts, failures, s) => {
      expect(afterFailure(webhook({ consecutive_failures: failures }), failed(attempts)).wake_at).toBe(
        after(s),
      )
    },
  )
})

describe('its webhook', () => {
  it.each([
    [0, 60],
    [1, 300],
    [2, 1_800],
    [3, 7_200],
  ])('with %d failures before pauses for %d seconds', (failures, seconds) => {
    const before = webhook({
      consecutive_failures: failures,
      paused_until: after(-1),
      last_failed_at: after(-9),
    })
    expect(afterFailure(before, failed(1)).webhook).toEqual({
      status: 'active',
      consecutive_failures: failures + 1,
      paused_until: after(seconds),
      last_failed_at: after(0),
      failure_counted_at: after(0),
    })
  })

  it('is disabled by the fifth failure in a row, and its delivery is held', () => {
    expect(afterFailure(webhook({ consecutive_failures: FAILURES_MAX - 1 }), failed(5))).toEqual({
      delivery: { status: 'pending', next_attempt_at: after(86_400) },
      webhook: {
        status: 'disabled',
        consecutive_failures: 5,
        paused_until: after(86_400),
        last_failed_at: after(0),
        failure_counted_at: after(0),
      },
      wake_at: null,
    })
  })

  it('counts nothing if it was disabled meanwhile', () => {
    const before = webhook({ status: 'disabled', consecutive_failures: 2, last_failed_at: after(-60) })
    expect(afterFailure(before, failed(1))).toEqual({
      delivery: { status: 'pending', next_attempt_at: after(60) },
      webhook: before,
      wake_at: null,
    })
  })

  it('that always fails is disabled 2 h 36 min after the first attempt', () => {
    let state = webhook()
    let now = NOW
    let attempts = 0
    for (;;) {
      attempts += 1
      const next = afterFailure(state, failed(attempts, { began: now, ended: now }))
      state = next.webhook
      if (next.wake_at === null) break
      now = new Date(next.wake_at)
    }
    expect({ attempts, status: state.status, at: now.toISOString() }).toEqual({
      attempts: 5,
      status: 'disabled',
      at: after(9_360),
    })
  })
})

describe('attempts at the same time', () => {
  const counted = webhook({
    consecutive_failures: 1,
    paused_until: after(60),
    last_failed_at: after(0),
    failure_counted_at: after(0),
  })
  const ended = new Date(NOW.getTime() + 5_000)

  it('are one failure, and what waits behind it comes up to 10 % later, never earlier', () => {
    for (const chance of [0, 0.5, 1]) {
      const began = new Date(NOW.getTime() - 1)
      const { webhook: state, wake_at, delivery } = afterFailure(counted, failed(1, { began, ended, chance }))
      expect(state).toEqual({ ...counted, last_failed_at: after(5) })
      expect(delivery).toEqual({ status: 'pending', next_attempt_at: after(5 + 60 + 6 * chance) })
      expect(wake_at).toBe(delivery.next_attempt_at)
    }
  })

  it('are two if the second began after the first had ended', () => {
    const began = new Date(NOW.getTime() + 1)
    expect(afterFailure(counted, failed(1, { began, ended })).webhook).toMatchObject({
      consecutive_failures: 2,
      failure_counted_at: after(5),
    })
  })
})

describe('Retry-After', () => {
  it.each([
    [30, 60],
    [600, 600],
    [86_400, 86_400],
  ])('of %d s makes the first retry wait %d s: it never shortens the schedule', (retry_after_s, waits) => {
    expect(afterFailure(webhook(), failed(1, { retry_after_s }))).toMatchObject({
      delivery: { next_attempt_at: after(waits) },
      webhook: { paused_until: after(waits) },
      wake_at: after(waits),
    })
  })
})

describe('WEBHOOK_RETRY_DELAYS', () => {
  it.each([
    ['2,2,2,2,2', [2, 2, 2, 2, 2]],
    ['0,0.5,1,1,1', [0, 0.5, 1, 1, 1]],
    [undefined, RETRY_DELAYS_S],
    ['', RETRY_DELAYS_S],
    ['1,2,3', RETRY_DELAYS_S],
    ['1,2,3,4,x', RETRY_DELAYS_S],
    ['1,2,3,4,-5', RETRY_DELAYS_S],
  ])('of %j gives %j', (text, expected) => {
    expect(retryDelays(text === undefined ? {} : { WEBHOOK_RETRY_DELAYS: text })).toEqual(expected)
  })
})
