import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { insertEvents } from '../src/events/events.ts'
import { runJobs } from '../src/jobs.ts'
import { failing, withoutTable } from './faults/faulty.ts'
import { listening } from './support/queues.ts'
import { SYNCED } from './webhooks/subscribing.ts'

const NOW = new Date('2026-11-20T03:17:00Z')

/** The log lines of a tick, by job. */
async function tick(cron: string, bindings: Partial<typeof env>): Promise<Map<string, object>> {
  const lines: { job?: string }[] = []
  const keep = (line: string) => void lines.push(JSON.parse(line))
  const log = vi.spyOn(console, 'log').mockImplementation(keep)
  const error = vi.spyOn(console, 'error').mockImplementation(keep)
  await runJobs(cron, { ...env, ...bindings }, NOW)
  log.mockRestore()
  error.mockRestore()
  return new Map(lines.flatMap((line) => (line.job === undefined ? [] : [[line.job, line]])))
}

const done = expect.objectContaining({ outcome: 'done', duration_ms: expect.any(Number) })
const failed = expect.objectContaining({
  level: 'error',
  outcome: 'failed',
  duration_ms: expect.any(Number),
  error: expect.stringContaining('D1_ERROR'),
})

describe('the jobs of a tick', () => {
  it.each([
    [
      'idempotency_keys',
      {
        pruneIdempotencyKeys: failed,
        expireExemptions: done,
        pruneDeliveries: done,
        pruneReviews: done,
        compareUnionThreshold: done,
      },
    ],
    [
      'exemptions',
      {
        pruneIdempotencyKeys: done,
        expireExemptions: failed,
        pruneDeliveries: done,
        pruneReviews: done,
        compareUnionThreshold: done,
      },
    ],
    [
      'webhook_attempts',
      {
        pruneIdempotencyKeys: done,
        expireExemptions: done,
        pruneDeliveries: failed,
        pruneReviews: done,
        compareUnionThreshold: done,
      },
    ],
  ])(
    'at night run without each other, and say how they ended: %s cannot be read',
    async (table, expected) => {
      expect(Object.fromEntries(await tick('17 3 * * *', { DB: withoutTable(table) }))).toEqual(expected)
    },
  )

  it.each([
    ['collector_states', { queueDueSyncs: failed, sweepWebhooks: done, sweepValidations: done }],
    ['webhook_deliveries', { queueDueSyncs: done, sweepWebhooks: failed, sweepValidations: done }],
    ['vat_validations', { queueDueSyncs: done, sweepWebhooks: done, sweepValidations: failed }],
  ])('every five minutes run without each other: %s cannot be read', async (table, expected) => {
    const bindings = { DB: withoutTable(table), WORK: listening().queue }
    expect(Object.fromEntries(await tick('*/5 * * * *', bindings))).toEqual(expected)
  })

  it('send their messages though another queue takes nothing', async () => {
    await env.DB.batch(insertEvents(env.DB, [SYNCED], new Date(NOW.getTime() - 120_000)))
    const { queue, heard } = listening()
    const jobs = await tick('*/5 * * * *', { WORK: failing(env.WORK), WEBHOOK_EVENTS: queue })
    expect(heard).toEqual([{ kind: 'event', id: expect.any(String) }])
    expect(Object.fromEntries(jobs)).toEqual({
      queueDueSyncs: done,
      sweepWebhooks: done,
      sweepValidations: done,
    })
  })

  it('are none for a cron expression that has none', async () => {
    expect(await tick('0 0 * * *', {})).toEqual(new Map())
  })
})
