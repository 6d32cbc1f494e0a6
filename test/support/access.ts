import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { claimsOf, newSigningKey, signAssertion, type SigningKey } from '../../scripts/access/assertion.ts'
import { addPerson } from '../../scripts/manage-account/people.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import type { Role } from '../../src/platform/database/values/roles.ts'
import { app } from '../../src/service/app.ts'
import { ISSUER_DOMAIN, type Published } from './issuer-server.ts'
import { newAddress } from './service.ts'

export const AUDIENCE = '32eafc7626e974616deaf0dc3ce63d7bcbed58a2731e84d06bc3cdf1b53c4228'

/** An issuer that speaks the protocol of Cloudflare Access, with a key that it publishes. */
export async function newIssuer() {
  const url = `https://${crypto.randomUUID()}${ISSUER_DOMAIN}`
  const key = await newSigningKey()
  const publish = async (answer: Published) => {
    const body = JSON.stringify(answer)
    await (await fetch(`${url}/cdn-cgi/access/certs`, { method: 'PUT', body })).text()
  }
  await publish({ keys: [key.public_jwk] })
  return {
    url,
    key,
    publish,
    asked: async () => Number(await (await fetch(`${url}/cdn-cgi/access/certs?asked`)).text()),
    /** The token of a person. `changed` replaces claims; undefined leaves one out. */
    token: (email: string, changed: Record<string, unknown> = {}, signer: SigningKey = key) => {
      const { now = new Date(), ...claims } = changed
      const of = now instanceof Date ? now : new Date()
      return signAssertion(signer, { ...claimsOf(url, AUDIENCE, email, of), ...claims })
    },
    bindings: { ...env, ACCESS_ISSUER: url, ACCESS_AUDIENCE: `another, ${AUDIENCE}` } satisfies Bindings,
  }
}

type Asked = { method?: string; body?: unknown; raw?: BodyInit; headers?: Record<string, string> }

/** Sends a request with an assertion, as Access passes it on, and with the header of the console. */
export async function ask(bindings: Bindings, assertion: string, path: string, asked: Asked = {}) {
  const { method = 'GET', body, raw, headers = {} } = asked
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const context = createExecutionContext()
  const response = await app.fetch(
    new Request(`https://service.test${path}`, {
      method,
      headers: {
        'CF-Connecting-IP': newAddress(),
        'Cf-Access-Jwt-Assertion': assertion,
        'X-Client': 'test',
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    }),
    bindings,
    context,
  )
  const text = await response.text()
  await waitOnExecutionContext(context)
  const is_json = response.headers.get('Content-Type') === 'application/json'
  const read: Record<string, unknown> = is_json && text !== '' ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, text, body: read }
}

/** Adds somebody to an account. Returns the id. */
export async function person(account_id: string, role: Role, email = `${crypto.randomUUID()}@example.com`) {
  const { id } = await addPerson(env.DB, account_id, { email, name: 'Kim Example', role }, new Date())
  return { id, email, role }
}
