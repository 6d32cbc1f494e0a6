/** What waits for a job at a moment (?1), as a count; and the ticks in which none may be left. */
type Wait = { sql: string; ticks: number }

const run = (name: string) => `SELECT count(*) AS n FROM job_cursors WHERE name = '${name}'`

/** Ticks of an hour, of a night, and of a day: those in which a job keeps its promise. */
const HOUR = 12
const NIGHT = 72
const DAY = 288

/** The jobs that may need several ticks, by their names in the log. */
export const WAITS: Readonly<Record<string, Wait>> = {
  sealAuditEvents: {
    sql: `SELECT count(*) AS n FROM audit_events
      WHERE NOT EXISTS (SELECT 1 FROM audit_seals WHERE audit_id = audit_events.id)`,
    ticks: HOUR,
  },
  makeSearchable: {
    sql: `SELECT count(*) AS n FROM transactions WHERE searchable = 0 AND facts LIKE '%invoice_number%'`,
    ticks: HOUR,
  },
  pruneIdempotencyKeys: {
    sql: `SELECT count(*) AS n FROM idempotency_keys WHERE created_at < strftime('%FT%TZ', ?1, '-1 day')`,
    ticks: HOUR,
  },
  eraseAgain: {
    sql: `SELECT count(*) AS n FROM customers WHERE name LIKE 'Ada Lovelace % erased'`,
    ticks: HOUR,
  },
  // The event of a return names the day, and its message comes within hours.
  announceReturns: { sql: run('announceReturns'), ticks: HOUR },
  compareUnionThreshold: { sql: run('compareUnionThreshold'), ticks: HOUR },
  announceThresholds: { sql: run('announceThresholds'), ticks: HOUR },
  sweepWebhooks: {
    sql: 'SELECT count(*) AS n FROM events WHERE account_pending = 1 OR fanned_out_at IS NULL',
    ticks: HOUR,
  },
  startDailyMessages: {
    sql: 'SELECT count(*) AS n FROM message_settings WHERE next_at <= ?1',
    ticks: HOUR,
  },
  // A run that is not done at the next night makes the quarter longer, in which each return has its turn.
  checkReturns: { sql: run('checkReturns'), ticks: DAY },
  backUp: { sql: run('backup'), ticks: NIGHT },
}
