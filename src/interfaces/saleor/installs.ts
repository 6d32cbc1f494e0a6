import { forgetPrincipals } from '../../parties/accounts/authenticate.ts'
import { writeOfKey } from '../../parties/accounts/keys.ts'
import { endApiKey } from '../../parties/accounts/store.ts'
import { toBase64 } from '../../platform/kit/base64.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { publicLink } from '../../platform/own-addresses.ts'
import { readTarget, refusalOfHost } from '../../notices/delivery/target.ts'
import type { NewSaleorInstallAnswer, SaleorInstall, SaleorInstallsAnswer } from './install-schemas.ts'
import { countRefusedOrders, dropRefusedOrdersOf } from './refused-orders-store.ts'
import { sealOf } from './secrets.ts'
import { findInstall, insertInstall, type InstallRow, readInstalls, removeInstall } from './store.ts'

/** What the requests of a shop need: taxes, and the books. */
const SCOPES_OF_SHOP = ['tax:read', 'transactions:read', 'transactions:write'] as const

const LINK_MS = 86_400_000

/**
 * Makes the link that connects one shop, once, within a day. The account is bound to the shop here: only the
 * shop at this address can use the link. `asked_url`: the URL of the request. Throws scope_not_grantable if
 * the caller's key lacks a scope.
 */
export async function createInstall(
  context: Context,
  { saleor_api_url: given }: { saleor_api_url: string },
  asked_url: string,
): Promise<Answer<typeof NewSaleorInstallAnswer>> {
  const { env, now, principal } = context
  const saleor_api_url = await allowedApi(context, given)
  const id = newId('sal')
  const token = toBase64(crypto.getRandomValues(new Uint8Array(24)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  const name = `Saleor ${new URL(saleor_api_url).host}`.slice(0, 200)
  const made = await writeOfKey(context, name, SCOPES_OF_SHOP, principal.expires_at)
  const row: InstallRow = {
    id,
    account_id: principal.account_id,
    saleor_api_url,
    key_id: made.row.id,
    api_key: await sealOf(env, id, 'api_key', made.key),
    token_hash: await sha256(token),
    token_expires_at: new Date(now.getTime() + LINK_MS).toISOString(),
    auth_token: null,
    jwks: null,
    jwks_read_at: null,
    registered_at: null,
    created_at: now.toISOString(),
    orders_read_until: null,
    orders_cursor: null,
    orders_asked_at: null,
    orders_fault: null,
    orders_fault_at: null,
  }
  const answer = presentInstall(row, 0)
  await commit(context, {
    changes: [...made.changes, ...insertInstall(context, row)],
    audit: [
      made.audit,
      {
        action: 'saleor_install.created',
        resource_id: id,
        changed: ['saleor_api_url', 'key_id'],
        values: {
          saleor_api_url: { old: null, new: saleor_api_url },
          key_id: { old: null, new: row.key_id },
        },
      },
    ],
    answer: { ...answer, manifest_url: null },
  })
  return { ...answer, manifest_url: publicLink(env, `/saleor/${id}/manifest?token=${token}`, asked_url) }
}

/** The shops that the account has connected, or has made a link for. */
export async function listInstalls(context: Context): Promise<Answer<typeof SaleorInstallsAnswer>> {
  const [rows, refused] = await Promise.all([readInstalls(context), countRefusedOrders(context)])
  return { installs: rows.map((row) => presentInstall(row, refused.get(row.id) ?? 0)) }
}

/** Disconnects a shop: its secrets are deleted, and its key ends. What it recorded stays. */
export async function deleteInstall(context: Context, id: string): Promise<Answer<typeof DeletedAnswer>> {
  const { key_id, saleor_api_url } = await findInstall(context, id)
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await commit(context, {
    changes: [
      ...guarded(context.env.DB, removeInstall(context, id), 'not_found'),
      dropRefusedOrdersOf(context, id),
      endApiKey(context, key_id),
    ],
    audit: {
      action: 'saleor_install.deleted',
      resource_id: id,
      changed: [],
      values: { saleor_api_url: { old: saleor_api_url, new: null } },
    },
    answer,
  })
  forgetPrincipals(context.principal.account_id)
  return answer
}

/** The address of the API, as an URL in normal form: registrations and signatures are compared with it. */
async function allowedApi({ env }: Context, given: string): Promise<string> {
  const target = readTarget(env, given)
  if (!target.ok) throw fieldError('invalid_request', 'saleor_api_url', target.why)
  if (new URL(target.url).search !== '')
    throw fieldError('invalid_request', 'saleor_api_url', 'must have no query')
  const refusal = await refusalOfHost(env, target.url)
  if (refusal !== null) throw fieldError('invalid_request', 'saleor_api_url', refusal)
  return target.url
}

function presentInstall(row: InstallRow, refused_orders: number): Answer<typeof SaleorInstall> {
  const { id, saleor_api_url, key_id, registered_at, token_expires_at, created_at } = row
  const { orders_read_until, orders_fault, orders_fault_at } = row
  return {
    id,
    saleor_api_url,
    key_id,
    registered_at,
    token_expires_at,
    orders_read_until,
    orders_fault,
    orders_fault_at,
    refused_orders,
    created_at,
  }
}
