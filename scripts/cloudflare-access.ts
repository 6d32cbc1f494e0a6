import { z } from 'zod'

/** Where Cloudflare's API is, and who asks. wrangler reads the same variables. */
export type CloudflareAccess = { account_id: string; token: string; api: string }

/** A permission of a token, and a list below the account that only a token with it may read. */
const PERMISSIONS = [
  { name: 'Account Settings: Read', path: '' },
  { name: 'Workers Scripts: Edit', path: '/workers/scripts' },
  { name: 'D1: Edit', path: '/d1/database' },
  { name: 'Workers KV Storage: Edit', path: '/storage/kv/namespaces' },
  { name: 'Queues: Edit', path: '/queues' },
] as const

/** The permissions that a token for a deploy needs, as Cloudflare's page of tokens names them. */
export const PERMISSIONS_OF_TOKEN: readonly string[] = PERMISSIONS.map(({ name }) => name)

const Answer = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.int().optional(), message: z.string() })).default([]),
})

/**
 * The access by the variables of wrangler; null: there is no token, and wrangler's own login is used. Throws
 * an Error if the token has no account.
 */
export function accessOf(variables: Readonly<Record<string, string | undefined>>): CloudflareAccess | null {
  const {
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: account_id,
    CLOUDFLARE_API_BASE_URL: api = 'https://api.cloudflare.com/client/v4',
  } = variables
  if (token === undefined || token === '') return null
  if (account_id === undefined || account_id === '')
    throw new Error('CLOUDFLARE_API_TOKEN needs CLOUDFLARE_ACCOUNT_ID beside it: the id of the account')
  return { account_id, token, api }
}

/**
 * Throws an Error that names the permissions that the token lacks. It only reads, so it cannot tell a token
 * that may read from one that may edit.
 */
export async function checkToken(access: CloudflareAccess): Promise<void> {
  const asked = await Promise.all(
    PERMISSIONS.map(async ({ name, path }) => ({ name, refusal: await refusalOf(access, path) })),
  )
  const lacking = asked.filter(({ refusal }) => refusal !== null)
  if (lacking.length === 0) return
  const named = lacking.map(({ name, refusal }) => `  ${name} (${refusal})`).join('\n')
  const hint =
    lacking.length === PERMISSIONS.length
      ? 'Look whether the token is complete, still valid, and of the account CLOUDFLARE_ACCOUNT_ID.'
      : 'Add them to the token, for the account of CLOUDFLARE_ACCOUNT_ID.'
  throw new Error(
    `Nothing was changed. Cloudflare does not let CLOUDFLARE_API_TOKEN do this:\n${named}\n${hint} ` +
      'docs/self-hosting.md lists all permissions.',
  )
}

/** Why Cloudflare refuses to read this list; null: it does not. Throws if it does not answer. */
async function refusalOf({ account_id, token, api }: CloudflareAccess, path: string): Promise<string | null> {
  const response = await fetch(`${api}/accounts/${account_id}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new Error(`Nothing was changed. Cloudflare's API cannot be reached at ${api}`, { cause: error })
  })
  if (response.ok) return null
  if (response.status >= 500 || response.status === 429)
    throw new Error(`Nothing was changed. Cloudflare's API answered ${response.status}; try again later`)
  const { success, data } = Answer.safeParse(await response.json().catch(() => null))
  const [error] = success ? data.errors : []
  return error === undefined ? String(response.status) : `${response.status}: ${error.message}`
}
