import { type Tier, TIERS } from '../../../platform/tiers.ts'
import type { Bindings } from '../../../platform/bindings.ts'
import { heldMap } from '../../../platform/kit/memory.ts'
import { authorityOf } from '../countries.ts'
import type { VatNumber, Verdict } from './authority.ts'
import { askHmrc } from './hmrc.ts'
import { askVies } from './vies.ts'

/** The account that a question counts against. */
export type Asker = { account_id: string; tier: Tier }

/** A question to an authority. Questions with one key have one answer. */
type AuthorityQuestion = { number: VatNumber; requester: VatNumber | null; key: string }

/** How long an authority that is down is not asked again. */
const DOWN_MS = 30_000
const DOWN_MAX = 100
/** An authority is asked at most twice, each time for 8 s. */
const TWIN_WAIT_MS = 17_000

/** Reasons that mean an outage of the whole authority; those below, of the register of one member state. */
const OUTAGES = new Set([
  'timeout',
  'connection_failed',
  'rate_limited',
  'TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'SERVER_BUSY',
  'SERVER_ERROR',
  'INTERNAL_SERVER_ERROR',
  'GLOBAL_MAX_CONCURRENT_REQ',
  'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  'IP_BLOCKED',
])
const STATE_OUTAGES = new Set(['MS_UNAVAILABLE', 'MS_MAX_CONCURRENT_REQ', 'MS_MAX_CONCURRENT_REQ_TIME'])

/** Verdicts of outages in this isolate, by authority or member state. */
const down = heldMap<string, { verdict: Verdict; until: number }>()
/** Questions that wait for their answer in this isolate. */
const asking = heldMap<string, Promise<Verdict>>()

/**
 * Asks the authority of a number. If the same question waits for its answer in this isolate, returns that
 * answer. An authority that is down is not asked for 30 s. An account has a limit of questions a minute;
 * beyond it the verdict is unavailable, with the reason too_many_questions.
 */
export async function askOnce(
  env: Bindings,
  question: AuthorityQuestion,
  asker: Asker,
  now: Date,
): Promise<Verdict> {
  const outage = outageOf(question.number, now)
  if (outage !== null) return outage
  // A question that another request already asked does not count against the account.
  if (!asking.has(question.key) && !(await isAllowed(env, asker)))
    return { status: 'unavailable', source: null, reason: 'too_many_questions' }
  // Look again: another request may have asked it while the limiter was read.
  const twin = asking.get(question.key)
  const shared = twin === undefined ? null : await settledWithin(twin, TWIN_WAIT_MS)
  if (shared !== null) return shared
  const asked = askAuthority(env, question, now)
  asking.set(question.key, asked)
  try {
    const verdict = await asked
    rememberOutage(question.number, verdict, now)
    return verdict
  } finally {
    if (asking.get(question.key) === asked) asking.delete(question.key)
  }
}

async function askAuthority(
  env: Bindings,
  { number, requester }: AuthorityQuestion,
  now: Date,
): Promise<Verdict> {
  switch (authorityOf(number.country)) {
    case 'vies':
      return askVies(env, number, requester)
    case 'hmrc':
      return askHmrc(env, number, requester, now)
    case null:
      return { status: 'unavailable', source: null, reason: 'no_online_validation' }
  }
}

/** If the limiter fails, the question is allowed, as with requests. */
async function isAllowed(env: Bindings, { account_id, tier }: Asker): Promise<boolean> {
  if (env.RATE_LIMITS === 'off') return true
  try {
    return (await env[TIERS[tier].question_limiter].limit({ key: account_id })).success
  } catch {
    return true
  }
}

/** The verdict of a promise; null after `ms`, e.g. because the request that asked was cancelled. */
async function settledWithin(verdict: Promise<Verdict>, ms: number): Promise<Verdict | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, ms, null))
  return Promise.race([verdict.catch(() => null), timeout])
}

function outageOf({ country }: VatNumber, now: Date): Verdict | null {
  const found = [authorityOf(country), country].flatMap((name) => down.get(String(name)) ?? [])
  return found.find(({ until }) => until > now.getTime())?.verdict ?? null
}

function rememberOutage({ country }: VatNumber, verdict: Verdict, now: Date): void {
  if (verdict.status !== 'unavailable') return
  const place = STATE_OUTAGES.has(verdict.reason)
    ? country
    : OUTAGES.has(verdict.reason)
      ? authorityOf(country)
      : null
  if (place === null) return
  if (down.size >= DOWN_MAX) down.clear()
  down.set(place, { verdict, until: now.getTime() + DOWN_MS })
}
