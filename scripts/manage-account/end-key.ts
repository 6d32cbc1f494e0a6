import { commitSystemChange } from '../../src/platform/writes/system-change.ts'
import {
  disableWebhooks,
  endKeys,
  expireSlice,
  KEY_IS_VALID,
  readKeysUnder,
  readMadeKeys,
  readMadeWebhooks,
  readOwnerOfKey,
  readShopsOfKeys,
  removeMadeCalendar,
  removeMadeChat,
  removeShops,
  revokeMadeLinks,
  SHOP_IS_CONNECTED,
  WEBHOOK_IS_ACTIVE,
} from './end-key-store.ts'
import { type ManageTools, settledAccount } from './manage-account.ts'

/** What ended with a key. Webhooks are disabled, shops disconnected, links revoked, and the rest deleted. */
export type EndedKey = {
  account_id: string
  keys: string[]
  webhooks: string[]
  shops: string[]
  /** How many open links for certificates are revoked. */
  links: number
  calendar: boolean
  chat: boolean
  /** What ended in the accounts under a platform. */
  under: EndedKey[]
}

/**
 * Ends a key. With `all`, also what it made, by the audit events: keys, and the keys that those made;
 * webhooks that they made or changed are disabled, and their waiting deliveries expire; the shops on Saleor
 * that they answer are disconnected, their links for certificates are revoked, and the calendar address and
 * the chat that they named are deleted. So do the keys that they made for accounts under a platform, with
 * what those made. The keys end first, so that nothing new is made meanwhile. Call it again after a crash.
 */
export async function endKey(tools: ManageTools, key_id: string, all: boolean): Promise<EndedKey> {
  const { control, shardOf, clock } = tools
  const account_id = await readOwnerOfKey(control, key_id)
  if (account_id === null)
    throw new Error(`There is no key ${key_id}. Run npm run keys -- list to see all keys`)
  if (!all) {
    await end(tools, account_id, [key_id])
    return {
      account_id,
      keys: [key_id],
      webhooks: [],
      shops: [],
      links: 0,
      calendar: false,
      chat: false,
      under: [],
    }
  }
  const keys = await endMadeKeys(tools, account_id, key_id)
  const { shard } = await settledAccount(control, account_id)
  const { books } = shardOf(shard)
  const webhooks = await readMadeWebhooks(books, account_id, keys)
  const now = clock()
  const at = now.toISOString()
  if (webhooks.length > 0) {
    await commitSystemChange(books, now, {
      changes: disableWebhooks(books, account_id, webhooks, at),
      audit: webhooks.map((resource_id) => ({
        account_id,
        action: 'webhook.disabled',
        resource_id,
        changed: ['status'],
        values: { status: { old: 'active', new: 'disabled' } },
      })),
      only_if: { sql: WEBHOOK_IS_ACTIVE, values: [] },
    })
    while (await expireSlice(books, account_id, webhooks, at));
  }
  const links = await revokeMadeLinks(books, account_id, keys, at)
  const shops = await disconnectShops(tools, account_id, keys)
  const calendar = await removeMadeCalendar(control, account_id, keys).run()
  const chat = await removeMadeChat(control, account_id, keys).run()
  return {
    account_id,
    keys,
    webhooks,
    shops,
    links,
    calendar: calendar.meta.changes > 0,
    chat: chat.meta.changes > 0,
    under: await endKeysUnder(tools, account_id, keys),
  }
}

/** Ends the keys that keys of a platform made for the accounts under it, with what those made. */
async function endKeysUnder(
  tools: ManageTools,
  platform_id: string,
  keys: readonly string[],
): Promise<EndedKey[]> {
  const ended: EndedKey[] = []
  for (const key_id of await readKeysUnder(tools.control, platform_id, keys))
    ended.push(await endKey(tools, key_id, true))
  return ended
}

/** Disconnects the shops that are answered with these keys, and deletes their tokens. */
async function disconnectShops(
  { control, clock }: ManageTools,
  account_id: string,
  keys: readonly string[],
): Promise<string[]> {
  const shops = await readShopsOfKeys(control, account_id, keys)
  if (shops.length === 0) return []
  await commitSystemChange(control, clock(), {
    changes: removeShops(control, account_id, shops),
    audit: shops.map((resource_id) => ({
      account_id,
      action: 'saleor_install.deleted',
      resource_id,
      changed: [],
    })),
    only_if: { sql: SHOP_IS_CONNECTED, values: [] },
  })
  return shops
}

/** Ends a key, the keys that it made, and so on, until there are no others. Returns all of them. */
async function endMadeKeys(tools: ManageTools, account_id: string, key_id: string): Promise<string[]> {
  let known = [key_id]
  for (;;) {
    await end(tools, account_id, known)
    const made = await readMadeKeys(tools.control, account_id, known)
    const all = [...new Set([...known, ...made])]
    if (all.length === known.length) return known
    known = all
  }
}

async function end(
  { control, clock }: ManageTools,
  account_id: string,
  keys: readonly string[],
): Promise<void> {
  const now = clock()
  const at = now.toISOString()
  await commitSystemChange(control, now, {
    changes: [endKeys(control, account_id, keys, at)],
    audit: keys.map((resource_id) => ({
      account_id,
      action: 'api_key.revoked',
      resource_id,
      changed: ['revoked_at'],
    })),
    only_if: { sql: KEY_IS_VALID, values: [at] },
  })
}
