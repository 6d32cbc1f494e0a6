import type { Bindings } from '../../platform/bindings.ts'
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
type KeptVerdict = { verdict: Verdict; checked_at: string; until: string }

const HELD_S = { valid: 86_400, invalid: 3_600 } as const

/**
 * Asks the authority of its country whether a VAT id is registered. A number with a wrong form is invalid
 * without a question. The requester is named only to the authority that knows it, because VIES refuses
 * British ones. Throws invalid_request.
 */
export async function validateVatId(env: Bindings, question: Question, now: Date): Promise<Validation> {
  const read = readNumber(question.vat_id, question.country)
  const requester =
    question.requester && authorityOf(question.requester.country) === authorityOf(read.country)
      ? question.requester
      : null
  if (!read.format_valid) {
    const reason = read.scheme_number ? 'scheme_number' : 'invalid_format'
    return presentValidation(
      read,
      { status: 'invalid', source: null, consultation_number: null },
      now.toISOString(),
      false,
      reason,
    )
  }
  const known = await readAnswer(env, read, requester, now)
  if (known !== null) return presentValidation(read, known.verdict, known.checked_at, true)
  const asked = { number: read, requester, key: answerKeyOf(read, requester) }
  const verdict = await askOnce(env, asked, question.asker, now)
  if (verdict.status !== 'unavailable') await keepAnswer(env, read, requester, verdict, now)
  return presentValidation(read, verdict, now.toISOString(), false)
}

/** The key of an answer. It has the requester, because a consultation number is for the one who asked. */
function answerKeyOf(asked: VatNumber, requester: VatNumber | null): string {
  const asker = requester === null ? '' : requester.country + requester.number
  return `vat:${asked.country}${asked.number}:${asker}`
}

/** The kept answer, if it is still valid by our own clock. Null if the cache is down. */
async function readAnswer(
  env: Bindings,
  asked: VatNumber,
  requester: VatNumber | null,
  now: Date,
): Promise<KeptVerdict | null> {
  const found = await env.KV.get<KeptVerdict>(answerKeyOf(asked, requester), 'json').catch(() => null)
  return found !== null && found.until > now.toISOString() ? found : null
}

async function keepAnswer(
  env: Bindings,
  asked: VatNumber,
  requester: VatNumber | null,
  verdict: Verdict,
  now: Date,
): Promise<void> {
  if (verdict.status === 'unavailable') return
  const seconds = HELD_S[verdict.status]
  const value: KeptVerdict = {
    verdict,
    checked_at: now.toISOString(),
    until: new Date(now.getTime() + seconds * 1_000).toISOString(),
  }
  await env.KV.put(answerKeyOf(asked, requester), JSON.stringify(value), { expirationTtl: seconds }).catch(
    () => undefined,
  )
}

function presentValidation(
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
