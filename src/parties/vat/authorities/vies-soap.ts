import * as z from 'zod'
import type { Bindings } from '../../../platform/bindings.ts'
import { late } from '../../../platform/kit/late.ts'
import { askForReply, codeOf, type VatNumber, type Verdict } from './authority.ts'
import { isAnswerTo, VIES, viesCode, viesVerdict } from './vies-answer.ts'

const SOAP = 'https://ec.europa.eu/taxation_customs/vies/services/checkVatService'
const TYPES = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types'

const Fault = z.object({
  Envelope: z.object({ Body: z.object({ Fault: z.object({ faultstring: z.string() }) }) }),
})
const Checked = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.enum(['true', 'false']),
  name: z.string().optional(),
  address: z.string().optional(),
  traderName: z.string().optional(),
  traderAddress: z.string().optional(),
  requestIdentifier: z.string().optional(),
})
const Answer = z.object({
  Envelope: z.object({
    Body: z.object({ checkVatResponse: Checked.optional(), checkVatApproxResponse: Checked.optional() }),
  }),
})

/** Asks VIES over SOAP, the older interface. Its faults contain the same error codes as REST. */
export async function askViesBySoap(
  env: Bindings,
  asked: VatNumber,
  requester: VatNumber | null,
): Promise<Verdict> {
  const reply = await askForReply(env.VIES_SOAP_URL ?? SOAP, {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' },
    body: envelopeOf(asked, requester),
  })
  if (!reply.ok) return { status: 'unavailable', source: VIES, reason: reply.reason }
  const parsed = await parse(reply.text)
  const fault = Fault.safeParse(parsed)
  if (fault.success)
    return { status: 'unavailable', source: VIES, reason: codeOf(fault.data.Envelope.Body.Fault.faultstring) }
  const body = Answer.safeParse(parsed).data?.Envelope.Body
  const checked = body?.checkVatResponse ?? body?.checkVatApproxResponse
  if (reply.status !== 200 || checked === undefined || !isAnswerTo(checked, asked))
    return { status: 'unavailable', source: VIES, reason: 'unexpected_answer' }
  return viesVerdict(checked.valid === 'true', {
    name: checked.name ?? checked.traderName,
    address: checked.address ?? checked.traderAddress,
    consultation_number: checked.requestIdentifier,
  })
}

/** The request. Codes and numbers have the form of their country, so they cannot contain markup. */
function envelopeOf(asked: VatNumber, requester: VatNumber | null): string {
  const country = `<t:countryCode>${viesCode(asked.country)}</t:countryCode>`
  const number = `${country}<t:vatNumber>${withoutMarkup(asked.number)}</t:vatNumber>`
  const call =
    requester === null
      ? `<t:checkVat>${number}</t:checkVat>`
      : `<t:checkVatApprox>${number}` +
        `<t:requesterCountryCode>${viesCode(requester.country)}</t:requesterCountryCode>` +
        `<t:requesterVatNumber>${withoutMarkup(requester.number)}</t:requesterVatNumber></t:checkVatApprox>`
  const namespaces = `xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="${TYPES}"`
  const body = `<s:Body>${call}</s:Body>`
  return `<?xml version="1.0" encoding="UTF-8"?><s:Envelope ${namespaces}>${body}</s:Envelope>`
}

/** A text without the characters of markup. The forms of numbers exclude them; this is a second barrier. */
function withoutMarkup(text: string): string {
  return text.replaceAll(/[<>&]/g, '')
}

/** The reader is evaluated at its first use, because REST answers nearly always. */
const xmlReader = late(() => import('../../../platform/read-xml.ts'))

async function parse(text: string): Promise<unknown> {
  const { readXml } = await xmlReader.load()
  try {
    return readXml(text)
  } catch {
    return null
  }
}
