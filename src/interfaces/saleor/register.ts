import * as z from 'zod'
import type { Bindings } from '../../platform/bindings.ts'
import { commitSystemChange } from '../../platform/writes/system-change.ts'
import { guarded } from '../../platform/database/guard.ts'
import { ApiError } from '../../platform/errors.ts'
import { parseBody } from '../../platform/http/body.ts'
import { text } from '../../platform/http/fields.ts'
import { validate } from '../../platform/http/validate.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { queryShop, readPublicKeys } from './remote.ts'
import { sealOf } from './secrets.ts'
import { readInstall, registerInstall } from './store.ts'
import { APP_QUERY } from './subscriptions.ts'
import { isApiOf } from './verify.ts'
import { readHeader } from '../../platform/kit/header.ts'

const Registration = z.object({ auth_token: text(2_000).min(1, 'must not be empty') })
const App = z.object({ app: z.object({ id: z.string().min(1) }) })

/**
 * Registers a shop with the token that Saleor gave the app. Three things must agree: the link of the account,
 * which works once; the address of the shop, which the account has named; and the token, which that shop must
 * confirm. So whoever finds a link registers no other shop. Throws registration_refused, shop_unreachable.
 */
export async function registerShop(
  env: Bindings,
  asked: { id: string; token: string; headers: Headers; body: string },
  now: Date,
): Promise<void> {
  const install = await readInstall(env.DB, asked.id)
  const named = install !== null && install.token_hash === (await sha256(asked.token))
  if (!named || install.token_expires_at <= now.toISOString()) throw new ApiError('registration_refused')
  if (!isApiOf(install, readHeader(asked.headers, 'Saleor-Api-Url')))
    throw new ApiError('registration_refused', {
      message: `The link is for the shop with the API at ${install.saleor_api_url}: make one for your shop`,
    })
  const { auth_token: token } = validate(Registration, parseBody(asked.body))
  const { saleor_api_url } = install
  if (!App.safeParse(await queryShop(env, { saleor_api_url, token }, { query: APP_QUERY })).success)
    throw new ApiError('registration_refused', { message: 'The shop does not know the token of the app' })
  const jwks = JSON.stringify(await readPublicKeys(env, saleor_api_url))
  const auth_token = await sealOf(env, install.id, 'auth_token', token)
  const registered = registerInstall(env.DB, install, { auth_token, jwks }, now.toISOString())
  await commitSystemChange(env.DB, now, {
    changes: guarded(env.DB, registered, 'registration_refused'),
    audit: [
      {
        account_id: install.account_id,
        action: 'saleor_install.registered',
        resource_id: install.id,
        changed: ['registered_at'],
        values: { registered_at: { old: null, new: now.toISOString() } },
      },
    ],
  })
}
