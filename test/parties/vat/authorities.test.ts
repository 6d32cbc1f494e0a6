import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { askHmrc } from '../../../src/parties/vat/authorities/hmrc.ts'
import { askVies } from '../../../src/parties/vat/authorities/vies.ts'
import { type AskedFor, AUTHORITY_HOST, type Said } from '../../support/authority-server.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const IRISH = { country: 'IE', number: '6388047V' }
const BRITISH = { country: 'GB', number: '553557881' }

let folder = ''
let bindings: Bindings = env
beforeEach(() => {
  folder = crypto.randomUUID()
  const base = `https://${AUTHORITY_HOST}/${folder}`
  bindings = {
    ...env,
    VIES_REST_URL: base,
    VIES_SOAP_URL: `${base}/soap`,
    HMRC_URL: base,
    HMRC_CLIENT_ID: 'id',
    HMRC_CLIENT_SECRET: 'a secret',
  }
  forgetAll()
})

async function say(way: 'rest' | 'soap' | 'token' | 'lookup', said: Said): Promise<void> {
  await fetch(`https://${AUTHORITY_HOST}/${folder}/${way}`, { method: 'PUT', body: JSON.stringify(said) })
}
async function questions(): Promise<AskedFor[]> {
  return (await fetch(`https://${AUTHORITY_HOST}/${folder}?asked`)).json()
}

const checked = (more: object = {}) =>
  JSON.stringify({
    countryCode: 'IE',
    vatNumber: '6388047V',
    requestDate: '2026-11-21T12:00:00.000Z',
    valid: true,
    requestIdentifier: '',
    name: 'EXAMPLE LIMITED',
    address: '1 EXAMPLE STREET\nDUBLIN 4',
    traderNameMatch: 'NOT_PROCESSED',
    ...more,
  })
const refusal = (error: string) => JSON.stringify({ actionSucceed: false, errorWrappers: [{ error }] })
const soap = (inner: string) =>
  `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>${inner}</env:Body></env:Envelope>`
const soapChecked = (valid: boolean, number = '6388047V') =>
  soap(
    `<ns2:checkVatResponse xmlns:ns2="urn:ec.europa.eu:taxud:vies:services:checkVat:types"><ns2:countryCode>IE</ns2:countryCode><ns2:vatNumber>${number}</ns2:vatNumber><ns2:requestDate>2026-11-21+01:00</ns2:requestDate><ns2:valid>${valid}</ns2:valid><ns2:name>EXAMPLE &amp; LIMITED</ns2:name><ns2:address>---</ns2:address></ns2:checkVatResponse>`,
  )
const fault = (code: string) =>
  soap(`<env:Fault><faultcode>env:Server</faultcode><faultstring>${code}</faultstring></env:Fault>`)

const CODES = [
  'INVALID_INPUT',
  'INVALID_REQUESTER_INFO',
  'SERVICE_UNAVAILABLE',
  'MS_UNAVAILABLE',
  'TIMEOUT',
  'VAT_BLOCKED',
  'IP_BLOCKED',
  'GLOBAL_MAX_CONCURRENT_REQ',
  'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  'MS_MAX_CONCURRENT_REQ',
  'MS_MAX_CONCURRENT_REQ_TIME',
]

