import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { insertSharedEvents } from '../../src/notices/events/events.ts'
import { runJobs } from '../../src/service/jobs.ts'
import { failing, withoutTable } from '../faults/faulty.ts'
import { listening } from '../support/queues.ts'
import { SYNCED } from '../notices/subscribing.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
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
  const NIGHTLY = {
    expireExemptions: done,
    checkReturns: done,
    sealStragglers: done,
    makeStragglersSearchable: done,
    announceReturns: done,
    announceThresholds: done,
    checkVatIdsAgain: done,
    announceExpiring: done,
    pruneCertificateRequests: done,
    pruneHistory: done,
    findOwnerlessFiles: done,
    findOwnerlessInBucket: done,
    backUp: done,
    backUpFiles: done,
    pruneBackups: done,
    pruneLocalParts: done,
    pruneAuditEvents: done,
    pruneMessages: done,
    pruneReviews: done,
    dropOrphanedOrders: done,
    readReleases: done,
    compareUnionThreshold: done,
  }
  const FREQUENT = {
    queueDueSyncs: done,
    watchOperations: done,
    tellOperator: done,
    endDeadMoves: done,
    moveDays: done,
    sweepWebhooks: done,
    sweepValidations: done,
    sweepVatChecks: done,
    pruneIdempotencyKeys: done,
    pruneDeliveries: done,
    eraseDocuments: done,
    backUp: done,
    backUpFiles: done,
    keepErasures: done,
    eraseAgain: done,
    resealInstalls: done,
    resealMessages: done,
    startDailyMessages: done,
    catchUpWithShops: done,
    resealSecrets: done,
    deleteOldCopies: done,
    dropAbandonedReturns: done,
    sealAuditEvents: done,
    makeSearchable: done,
    shareOldWords: done,
    sealSales: done,
    putAwayEvents: done,
    sealReturns: done,
    announceReturns: done,
    announceThresholds: done,
    checkReturns: done,
    compareUnionThreshold: done,
  }

  it.each([
    ['exemptions SET', { expireExemptions: done }],
    ['collector_runs', { pruneHistory: failed }],
    ['FROM exemptions', { expireExemptions: failed, announceExpiring: failed }],
    ['certificate_requests', { pruneCertificateRequests: failed }],
  ])('at night run without each other, and say how they ended: %s fails', async (table, expected) => {
    const jobs = await tick('17 3 * * *', { DB: withoutTable(table) })
    expect(Object.fromEntries(jobs)).toEqual({ ...NIGHTLY, ...expected })
  })

  it.each([
    ['collector_states', { queueDueSyncs: failed }],
    ['webhook_attempts', { pruneDeliveries: failed }],
    ['idempotency_keys', { pruneIdempotencyKeys: failed }],
    ['FROM events', { sweepWebhooks: failed, pruneDeliveries: failed }],
    ['vat_validations', { sweepValidations: failed }],
    ['vat_checks', { sweepVatChecks: failed }],
  ])('every five minutes run without each other: %s fails', async (table, expected) => {
    const bindings = { DB: withoutTable(table), WORK: listening().queue, VALIDATIONS: listening().queue }
    expect(Object.fromEntries(await tick('*/5 * * * *', bindings))).toEqual({ ...FREQUENT, ...expected })
  })

  it('send their messages though another queue takes nothing', async () => {
    await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], new Date(NOW.getTime() - 120_000)))
    const { queue, heard } = listening()
    const jobs = await tick('*/5 * * * *', {
      WORK: failing(env.WORK),
      VALIDATIONS: failing(env.VALIDATIONS),
      WEBHOOK_EVENTS: queue,
    })
    expect(heard).toEqual(
      expect.arrayContaining([
        { kind: 'event', id: expect.any(String), shard: 0 },
        { kind: 'jobs', id: '*/5 * * * *', shard: 1 },
        { kind: 'jobs', id: '*/5 * * * *', shard: 2 },
      ]),
    )
    expect(Object.fromEntries(jobs)).toEqual(FREQUENT)
  })

  it('send the messages of all events that a night may announce', async () => {
    const events = Array.from({ length: 2_000 }, () => SYNCED)
    await env.DB.batch(insertSharedEvents(env.DB, events, new Date(NOW.getTime() - 120_000)))
    const { queue, heard } = listening()
    await tick('*/5 * * * *', { WEBHOOK_EVENTS: queue })
    expect(heard.filter(({ kind }) => kind === 'event').length).toBeGreaterThanOrEqual(events.length)
  })

  it('are none for a cron expression that has none', async () => {
    expect(await tick('0 0 * * *', {})).toEqual(new Map())
  })
})
