import * as z from 'zod'
import type { Bindings } from '../../../platform/bindings.ts'
import { askForReply, codeOf, jsonOf, type VatNumber, type Verdict } from './authority.ts'
import { isAnswerTo, VIES, viesCode, viesVerdict } from './vies-answer.ts'
import { askViesBySoap } from './vies-soap.ts'

const REST = 'https://ec.europa.eu/taxation_customs/vies/rest-api'

const Refusal = z.object({
  actionSucceed: z.literal(false),
  errorWrappers: z.array(z.object({ error: z.string() })).min(1),
})
const Checked = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.boolean(),
  requestIdentifier: z.string().optional(),
  name: z.string().optional(),
  address: z.string().optional(),
})

/** Reasons of the member state itself. SOAP asks the same system, so it would not help. */
const FINAL = /^(MS_|VAT_BLOCKED|IP_BLOCKED|INVALID_)/

/**
 * Asks the Commission's VIES about a number of a member state or of Northern Ireland: over REST, and if that
 * fails over SOAP. Only `valid: false` without an error is a no. With a requester, the answer has a
 * consultation number.
 */
export async function askVies(
  env: Bindings,
  asked: VatNumber,
  requester: VatNumber | null,
): Promise<Verdict> {
  const verdict = await askByRest(env, asked, requester)
  if (verdict.status !== 'unavailable' || FINAL.test(verdict.reason)) return verdict
  const second = await askViesBySoap(env, asked, requester)
  return second.status === 'unavailable' ? verdict : second
}

async function askByRest(env: Bindings, asked: VatNumber, requester: VatNumber | null): Promise<Verdict> {
  const reply = await askForReply(`${env.VIES_REST_URL ?? REST}/check-vat-number`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({
      countryCode: viesCode(asked.country),
      vatNumber: asked.number,
      // VIES silently ignores one of the two without the other.
      ...(requester !== null && {
        requesterMemberStateCode: viesCode(requester.country),
        requesterNumber: requester.number,
      }),
    }),
  })
  if (!reply.ok) return { status: 'unavailable', source: VIES, reason: reply.reason }
  const body = jsonOf(reply.text)
  // Errors often come with status 200, so look for them before `valid`.
  const refusal = Refusal.safeParse(body)
  if (refusal.success)
    return { status: 'unavailable', source: VIES, reason: codeOf(refusal.data.errorWrappers[0]?.error) }
  const checked = Checked.safeParse(body)
  if (reply.status !== 200 || !checked.success || !isAnswerTo(checked.data, asked))
    return {
      status: 'unavailable',
      source: VIES,
      reason: reply.status === 429 ? 'rate_limited' : 'unexpected_answer',
    }
  const { valid, requestIdentifier, name, address } = checked.data
  return viesVerdict(valid, { name, address, consultation_number: requestIdentifier })
}