describe('VIES', () => {
  it('says yes with name and address', async () => {
    await say('rest', { body: checked() })
    expect(await askVies(bindings, IRISH, null)).toEqual({
      status: 'valid',
      source: 'European Commission, VIES',
      company_name: 'EXAMPLE LIMITED',
      company_address: '1 EXAMPLE STREET\nDUBLIN 4',
      consultation_number: null,
    })
    expect(await questions()).toMatchObject([
      { path: '/check-vat-number', body: '{"countryCode":"IE","vatNumber":"6388047V"}' },
    ])
  })

  it('gives a consultation number to a requester, both halves of whom are sent', async () => {
    await say('rest', { body: checked({ requestIdentifier: 'WAPIAAAAZ1' }) })
    expect(await askVies(bindings, IRISH, { country: 'GR', number: '094259216' })).toMatchObject({
      consultation_number: 'WAPIAAAAZ1',
    })
    const [asked] = await questions()
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      requesterMemberStateCode: 'EL',
      requesterNumber: '094259216',
    })
  })

  it('says no', async () => {
    await say('rest', { body: checked({ valid: false, name: '---', address: '---' }) })
    expect(await askVies(bindings, IRISH, null)).toMatchObject({ status: 'invalid' })
  })

  it('does not disclose a name as null', async () => {
    await say('rest', { body: checked({ name: '---', address: '' }) })
    expect(await askVies(bindings, IRISH, null)).toMatchObject({
      status: 'valid',
      company_name: null,
      company_address: null,
    })
  })

  it.each(CODES.flatMap((code) => [200, 400, 500].map((status) => [code, status] as const)))(
    'is not available when it says %s with status %s',
    async (code, status) => {
      await say('rest', { status, body: refusal(code) })
      await say('soap', { status: 500, body: fault(code), type: 'text/xml' })
      expect(await askVies(bindings, IRISH, null)).toMatchObject({ status: 'unavailable', reason: code })
    },
  )

  it.each<[string, Said]>([
    ['HTML with status 200', { body: '<html><body>valid: false</body></html>', type: 'text/html' }],
    ['a 503', { status: 503, body: '' }],
    ['half of its JSON', { body: checked({ valid: false }).slice(0, 60) }],
    ['nothing', { body: '' }],
    ['null', { body: 'null' }],
    ['a list', { body: '[]' }],
    ['valid as a text', { body: checked({ valid: 'false' }) }],
    ['no valid at all', { body: checked({ valid: undefined }) }],
    ['another number', { body: checked({ valid: false, vatNumber: '1' }) }],
    ['another country', { body: checked({ valid: false, countryCode: 'DE' }) }],
    ['an error that nobody knows', { body: refusal('<script>') }],
    ['a good body with status 500', { status: 500, body: checked({ valid: false }) }],
    ['a redirect', { status: 302, body: checked({ valid: false }) }],
    ['429', { status: 429, body: '' }],
  ])('is not available when it answers %s', async (_, said) => {
    await say('rest', said)
    expect(await askVies(bindings, IRISH, null)).toMatchObject({
      status: 'unavailable',
      reason: expect.stringMatching(/^[a-z_]+$/),
    })
  })

  it('is asked over SOAP where REST does not work', async () => {
    await say('soap', { body: soapChecked(true), type: 'text/xml' })
    expect(await askVies(bindings, IRISH, null)).toMatchObject({ status: 'valid', company_address: null })
    const asked = await questions()
    expect(asked.map(({ path }) => path)).toEqual(['/check-vat-number', '/soap'])
    expect(asked[1]?.body).toContain('<t:countryCode>IE</t:countryCode><t:vatNumber>6388047V</t:vatNumber>')
    await say('soap', { body: soapChecked(false), type: 'text/xml' })
    expect(await askVies(bindings, IRISH, null)).toMatchObject({ status: 'invalid' })
  })

  it.each<[string, string]>([
    ['another number', soapChecked(false, '1')],
    ['half of its XML', soapChecked(false).slice(0, 200)],
    ['entities', `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(1_000)}">]>${soap('&a;')}`],
    ['nothing that fits', soap('<valid>false</valid>')],
  ])('is not available when SOAP answers %s', async (_, body) => {
    await say('soap', { body, type: 'text/xml' })
    expect(await askVies(bindings, IRISH, null)).toMatchObject({ status: 'unavailable' })
  })

  it('is not asked a second time where the member state itself does not answer', async () => {
    await say('rest', { body: refusal('MS_UNAVAILABLE') })
    await askVies(bindings, IRISH, null)
    expect(await questions()).toHaveLength(1)
  })

  it('is not available when it takes too long', { timeout: 30_000 }, async () => {
    await say('rest', { body: checked({ valid: false }), hangs: true })
    expect(await askVies(bindings, IRISH, null)).toMatchObject({ status: 'unavailable', reason: 'timeout' })
  })
})

