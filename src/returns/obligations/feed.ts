import { placeOfCode } from '../../platform/http/place-name.ts'
import { isScheme, SCHEME_NAMES } from '../../engine/ground/schemes.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { toBase64 } from '../../platform/kit/base64.ts'
import { daysAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { shardOf } from '../../platform/database/shards.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { publicLink } from '../../platform/own-addresses.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { isOpen, type Obliged } from '../due/filed.ts'
import { readAllObligations } from '../due/open-returns.ts'
import { type CalendarDay, icalendarOf } from './icalendar.ts'
import type { CalendarFeedAnswer, CalendarFeedDeleted, NewCalendarFeedAnswer } from './schemas.ts'
import { readFeed, readFeedAccount, removeFeed, replaceFeed } from '../due/store.ts'

const TOKEN = /^([\w-]{32})\.ics$/
const PAST_DAYS = 92
const COMING_DAYS = 400

/**
 * Makes a new secret address, which is shown once. The old one stops at once. It has the host of the request,
 * `asked_url`, unless PUBLIC_URL is set.
 */
export async function createFeed(
  context: Context,
  asked_url: string,
): Promise<Answer<typeof NewCalendarFeedAnswer>> {
  const token = toBase64(crypto.getRandomValues(new Uint8Array(24)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  const created_at = context.now.toISOString()
  const { account_id } = context.principal
  await commit(context, {
    changes: [replaceFeed(context, await sha256(token))],
    audit: { action: 'calendar.created', resource_id: account_id, changed: [] },
    answer: { url: null, created_at },
  })
  return { url: publicLink(context.env, `/calendar/${token}.ics`, asked_url), created_at }
}

/** Whether the account has an address, and since when. */
export async function getFeed(context: Context): Promise<Answer<typeof CalendarFeedAnswer>> {
  return { created_at: (await readFeed(context))?.created_at ?? null }
}

/** Revokes the address. Throws not_found if there is none. */
export async function deleteFeed(context: Context): Promise<Answer<typeof CalendarFeedDeleted>> {
  const answer = { deleted: true } as const
  await commit(context, {
    changes: guarded(context.env.DB, removeFeed(context), 'not_found'),
    audit: { action: 'calendar.deleted', resource_id: context.principal.account_id, changed: [] },
    answer,
  })
  return answer
}

/**
 * The calendar at a secret address: the due dates of the account, without amounts. Throws not_found for an
 * address that is unknown or was revoked.
 */
export async function calendarAt(env: Bindings, file: string, now: Date): Promise<string> {
  const [, token] = TOKEN.exec(file) ?? []
  const account = token === undefined ? null : await readFeedAccount(env.DB, await sha256(token))
  if (account === null) throw new ApiError('not_found')
  const { account_id, name, country, time_zone, shard, ...counting } = account
  const today = dayIn(time_zone, now)
  const past = daysAfter(today, -PAST_DAYS)
  const { books } = shardOf(env, shard)
  const { obligations } = await readAllObligations(
    { control: env.DB, books, account_id, country, counting, today },
    null,
    daysAfter(today, COMING_DAYS),
  )
  const shown = obligations.filter((each) => each.due.due_date >= past || isOpen(each))
  return icalendarOf(`Tax returns of ${name}`, shown.map(dayOfReturn), now)
}

const OFF = { weekend: 'on a weekend', public_holiday: 'a public holiday' } as const
const WORDS = { return: 'return', ec_sales_list: 'recapitulative statement' } as const
const VERBS = { open: 'Due', due: 'Due', overdue: 'Due', filed: 'Filed', set_aside: 'Set aside' } as const

function dayOfReturn({ due, status }: Obliged): CalendarDay {
  const { document, registration, place, period, from_date, to_date, due_date, last_date, falls_on } = due
  const { jurisdiction_id, scheme } = registration
  const whose =
    scheme !== null && isScheme(scheme)
      ? `for ${SCHEME_NAMES[scheme]}`
      : `of ${placeOfCode(jurisdiction_id ?? '')}`
  const moved =
    last_date === due_date ? '' : `\nThe day is ${OFF[falls_on ?? 'weekend']}: at the latest on ${last_date}.`
  return {
    uid: `${registration.id}-${period}${document === 'return' ? '' : `-${document}`}@obligations`,
    day: due_date,
    summary: `${VERBS[status]}: ${WORDS[document]} ${whose}, ${period}`,
    description: `Period ${from_date} to ${to_date}.${moved}\nSource: ${place.source}${
      place.verified_at === null ? ', not verified' : `, read on ${place.verified_at}`
    }`,
    url: place.source_url,
  }
}
