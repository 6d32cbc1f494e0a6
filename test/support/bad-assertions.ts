import { base64url, SignJWT } from 'jose'
import { claimsOf, newSigningKey } from '../../scripts/access/assertion.ts'
import { AUDIENCE, type newIssuer } from './access.ts'

type Issuer = Awaited<ReturnType<typeof newIssuer>>

/** Tokens that must sign in nobody, each with a part of what the answer says. */
export async function badAssertions(issuer: Issuer, email: string): Promise<[string, string, RegExp][]> {
  const now = Math.floor(Date.now() / 1000)
  const good = await issuer.token(email)
  const [header = '', , signature = ''] = good.split('.')
  const claims = claimsOf(issuer.url, AUDIENCE, email, new Date())
  const encoded = (value: object) => base64url.encode(JSON.stringify(value))
  const { public_jwk } = issuer.key
  const hs256 = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: public_jwk.kid ?? '' })
  return [
    ['for another application', await issuer.token(email, { aud: ['f00d'] }), /another application/],
    ['for no application', await issuer.token(email, { aud: undefined }), /aud/],
    ['from another issuer', await issuer.token(email, { iss: 'https://evil.example' }), /another issuer/],
    ['from nobody', await issuer.token(email, { iss: undefined }), /iss/],
    ['without a signature', `${encoded({ alg: 'none' })}.${encoded(claims)}.`, /RS256/],
    [
      'with alg none and the old signature',
      `${encoded({ alg: 'none' })}.${encoded(claims)}.${signature}`,
      /RS256/,
    ],
    [
      'signed with the public key as a secret',
      await hs256.sign(base64url.decode(public_jwk.n ?? '')),
      /RS256/,
    ],
    [
      'signed with the text of the public key as a secret',
      await hs256.sign(new TextEncoder().encode(JSON.stringify(public_jwk))),
      /RS256/,
    ],
    ['that has ended', await issuer.token(email, { exp: now - 61 }), /ended/],
    ['without an end', await issuer.token(email, { exp: undefined }), /exp/],
    ['of the future', await issuer.token(email, { nbf: now + 3_600 }), /not valid yet/],
    [
      'issued in the future',
      await issuer.token(email, { iat: now + 3_600, nbf: undefined }),
      /not valid yet/,
    ],
    ['without a day of issue', await issuer.token(email, { iat: undefined }), /iat/],
    ['signed with an unknown key', await issuer.token(email, {}, await newSigningKey()), /does not publish/],
    [
      'signed with another key under the name of the published one',
      await issuer.token(email, {}, await renamedKey(public_jwk.kid ?? '')),
      /signature does not match/,
    ],
    [
      'with another payload',
      `${header}.${encoded({ ...claims, email: `x${email}` })}.${signature}`,
      /signature does not match/,
    ],
    [
      'of a service token',
      await issuer.token(email, { email: undefined, common_name: 'x', sub: '' }),
      /e-mail/,
    ],
    ['with an empty e-mail', await issuer.token(email, { email: '' }), /e-mail/],
    ['with two e-mails', await issuer.token(email, { email: [email, email] }), /e-mail/],
    ['twice, as a second header would make', `${good}, ${good}`, /not a signed token|signature/],
    ['in quotes', `"${good}"`, /not a signed token/],
    ['of three letters', 'a.b.c', /not a signed token/],
    ['of no letters', ' ', /not a signed token/],
    ['of 10,000 characters', await issuer.token(email, { custom: 'a'.repeat(10_000) }), /8,192/],
    ['with its own key inside', await withOwnKey(claims), /does not publish/],
  ]
}

async function renamedKey(kid: string) {
  const { public_jwk, private_jwk } = await newSigningKey()
  return { public_jwk: { ...public_jwk, kid }, private_jwk: { ...private_jwk, kid } }
}

/** As the header `jwk` offers: a verifier that takes it believes everybody. */
async function withOwnKey(claims: Record<string, unknown>): Promise<string> {
  const { public_jwk, private_jwk } = await newSigningKey()
  const { importJWK } = await import('jose')
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'mine', jwk: public_jwk, jku: 'https://evil.example/keys' })
    .sign(await importJWK(private_jwk, 'RS256'))
}
