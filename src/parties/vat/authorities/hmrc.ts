import * as z from 'zod'
import type { Bindings } from '../../../platform/bindings.ts'
import { askForReply, codeOf, disclosed, jsonOf, type VatNumber, type Verdict } from './authority.ts'
import { onForget } from '../../../platform/kit/memory.ts'

const API = 'https://api.service.hmrc.gov.uk'
const HMRC = 'HM Revenue & Customs'
/** A token that ends within this time is not used any more. */
const MARGIN_MS = 60_000

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const Found = z.object({
  target: z.object({
    name: z.string().optional(),
    vatNumber: z.string(),
    address: z.record(z.string(), z.unknown()).optional(),
  }),
  consultationNumber: z.string().optional(),
})
const Problem = z.object({ code: z.string() })

let held: { token: string; client_id: string; until: number } | null = null
onForget(() => {
  held = null
})

/**
 * Asks HMRC's "Check a UK VAT number" API 2.0 about a British number. Only its own NOT_FOUND is a no: a wrong
 * path or version answers 404 too, with another code.
 */
export async function askHmrc(
  env: Bindings,
  { number }: VatNumber,
  requester: VatNumber | null,
  now: Date,
): Promise<Verdict> {
  if (!env.HMRC_CLIENT_ID || !env.HMRC_CLIENT_SECRET) return unavailable('not_configured')
  // Government departments and health authorities are in another register.
  if (!/^(\d{9}|\d{12})$/.test(number)) return unavailable('not_supported')
  const token = await tokenOf(env, now)
  if (typeof token !== 'string') return unavailable(token.reason)
  const asker = requester?.country === 'GB' ? `/${requester.number}` : ''
  const path = `/organisations/vat/check-vat-number/lookup/${number}${asker}`
  const reply = await askForReply(`${env.HMRC_URL ?? API}${path}`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/vnd.hmrc.2.0+json' },
  })
  if (!reply.ok) return unavailable(reply.reason)
  const body = jsonOf(reply.text)
  const found = Found.safeParse(body)
  if (reply.status === 200 && found.success && found.data.target.vatNumber === number) {
    const { target, consultationNumber } = found.data
    return {
      status: 'valid',
      source: HMRC,
      company_name: disclosed(target.name),
      company_address: addressOf(target.address),
      consultation_number: disclosed(consultationNumber),
    }
  }
  const code = codeOf(Problem.safeParse(body).data?.code)
  if (reply.status === 404 && code === 'NOT_FOUND')
    return { status: 'invalid', source: HMRC, consultation_number: null }
  if (reply.status === 401) held = null
  return unavailable(reply.status === 429 ? 'rate_limited' : code)
}

/** An access token by client credentials. It is kept until shortly before it ends. */
async function tokenOf(env: Bindings, now: Date): Promise<string | { reason: string }> {
  const client_id = env.HMRC_CLIENT_ID ?? ''
  if (held !== null && held.client_id === client_id && held.until > now.getTime()) return held.token
  const reply = await askForReply(`${env.HMRC_URL ?? API}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams({
      client_id,
      client_secret: env.HMRC_CLIENT_SECRET ?? '',
      grant_type: 'client_credentials',
      scope: 'read:vat',
    }).toString(),
  })
  if (!reply.ok) return { reason: reply.reason }
  const token = Token.safeParse(jsonOf(reply.text))
  if (reply.status !== 200 || !token.success)
    return { reason: reply.status === 429 ? 'rate_limited' : 'credentials_refused' }
  held = {
    token: token.data.access_token,
    client_id,
    until: now.getTime() + token.data.expires_in * 1_000 - MARGIN_MS,
  }
  return held.token
}

/** The lines of an address in their order, as one text. */
function addressOf(address: Record<string, unknown> | undefined): string | null {
  return disclosed(
    ['line1', 'line2', 'line3', 'line4', 'postcode', 'countryCode']
      .map((name) => address?.[name])
      .filter((part) => typeof part === 'string')
      .join('\n'),
  )
}

function unavailable(reason: string): Verdict {
  return { status: 'unavailable', source: HMRC, reason }
}
