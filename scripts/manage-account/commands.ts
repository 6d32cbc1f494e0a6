import { TIER_IDS } from '../../src/platform/tiers.ts'
import { endKey, type EndedKey } from './end-key.ts'
import { eraseAccount } from './erase.ts'
import { changeTier, holdAccount, type ManageTools, resumeAccount, suspendAccount } from './manage-account.ts'

export const MANAGE_USAGE = `npm run accounts -- suspend|resume ACCOUNT_ID
npm run accounts -- hold|release ACCOUNT_ID
npm run accounts -- tier ACCOUNT_ID ${TIER_IDS.join('|')}
npm run accounts -- erase ACCOUNT_ID --yes
npm run accounts -- end-key KEY_ID [--with-what-it-made]`

type ManageOptions = { yes: boolean; with_what_it_made: boolean }

/** A command on an account as it is typed. Returns the lines to print; null: the command is another one. */
export function manageCommand(
  [command, id, tier, ...rest]: readonly string[],
  { yes, with_what_it_made }: ManageOptions,
): ((tools: ManageTools) => Promise<string[]>) | null {
  if (id === undefined || rest.length > 0 || (tier !== undefined && command !== 'tier')) return null
  switch (command) {
    case 'suspend':
      return async (tools) => {
        await suspendAccount(tools, id)
        return [`${id} is suspended. Its requests are refused within a minute.`]
      }
    case 'resume':
      return async (tools) => {
        await resumeAccount(tools, id)
        return [`${id} goes on. Isolates that refused it accept it within a minute.`]
      }
    case 'hold':
    case 'release':
      return async (tools) => {
        await holdAccount(tools, id, command === 'hold')
        return [
          command === 'hold'
            ? `There is a legal hold on ${id}: nothing of it is erased or expires.`
            : `The legal hold on ${id} has ended.`,
        ]
      }
    case 'tier':
      return tierCommand(id, tier)
    case 'erase':
      return yes ? (tools) => erase(tools, id) : null
    case 'end-key':
      return (tools) => end(tools, id, with_what_it_made)
    default:
      return null
  }
}

function tierCommand(id: string, wanted: string | undefined) {
  const tier = TIER_IDS.find((each) => each === wanted)
  if (tier === undefined) return null
  return async (tools: ManageTools) => {
    const before = await changeTier(tools, id, tier)
    return [`${id} was ${before} and is ${tier}. Isolates use the new limits within a minute.`]
  }
}

async function erase(tools: ManageTools, id: string): Promise<string[]> {
  const { erased, kept } = await eraseAccount(tools, id)
  return [
    `${id} is erased: its keys, its calendar address, and ${listed(erased)}.`,
    `Kept, as tax law requires of the seller: ${listed(kept)}; the profile and the registrations.`,
  ]
}

async function end(tools: ManageTools, key_id: string, all: boolean): Promise<string[]> {
  return linesOf(await endKey(tools, key_id, all))
}

function linesOf(ended: EndedKey): string[] {
  const { account_id, keys, webhooks, shops, links, calendar, chat, under } = ended
  const lines = [`Ended for ${account_id}: ${keys.join(', ')}. Isolates refuse them within a minute.`]
  if (webhooks.length > 0) lines.push(`Disabled, look at them before you enable one: ${webhooks.join(', ')}.`)
  if (shops.length > 0) lines.push(`Disconnected, with the tokens of the shops: ${shops.join(', ')}.`)
  if (links > 0) lines.push(`Revoked: ${links} open ${links === 1 ? 'link' : 'links'} for certificates.`)
  if (calendar) lines.push('The calendar address is deleted.')
  if (chat) lines.push('The chat of the daily message is removed.')
  return [...lines, ...under.flatMap(linesOf)]
}

function listed(rows: Readonly<Record<string, number>>): string {
  const parts = Object.entries(rows).flatMap(([table, count]) => (count > 0 ? [`${count} ${table}`] : []))
  return parts.length === 0 ? 'no rows' : parts.join(', ')
}
