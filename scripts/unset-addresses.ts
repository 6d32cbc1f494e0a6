import { unsetAddresses } from '../src/platform/own-addresses.ts'
import type { readConfig } from './wrangler.ts'

type Configured = Pick<ReturnType<typeof readConfig>, 'vars' | 'send_email'>

const MEANING = {
  PUBLIC_URL:
    'a link for a customer, a calendar or a shop then has the host at which it was made, and no mail is sent',
  CONSOLE_URL: 'a message then has no link to the console',
} as const

/** A sentence for each address of wrangler.toml that a deploy lacks, though people sign in or get mails. */
export function unsetAddressesOf({ vars, send_email }: Configured): string[] {
  return unsetAddresses({ ...vars, MAIL: send_email[0] }).map(
    (name) => `[vars] sets ${name} to no address: ${MEANING[name]}. See docs/people.md#two-addresses`,
  )
}
