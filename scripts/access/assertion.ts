import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'

/** A key pair with which an issuer signs, as JWKs. Both have the same `kid`. */
export type SigningKey = { public_jwk: JWK; private_jwk: JWK }

/** Access keeps people signed in for as long as the application says; its default is 24 hours. */
const LIFETIME_S = 86_400

export async function newSigningKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const public_jwk = await exportJWK(publicKey)
  const more = { kid: await calculateJwkThumbprint(public_jwk), alg: 'RS256', use: 'sig' }
  return {
    public_jwk: { ...public_jwk, ...more },
    private_jwk: { ...(await exportJWK(privateKey)), ...more },
  }
}

/** What Cloudflare Access says of a person who has signed in to an application, before it is signed. */
export function claimsOf(issuer: string, audience: string, email: string, now: Date) {
  const iat = Math.floor(now.getTime() / 1000)
  return {
    aud: [audience],
    email,
    exp: iat + LIFETIME_S,
    iat,
    nbf: iat,
    iss: issuer,
    type: 'app',
    identity_nonce: '6ei69kawdKzMIAPF',
    sub: '7335d417-61da-459d-899c-0a01c76a2f94',
    country: 'US',
  }
}

/** The value of Cf-Access-Jwt-Assertion. */
export async function signAssertion(
  { private_jwk }: SigningKey,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { kid = '' } = private_jwk
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .sign(await importJWK(private_jwk, 'RS256'))
}
