import type { Bindings } from '../bindings.ts'
import type { VatNumber, Verdict } from './authorities/authority.ts'
import { type Asker, askOnce } from './authorities/questions.ts'
import { authorityOf } from './countries.ts'
import { type ReadNumber, readNumber } from './read-number.ts'
import type { Validation } from './schemas.ts'

type Question = {
  vat_id: string
  country: string | undefined
  requester: VatNumber | null
  asker: Asker
}
type Remembered = { verdict: Verdict; checked_at: string; until: string }

const HELD_S = { valid: 86_400, invalid: 3_600 } as const

/**
 * Whether a VAT id is registered, by the authority of its country. A number that cannot be one is invalid
 * without a call. The requester is named to the authority that knows it, and to no other: VIES refuses the
 * question of a British one. Throws invalid_request.
 */
export async function validateVatId(env: Bindings, question: Question, now: Date): Promise<Validation> {
  const read = readNumber(question.vat_id, question.country)
  const requester =
    question.requester && authorityOf(question.requester.country) === authorityOf(read.country)
      ? question.requester
      : null
  if (!read.format_valid) {
    const reason = read.scheme_number ? 'scheme_number' : 'invalid_format'
    return present(
      read,
      { status: 'invalid', source: null, consultation_number: null },
      now.toISOString(),
      false,
      reason,
    )
  }
  const known = await recall(env, read, requester, now)
  if (known !== null) return present(read, known.verdict, known.checked_at, true)
  const asked = { number: read, requester, key: keyOf(read, requester) }
  const verdict = await askOnce(env, asked, question.asker, now)
  if (verdict.status !== 'unavailable') await remember(env, read, requester, verdict, now)
  return present(read, verdict, now.toISOString(), false)
}

/** A consultation number belongs to who asked, so the answer does too. */
function keyOf(asked: VatNumber, requester: VatNumber | null): string {
  const asker = requester === null ? '' : requester.country + requester.number
  return `vat:${asked.country}${asked.number}:${asker}`
}

/**
 * What is remembered counts by our own clock; the cache only forgets it. A cache that is down remembers
 * nothing.
 */
async function recall(
  env: Bindings,
  asked: VatNumber,
  requester: VatNumber | null,
  now: Date,
): Promise<Remembered | null> {
  const found = await env.KV.get<Remembered>(keyOf(asked, requester), 'json').catch(() => null)
  return found !== null && found.until > now.toISOString() ? found : null
}

async function remember(
  env: Bindings,
  asked: VatNumber,
  requester: VatNumber | null,
  verdict: Verdict,
  now: Date,
): Promise<void> {
  if (verdict.status === 'unavailable') return
  const seconds = HELD_S[verdict.status]
  const value: Remembered = {
    verdict,
    checked_at: now.toISOString(),
    until: new Date(now.getTime() + seconds * 1_000).toISOString(),
  }
  await env.KV.put(keyOf(asked, requester), JSON.stringify(value), { expirationTtl: seconds }).catch(
    () => undefined,
  )
}

function present(
  read: ReadNumber,
  verdict: Verdict,
  checked_at: string,
  cached: boolean,
  reason: string | null = null,
): Validation {
  const { status } = verdict
  return {
    vat_id: read.vat_id,
    country_code: read.country,
    vat_number: read.number,
    status,
    valid: status === 'unavailable' ? null : status === 'valid',
    format_valid: read.format_valid,
    company_name: status === 'valid' ? verdict.company_name : null,
    company_address: status === 'valid' ? verdict.company_address : null,
    consultation_number: status === 'unavailable' ? null : verdict.consultation_number,
    source: verdict.source,
    reason: status === 'unavailable' ? verdict.reason : reason,
    cached,
    checked_at,
  }
}
