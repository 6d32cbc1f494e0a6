import type { Fetch } from '../../retrying-fetch.ts'

/** Where HMRC is reached: its API, and its page to sign in. */
export type Hosts = { api: string; sign_in: string }

export const LIVE: Hosts = {
  api: 'https://api.service.hmrc.gov.uk',
  sign_in: 'https://www.tax.service.gov.uk',
}
/** HMRC's own place for tests, with test users. No return is filed there. */
export const SANDBOX: Hosts = {
  api: 'https://test-api.service.hmrc.gov.uk',
  sign_in: 'https://test-www.tax.service.gov.uk',
}

/** A business at HMRC, and how to reach it. `headers` are those against fraud. */
export type Business = {
  api: string
  vrn: string
  token: string
  fetch: Fetch
  headers: () => Record<string, string>
}

/** A return that HMRC expects: `O` is open, `F` fulfilled. */
export type Obligation = {
  periodKey: string
  start: string
  end: string
  due: string
  status: 'O' | 'F'
  received?: string
}

/** HMRC's answer to a return. `receipt_id` is that of the header. */
export type Receipt = {
  processingDate: string
  formBundleNumber: string
  paymentIndicator?: string
  chargeRefNumber?: string
  receipt_id: string | null
}

/** Days of obligations; null: all open ones, whatever their days. */
export type Days = { from: string; to: string } | null

/** The returns that HMRC expects: GET /organisations/vat/{vrn}/obligations. Throws if HMRC refuses. */
export async function readObligations(business: Business, days: Days): Promise<Obligation[]> {
  const query = new URLSearchParams(days === null ? { status: 'O' } : days)
  const response = await ask(business, `obligations?${query}`)
  const { obligations } = (await response.json()) as { obligations: Obligation[] }
  return obligations.toSorted((a, b) => (a.start < b.start ? -1 : 1))
}

/**
 * Submits a return: POST /organisations/vat/{vrn}/returns. The text is sent as it is, and only once. Throws
 * if HMRC refuses, or if it is unknown whether HMRC has it.
 */
export async function submitReturn(business: Business, text: string): Promise<Receipt> {
  const response = await ask(business, 'returns', text)
  const answer = (await response.json().catch(() => null)) as Omit<Receipt, 'receipt_id'> | null
  if (answer === null) throw new Error('HMRC took the return, and its receipt cannot be read')
  return { ...answer, receipt_id: response.headers.get('Receipt-ID') }
}

const UNKNOWN =
  'It is unknown whether HMRC has the return. ' +
  'Look with tax-compliance mtd obligations before you send it again'

async function ask(business: Business, path: string, body?: string): Promise<Response> {
  const { api, vrn, token, fetch, headers } = business
  const request = new Request(`${api}/organisations/vat/${vrn}/${path}`, {
    headers: {
      ...headers(),
      Accept: 'application/vnd.hmrc.1.0+json',
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body }),
  })
  const sends = body !== undefined
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    throw new Error(sends ? `No answer from HMRC. ${UNKNOWN}` : 'No answer from HMRC', { cause: error })
  }
  if (response.ok) return response
  const refusal = await refusalOf(response)
  throw new Error(sends && response.status >= 500 ? `${refusal}. ${UNKNOWN}` : refusal)
}

type Refusal = { code?: string; message?: string; errors?: { message?: string; path?: string }[] }

/** What HMRC says: its code and its words, and those of each field. */
export async function refusalOf(response: Response): Promise<string> {
  const { code, message, errors = [] } = ((await response.json().catch(() => ({}))) ?? {}) as Refusal
  const fields = errors.map(({ path, message: said }) => [path, said].filter(Boolean).join(': '))
  return [`HMRC answered ${response.status}`, code, message, ...fields].filter(Boolean).join(', ')
}
