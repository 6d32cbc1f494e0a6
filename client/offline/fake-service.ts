import { ApiError } from '../../src/platform/errors.ts'
import { errorBody, statusOf, toApiError } from '../../src/platform/http/error-response.ts'
import { zoneOfPlace } from '../../src/platform/kit/time-zone.ts'
import type { AccountAnswer, CalculateRequest, Registration, SnapshotAnswer } from '../src/schema.ts'
import type { FakeRequest, FakeService, FakeServiceOptions } from '../src/testing.ts'
import { SnapshotError } from './books.ts'
import { createFakeBooks, type FakeBooks } from './fake-books.ts'
import { calculateOffline, type Loaded, openData } from './offline.ts'

const KEY = 'tcs_test_fake'
const LONG_AGO = '2000-01-01T00:00:00.000Z'

const ACCOUNT: AccountAnswer = {
  id: 'acct_fake',
  name: 'Test',
  tier: 'pro',
  sandbox: true,
  country: null,
  region: null,
  city: null,
  postal_code: null,
  line1: null,
  line2: null,
  vat_id: null,
  vat_id_policy: 'format',
  small_business: false,
  over_eu_threshold: false,
  global_turnover: null,
  establishments: [],
  time_zone: 'UTC',
  days_moving: false,
  filing: { uk_stagger: 1, fiscal_year_start: 1 },
  taxjar_api: { enabled: false, currency: null, accept_state_only: false },
  unknown_codes: 'refuse',
  four_eyes: false,
  created_at: LONG_AGO,
  updated_at: LONG_AGO,
  attention: [],
  queried_at: LONG_AGO,
}

/** `shipped`: the snapshot of the package as base64 of gzip. It is unpacked at the first calculation. */
export function fakeServiceWith(shipped: string, options: FakeServiceOptions = {}): FakeService {
  const { account = {}, registrations = [], answers = {}, snapshots, now = Date.now } = options
  const requests: FakeRequest[] = []
  let loading: Promise<Fake> | null = null
  const load = async (): Promise<Fake> => {
    const loaded = await openData({
      snapshots: snapshots === undefined ? [await unpacked(shipped)] : [...snapshots],
      account: { ...ACCOUNT, ...account, time_zone: zoneOf(account) },
      registrations: registrations.map(registrationOf),
    })
    return { loaded, books: createFakeBooks(loaded) }
  }
  const answer = async (asked: FakeRequest, key: string | null): Promise<unknown> => {
    const operation = `${asked.method} ${asked.path}`
    const given = answers[operation]
    if (given !== undefined) return given(asked)
    const served = SERVED.find(({ route }) => route.test(operation) && asked.query === '')
    if (served === undefined) return notGiven(`The fake has no answer to ${operation}: give it in answers`)
    return served.answer(await (loading ??= load()), { ...asked, key, now: new Date(now()) })
  }
  return {
    apiKey: KEY,
    requests,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.headers.get('Authorization') !== `Bearer ${KEY}`)
        return refusal(new ApiError('invalid_api_key'))
      const asked = await readRequest(request)
      requests.push(asked)
      try {
        const answered = await answer(asked, request.headers.get('Idempotency-Key'))
        return answered instanceof Response ? answered : Response.json(answered)
      } catch (error) {
        return error instanceof SnapshotError ? notGiven(error.message) : refusal(error)
      }
    },
  }
}

type Fake = { loaded: Loaded; books: FakeBooks }
type Asked = FakeRequest & { key: string | null; now: Date }

/** What the fake answers by itself. Each of them checks the request as the service does. */
const SERVED: readonly { route: RegExp; answer: (fake: Fake, asked: Asked) => unknown }[] = [
  {
    route: /^POST \/v1\/calculate$/,
    answer: ({ loaded }, { body, now }) => calculateOffline(loaded, body as CalculateRequest, now),
  },
  {
    route: /^POST \/v1\/transactions$/,
    answer: async ({ books }, asked) => Response.json(await books.record(asked), { status: 201 }),
  },
  {
    route: /^POST \/v1\/transactions\/[^/]+\/refund$/,
    answer: ({ books }, asked) => books.refund(nameIn(asked, 3), asked),
  },
  {
    route: /^GET \/v1\/transactions\/external\/[^/]+$/,
    answer: ({ books }, asked) => books.show({ external_id: nameIn(asked, 4) }, asked.now),
  },
  {
    route: /^GET \/v1\/transactions\/[^/]+$/,
    answer: ({ books }, asked) => books.show({ id: nameIn(asked, 3) }, asked.now),
  },
]

function nameIn({ path }: FakeRequest, part: number): string {
  return decodeURIComponent(path.split('/')[part] ?? '')
}

/** The service gives a new account the zone of its place as well. */
function zoneOf({ time_zone, country = null, region = null }: Partial<AccountAnswer>): string {
  return time_zone ?? zoneOfPlace(country, region)
}

async function readRequest(request: Request): Promise<FakeRequest> {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  return {
    method: request.method,
    path: pathname,
    query: search,
    body: text === '' ? null : JSON.parse(text),
  }
}

function refusal(thrown: unknown): Response {
  const error = toApiError(thrown)
  // What no caller may see of a service is what a test has to see.
  if (error.reason === 'internal_error') throw thrown
  return Response.json(errorBody(error, 'req_fake'), { status: statusOf(error) })
}

/** The client does not repeat a request after 501. */
function notGiven(message: string): Response {
  return Response.json({ error_code: 'INTERNAL_ERROR', message, reason: 'not_in_fake' }, { status: 501 })
}

/** A place or a scheme; a calculation reads only its name and days. */
function registrationOf(id: string): Registration {
  return {
    id: `reg_${id}`,
    jurisdiction_id: id,
    scheme: null,
    registration_number: null,
    valid_from: LONG_AGO.slice(0, 10),
    valid_to: null,
    filing_frequency: null,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  }
}

async function unpacked(shipped: string): Promise<SnapshotAnswer> {
  const bytes = Uint8Array.from(atob(shipped), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()
}
