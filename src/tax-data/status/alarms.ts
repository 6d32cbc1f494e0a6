import { keysOf } from '../../platform/kit/keys-of.ts'
import type { Alarm } from './schemas.ts'

/** `unmeasured` is said if there is no value; the others could not be measured. */
type Meaning = { threshold: number; says: (value: number) => string; unmeasured?: string }

/** After how many days a chest that is not sealed is reported. */
export const STUCK_DAYS = 3

const PLURAL = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** The values that an operator must watch. A value above its threshold is an alarm. */
const ALARMS = {
  minutes_since_tick: {
    threshold: 15,
    says: (value) => `The last cron tick was ${value} minutes ago: deliveries, deletions and collectors wait`,
    unmeasured: 'The collectors have not run yet: no cron tick is recorded',
  },
  unreachable_databases: {
    threshold: 0,
    says: (value) => `${PLURAL(value, 'database does', 'databases do')} not answer`,
  },
  fullest_database_percent: {
    threshold: 80,
    says: (value) => `A database is ${value} % full: add a shard and move accounts to it`,
  },
  dead_moves: {
    threshold: 0,
    says: (value) =>
      `${PLURAL(value, 'move of an account has', 'moves of accounts have')} no living process: ` +
      'run the command again, or undo it with --abort',
  },
  oldest_event_minutes: {
    threshold: 15,
    says: (value) => `An event has waited ${value} minutes for its fan-out: look at the queue webhook-events`,
  },
  oldest_delivery_minutes: {
    threshold: 15,
    says: (value) => `A delivery has been due for ${value} minutes: look at the queue webhook-deliveries`,
  },
  unreconciled_accounts: {
    threshold: 0,
    says: (value) =>
      `Filed returns of ${PLURAL(value, 'account differs', 'accounts differ')} from the books: ` +
      'npm run verify-returns says which, and what differs',
  },
  overdue_collectors: {
    threshold: 0,
    says: (value) =>
      `${PLURAL(value, 'collector has', 'collectors have')} been due for 6 hours: look at the queue work`,
  },
  unset_addresses: {
    threshold: 0,
    says: (value) =>
      `${value === 1 ? 'PUBLIC_URL or CONSOLE_URL is' : 'PUBLIC_URL and CONSOLE_URL are'} not set to an ` +
      'address, so links may lead to the wrong host: see docs/people.md',
  },
  unbound_chests: {
    threshold: 0,
    says: (value) =>
      `${PLURAL(value, 'account has', 'accounts have')} sealed sales, and no bucket is bound as CHESTS: ` +
      'they are not found, and their external ids may be used again',
  },
  stuck_chests: {
    threshold: 0,
    says: (value) =>
      `${PLURAL(value, 'chest has', 'chests have')} not been sealed for ${STUCK_DAYS} days: ` +
      'the log of the job sealSales says why',
  },
  broken_sessions: {
    threshold: 0,
    says: () => 'Queries through sessions of D1 hang: switch read replication off',
  },
} as const satisfies Record<string, Meaning>

type AlarmName = keyof typeof ALARMS

export const ALARM_NAMES = keysOf(ALARMS)

/** What was measured. Null: it could not be. */
export type Measured = Readonly<Partial<Record<AlarmName, number | null>>>

/** The alarms of what was measured, in their order. What could not be measured is an alarm too. Pure. */
export function alarmsOf(measured: Measured): Alarm[] {
  return ALARM_NAMES.flatMap((name): Alarm[] => {
    const value = measured[name]
    if (value === undefined) return []
    const { threshold, says, unmeasured = 'It could not be measured' }: Meaning = ALARMS[name]
    const raised = value === null || value > threshold
    const message = value === null ? unmeasured : raised ? says(value) : null
    return [{ name, status: raised ? 'warn' : 'pass', value, threshold, message }]
  })
}