describe('HMRC', () => {
  const token = {
    body: JSON.stringify({
      access_token: 'opaque',
      token_type: 'bearer',
      expires_in: 14_400,
      scope: 'read:vat',
    }),
  }
  const target = {
    name: 'Example Ltd',
    vatNumber: '553557881',
    address: { line1: '1 High Street', postcode: 'SW97 5CK', countryCode: 'GB' },
  }

  it('says yes with name, address and consultation number, with one token for several questions', async () => {
    await say('token', token)
    await say('lookup', {
      body: JSON.stringify({ target, requester: '146295999727', consultationNumber: 'AAA-BBB-CCC' }),
    })
    const requester = { country: 'GB', number: '146295999727' }
    for (let count = 0; count < 2; count += 1)
      expect(await askHmrc(bindings, BRITISH, requester, NOW)).toEqual({
        status: 'valid',
        source: 'HM Revenue & Customs',
        company_name: 'Example Ltd',
        company_address: '1 High Street\nSW97 5CK\nGB',
        consultation_number: 'AAA-BBB-CCC',
      })
    const asked = await questions()
    expect(asked.map(({ path }) => path)).toEqual([
      '/oauth/token',
      '/organisations/vat/check-vat-number/lookup/553557881/146295999727',
      '/organisations/vat/check-vat-number/lookup/553557881/146295999727',
    ])
    expect(asked[0]?.body).toBe(
      'client_id=id&client_secret=a+secret&grant_type=client_credentials&scope=read%3Avat',
    )
    expect(asked[1]).toMatchObject({
      authorization: 'Bearer opaque',
      accept: 'application/vnd.hmrc.2.0+json',
    })
  })

  it('gets a new token when the old one ends', async () => {
    await say('token', token)
    await say('lookup', { body: JSON.stringify({ target }) })
    await askHmrc(bindings, BRITISH, null, NOW)
    await askHmrc(bindings, BRITISH, null, new Date(NOW.getTime() + 14_339_000))
    await askHmrc(bindings, BRITISH, null, new Date(NOW.getTime() + 14_341_000))
    expect((await questions()).filter(({ path }) => path === '/oauth/token')).toHaveLength(2)
  })

  it('says no by its own NOT_FOUND alone', async () => {
    await say('token', token)
    await say('lookup', {
      status: 404,
      body: JSON.stringify({ code: 'NOT_FOUND', message: 'targetVrn does not match a registered company' }),
    })
    expect(await askHmrc(bindings, BRITISH, null, NOW)).toMatchObject({ status: 'invalid' })
  })

  it.each<[string, Said, string]>([
    [
      'a wrong path',
      { status: 404, body: '{"code":"MATCHING_RESOURCE_NOT_FOUND"}' },
      'MATCHING_RESOURCE_NOT_FOUND',
    ],
    ['a bad request', { status: 400, body: '{"code":"INVALID_REQUEST"}' }, 'INVALID_REQUEST'],
    ['an unknown requester', { status: 403, body: '{"code":"INVALID_REQUEST"}' }, 'INVALID_REQUEST'],
    ['a refused token', { status: 401, body: '{"code":"INVALID_CREDENTIALS"}' }, 'INVALID_CREDENTIALS'],
    ['its limit', { status: 429, body: '{"code":"MESSAGE_THROTTLED_OUT"}' }, 'rate_limited'],
    ['a fault', { status: 500, body: '{"code":"INTERNAL_SERVER_ERROR"}' }, 'INTERNAL_SERVER_ERROR'],
    ['maintenance', { status: 503, body: '{"code":"SCHEDULED_MAINTENANCE"}' }, 'SCHEDULED_MAINTENANCE'],
    ['a gateway', { status: 504, body: '{"code":"GATEWAY_TIMEOUT"}' }, 'GATEWAY_TIMEOUT'],
    ['HTML', { status: 404, body: '<html>NOT_FOUND</html>', type: 'text/html' }, 'unexpected_answer'],
    [
      'another number',
      { body: JSON.stringify({ target: { ...target, vatNumber: '1' } }) },
      'unexpected_answer',
    ],
    ['nothing', { body: '' }, 'unexpected_answer'],
  ])('is not available when it answers %s', async (_, said, reason) => {
    await say('token', token)
    await say('lookup', said)
    expect(await askHmrc(bindings, BRITISH, null, NOW)).toMatchObject({ status: 'unavailable', reason })
  })

  it('is not available without credentials, with wrong ones, or for numbers of another register', async () => {
    const { HMRC_CLIENT_ID: _id, ...without } = bindings
    expect(await askHmrc(without, BRITISH, null, NOW)).toMatchObject({
      status: 'unavailable',
      reason: 'not_configured',
    })
    await say('token', { status: 401, body: '{"error":"invalid_client"}' })
    expect(await askHmrc(bindings, BRITISH, null, NOW)).toMatchObject({
      status: 'unavailable',
      reason: 'credentials_refused',
    })
    expect(await askHmrc(bindings, { country: 'GB', number: 'GD001' }, null, NOW)).toMatchObject({
      reason: 'not_supported',
    })
  })
})
