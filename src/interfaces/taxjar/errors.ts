import { ApiError, type Reason } from '../../platform/errors.ts'
import { statusOf, toApiError } from '../../platform/http/error-response.ts'
import type { AskedRoute } from '../request/dialect.ts'
import { Refusal } from '../../engine/ground/refusal.ts'

/** The names of the statuses, as TaxJar writes them. */
const ERRORS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const
type TaxJarStatus = keyof typeof ERRORS

/** An error whose status and text callers of TaxJar know. */
export class TaxJarError extends ApiError {
  readonly status: TaxJarStatus

  constructor(status: TaxJarStatus, detail: string) {
    super(status === 404 ? 'not_found' : 'invalid_request', { message: detail })
    this.status = status
  }
}

/** Clients look for exactly these words. */
export const DUPLICATE = 'Provider tranx already imported for your user account'
export const NOT_FOUND = 'Resource can not be found'
const NO_ROUTE = 'The path is none of the API: check the address, which must end before /v2'

type TaxJarFault = { status: TaxJarStatus; error: string; detail: string }

/** The body of an error in the form of TaxJar, and the reason for our log line. */
export function faultOf(thrown: unknown, asked: AskedRoute): { fault: TaxJarFault; reason: string } {
  if (thrown instanceof TaxJarError)
    return { fault: faultWith(thrown.status, thrown.message), reason: `taxjar_${thrown.status}` }
  const error = toApiError(thrown)
  return { fault: faultOfApi(error, asked), reason: error.reason }
}

/** Our errors that TaxJar answers with a status and words of its own. */
const OWN_ERRORS: Readonly<Partial<Record<Reason, readonly [status: TaxJarStatus, detail: string]>>> = {
  external_id_taken: [422, DUPLICATE],
  not_found: [404, NOT_FOUND],
  route_not_found: [404, NO_ROUTE],
  method_not_allowed: [405, 'The path does not accept this method: use one of the Allow header'],
  transaction_not_replaceable: [
    400,
    'the order stays as it is: a credit note or a final invoice of another form rests on it',
  ],
  period_already_filed: [
    400,
    'the transaction is in a filed return: reopen it before you change the transaction',
  ],
}

function faultOfApi(error: ApiError, { method, path }: AskedRoute): TaxJarFault {
  const own = OWN_ERRORS[error.reason]
  if (own !== undefined) return faultWith(...own)
  const status = knownStatus(statusOf(error))
  if (status === 401) return faultWith(401, `Not authorized for route '${method} ${path}'`)
  const [first] = error.errors
  if (error.reason === 'invalid_request' && first?.message === 'is required')
    return faultWith(406, `${first.path} is missing`)
  return faultWith(status, first === undefined ? error.message : `${first.path} ${first.message}`)
}

function faultWith(status: TaxJarStatus, detail: string): TaxJarFault {
  return { status, error: ERRORS[status], detail }
}

function knownStatus(status: number): TaxJarStatus {
  return isKnown(status) ? status : 500
}

function isKnown(status: number): status is TaxJarStatus {
  return status in ERRORS
}

/** State and postal code as a request names them: `to_` of the customer, `from_` of the seller. */
type NamedAddress = Readonly<Partial<Record<'state' | 'zip', string | null | undefined>>>

/** Our names of the fields of a sale, and those of TaxJar. */
const FIELDS: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^customer\.address\.(.*)$/, 'to_$1'],
  [/^(?:seller|ship_from|customer)\.(?:address\.)?(.*)$/, 'from_$1'],
  [/^line_items\[(\d+)\]\.(?:tax_amount)$/, 'line_items[$1][sales_tax]'],
  [/^line_items\[(\d+)\]\.(.*)$/, 'line_items[$1][$2]'],
  [/^shipping_cost\b.*$/, 'shipping'],
  [/^currency$/, 'currency of the account'],
  [/^refunded_at$/, 'transaction_date'],
]
const WORDS = new Map([
  ['to_region', 'to_state'],
  ['to_postal_code', 'to_zip'],
  ['from_region', 'from_state'],
  ['from_postal_code', 'from_zip'],
])

/** Runs work on a sale, and names their fields in the errors. `to` is the address of the customer. */
export function inTheirWords<T>(to: NamedAddress, work: () => Promise<T> | T): Promise<T> | T {
  const fail = (thrown: unknown) => {
    throw translated(thrown, to)
  }
  try {
    const done = work()
    return done instanceof Promise ? done.catch(fail) : done
  } catch (thrown) {
    return fail(thrown)
  }
}

/** A failure of work on a sale, in their words. */
function translated(thrown: unknown, { state, zip }: NamedAddress): unknown {
  if (thrown instanceof TaxJarError || !(thrown instanceof Refusal || thrown instanceof ApiError))
    return thrown
  const error = toApiError(thrown)
  const [first] = error.errors
  if (first === undefined || statusOf(error) !== 400 || OWN_ERRORS[error.reason] !== undefined) return thrown
  if (error.reason === 'unknown_product_code')
    return new TaxJarError(400, `line_items include invalid tax codes: ${error.detail}`)
  const field = theirName(first.path)
  const misplaced = error.reason === 'region_postal_code_mismatch' || error.reason === 'invalid_postal_code'
  if (misplaced && field === 'to_zip' && zip && state)
    return new TaxJarError(400, `to_zip ${zip} is not used within to_state ${state}`)
  return new TaxJarError(400, `${field} ${first.message}`)
}

function theirName(path: string): string {
  for (const [ours, theirs] of FIELDS) {
    if (!ours.test(path)) continue
    const name = path.replace(ours, theirs)
    return WORDS.get(name) ?? name
  }
  return path
}
