import type { BooksDb } from '../../platform/database/databases.ts'
import { DAY_MS, dayOf } from '../../platform/kit/calendar.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { commitSystemChange } from '../../platform/writes/system-change.ts'
import type { AccountEvent } from '../../notices/events/event-types.ts'
import { insertSweptEvents } from '../../notices/events/events.ts'
import {
  type EndedExemption,
  expireExemptionsOf,
  readEnded,
  readUnannounced,
  STILL_ENDED,
} from './expiry-store.ts'

const PAGE = 1_000
/** The rest waits for tomorrow. A sale compares the days itself, so a late status changes no tax. */
const PAGES_MAX = 20

const EXPIRING_DAYS = 30

/** A day ends in the last time zone of the Earth 12 hours after it ends in UTC. */
const LAST_ZONE_MS = DAY_MS / 2

/** Announces verified exemptions that end in 30 days or less. Each is announced once. */
export async function announceExpiring(books: BooksDb, now: Date): Promise<void> {
  const until = dayOf(new Date(now.getTime() + EXPIRING_DAYS * DAY_MS))
  await inSlices(async () => {
    const ending = await readUnannounced(books, dayOf(now), until, PAGE)
    if (ending.length > 0) await books.batch(insertSweptEvents(books, ending.map(expiring), now))
    return ending.length === PAGE
  })
}

function expiring(exemption: EndedExemption): AccountEvent {
  const { account_id, id, valid_to } = exemption
  const dedupe = `exemption.expiring ${id} ${valid_to}`
  return { type: 'exemption.expiring', account_id, dedupe, data: endOf(exemption) }
}

function expired(exemption: EndedExemption): AccountEvent {
  const { account_id, id, valid_to } = exemption
  const dedupe = `exemption.expired ${id} ${valid_to}`
  return { type: 'exemption.expired', account_id, dedupe, data: endOf(exemption) }
}

function endOf({ id, customer_id, jurisdiction_id, valid_to }: EndedExemption) {
  return { exemption_id: id, customer_id, jurisdiction_id, valid_to }
}

/**
 * Moves the verified exemptions of all accounts whose last day has passed in every time zone to expired, a
 * page at a time, each with its audit event in the same batch. One that is changed meanwhile is left alone.
 * The books do not contain the time zone of the account. Its calculations and lists look at the last day.
 */
export async function expireExemptions(books: BooksDb, now: Date): Promise<void> {
  const today = dayOf(new Date(now.getTime() - LAST_ZONE_MS))
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const ended = await readEnded(books, today, PAGE)
    if (ended.length > 0)
      await commitSystemChange(books, now, {
        changes: [
          ...insertSweptEvents(books, ended.map(expired), now),
          expireExemptionsOf(books, ended, today, now),
        ],
        audit: ended.map(({ account_id, id, valid_to }) => ({
          account_id,
          action: 'exemption.expired',
          resource_id: id,
          changed: ['status', 'ended_on'],
          values: {
            status: { old: 'verified', new: 'expired' },
            ended_on: { old: null, new: valid_to },
          },
        })),
        only_if: { sql: STILL_ENDED, values: [today] },
      })
    if (ended.length < PAGE) return
  }
}
