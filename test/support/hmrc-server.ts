import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { faultsOfVatReturn } from './hmrc-schema.ts'

/**
 * The headers of OTHER_DIRECT in HMRC's fraud prevention specification 3.1, with the form of each. The
 * specification lets what cannot be collected be left out: here the licences and the second factor.
 */
const FRAUD_HEADERS: Readonly<Record<string, RegExp>> = {
  'gov-client-connection-method': /^OTHER_DIRECT$/,
  'gov-client-device-id': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'gov-client-local-ips': /^[\dA-Fa-f.%]+(,[\dA-Fa-f.%]+)*$/,
  'gov-client-local-ips-timestamp': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  'gov-client-mac-addresses': /^([\da-f]{2}%3A){5}[\da-f]{2}(,([\da-f]{2}%3A){5}[\da-f]{2})*$/,
  'gov-client-timezone': /^UTC[+-]\d\d:\d\d$/,
  'gov-client-user-agent':
    /^os-family=[\w.%~-]+&os-version=[\w.%~-]+&device-manufacturer=[\w.%~-]*&device-model=[\w.%~-]*$/,
  'gov-client-user-ids': /^os=[\w.%~-]+$/,
  'gov-vendor-product-name': /^[\w.%~-]+$/,
  'gov-vendor-version': /^tax-compliance=\d[\w.%~-]*$/,
}

/** A machine without a network has none of these. */
const OF_NETWORKS = ['gov-client-local-ips', 'gov-client-local-ips-timestamp', 'gov-client-mac-addresses']

type Refused = { status: number; code: string; message: string }

/** What the server was sent: the returns that it took, the codes, and faults of requests. */
export type HmrcServer = {
  origin: string
  vrn: string
  token: string
  returns: string[]
  /** When it takes a return. */
  now: string
  /** Forms of POST /oauth/token. */
  exchanged: URLSearchParams[]
  faults: string[]
  obligations: object[]
  /** Answers the next request of a return with this, and takes nothing. */
  refuse: Refused | null
  close: () => void
}

const RECEIPT = {
  paymentIndicator: 'DD',
  formBundleNumber: '256660290587',
  chargeRefNumber: 'aCxFaNx0FZsCvyWF',
}

/**
 * A local server with the paths, bodies, headers and errors that HMRC publishes for its VAT (MTD) API 1.0
 * (resources/public/api/conf/1.0/application.yaml of its repository vat-api).
 */
export async function serveHmrc(): Promise<HmrcServer> {
  const state: HmrcServer = {
    origin: '',
    vrn: '980780684',
    token: 'token-of-hmrc',
    returns: [],
    now: '2026-11-03T08:20:27.895Z',
    exchanged: [],
    faults: [],
    obligations: [
      { start: '2026-07-01', end: '2026-09-30', due: '2026-11-07', status: 'O', periodKey: '#001' },
      {
        start: '2026-04-01',
        end: '2026-06-30',
        due: '2026-08-07',
        status: 'F',
        periodKey: '18A1',
        received: '2026-08-06',
      },
    ],
    refuse: null,
    close: () => {},
  }
  const server = createServer((request, response) => void answer(state, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has a port')
  state.origin = `http://127.0.0.1:${address.port}`
  state.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return state
}

async function answer(state: HmrcServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', state.origin)
  const send = (status: number, body: object, headers: Record<string, string> = {}) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
  const refuse = ({ status, ...body }: Refused) => send(status, body)
  if (pathname === '/oauth/token') {
    state.exchanged.push(new URLSearchParams(await text(request)))
    return send(200, { access_token: state.token, expires_in: 14_400, token_type: 'bearer' })
  }
  checkHead(state, request)
  if (request.headers.authorization !== `Bearer ${state.token}`)
    return refuse({ status: 401, code: 'INVALID_CREDENTIALS', message: 'Invalid Authentication information' })
  const [, vrn, place] = /^\/organisations\/vat\/([^/]+)\/(obligations|returns)$/.exec(pathname) ?? []
  if (vrn !== state.vrn)
    return refuse({ status: 400, code: 'VRN_INVALID', message: 'The provided VRN is invalid' })
  if (place === 'obligations' && request.method === 'GET')
    return send(200, { obligations: obligationsOf(state, searchParams) })
  if (place !== 'returns' || request.method !== 'POST')
    return refuse({ status: 404, code: 'MATCHING_RESOURCE_NOT_FOUND', message: 'No such resource' })
  const { refused = state.refuse, sent } = await readReturn(state, request)
  if (refused !== null) return refuse(refused)
  state.returns.push(sent)
  send(
    201,
    { processingDate: state.now, ...RECEIPT },
    { 'receipt-id': '2dd537bc-4244-4ebf-bac9-96321be13cdc' },
  )
}

function checkHead({ faults }: HmrcServer, { headers }: IncomingMessage): void {
  if (headers.accept !== 'application/vnd.hmrc.1.0+json') faults.push(`Accept: ${headers.accept}`)
  for (const [name, form] of Object.entries(FRAUD_HEADERS))
    if (
      !(OF_NETWORKS.includes(name) && headers[name] === undefined) &&
      !form.test(String(headers[name] ?? ''))
    )
      faults.push(`${name}: ${String(headers[name])}`)
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith('gov-') && !(name in FRAUD_HEADERS)) faults.push(`${name}: ${String(value)}`)
}

function obligationsOf({ obligations, faults }: HmrcServer, query: URLSearchParams): object[] {
  const status = query.get('status')
  if (status === null && (query.get('from') === null || query.get('to') === null))
    faults.push('from and to are mandatory unless the status is O')
  return obligations.filter((each) => status === null || ('status' in each && each.status === status))
}

async function readReturn(
  state: HmrcServer,
  request: IncomingMessage,
): Promise<{ refused?: Refused; sent: string }> {
  if (request.headers['content-type'] !== 'application/json') state.faults.push('Content-Type')
  const body = await json(request)
  const sent = JSON.stringify(body)
  const [fault] = faultsOfVatReturn(body)
  if (fault !== undefined) return { refused: { status: 400, code: 'INVALID_REQUEST', message: fault }, sent }
  if (state.returns.length > 0)
    return {
      refused: {
        status: 403,
        code: 'DUPLICATE_SUBMISSION',
        message: 'The VAT return was already submitted for the given period',
      },
      sent,
    }
  return { sent }
}
