import * as z from 'zod'
import type { Bindings } from '../../platform/bindings.ts'
import { ApiError } from '../../platform/errors.ts'
import { resolvesToPrivate } from '../../notices/delivery/target.ts'

const TIMEOUT_MS = 5_000
const KEYS_MAX = 20

/**
 * Asks a shop, and returns the JSON of its answer. As for webhooks: only public hosts, five seconds, no
 * redirects, and at most so many bytes. Throws shop_unreachable, which reveals nothing of the network.
 */
async function askShop(
  env: Bindings,
  url: string,
  { bytes_max, ...init }: RequestInit & { bytes_max: number },
): Promise<unknown> {
  if (await resolvesToPrivate(env, url)) throw new ApiError('shop_unreachable')
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    const text = response.ok ? await readBounded(response, bytes_max) : null
    if (text !== null) return JSON.parse(text)
    await response.body?.cancel()
  } catch {
    // The caller learns only that the shop did not answer.
  }
  throw new ApiError('shop_unreachable')
}

async function readBounded(response: Response, bytes_max: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytes_max) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

/** A public key of a shop. `kid` tells keys apart. */
export type PublicKey = { kid: string; n: string; e: string }

const Jwks = z.object({ keys: z.array(z.unknown()).max(KEYS_MAX) })

/** 2048 bits at least, in base64url. */
const RsaKey = z.object({
  kty: z.literal('RSA'),
  kid: z.string().max(200).default(''),
  n: z.string().min(342).max(1_400),
  e: z.string().max(20),
})

/** Reads the public keys of a shop, which are beside its API. Throws shop_unreachable. */
export async function readPublicKeys(env: Bindings, saleor_api_url: string): Promise<PublicKey[]> {
  const url = `${new URL(saleor_api_url).origin}/.well-known/jwks.json`
  const found = Jwks.safeParse(await askShop(env, url, { bytes_max: 65_536 }))
  const keys = (found.data?.keys ?? []).flatMap((each): PublicKey[] => {
    const key = RsaKey.safeParse(each)
    return key.success ? [{ kid: key.data.kid, n: key.data.n, e: key.data.e }] : []
  })
  if (keys.length === 0) throw new ApiError('shop_unreachable')
  return keys
}

const GraphQlAnswer = z.object({ data: z.unknown(), errors: z.unknown().optional() })

type Query = { query: string; variables?: Readonly<Record<string, unknown>>; bytes_max?: number }

/** Asks the API of a shop with the token of the app. Throws shop_unreachable. */
export async function queryShop(
  env: Bindings,
  { saleor_api_url, token }: { saleor_api_url: string; token: string },
  { bytes_max = 65_536, ...query }: Query,
): Promise<unknown> {
  const answer = await askShop(env, saleor_api_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(query),
    bytes_max,
  })
  const read = GraphQlAnswer.safeParse(answer)
  if (!read.success || (read.data.errors ?? null) !== null) throw new ApiError('shop_unreachable')
  return read.data.data
}
