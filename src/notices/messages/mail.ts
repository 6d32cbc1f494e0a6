import type { Bindings } from '../../platform/bindings.ts'
import { linkTo } from '../../platform/own-addresses.ts'

/** What is known of a sending. `lost`: it may have arrived, or not. */
export type Sending = { state: 'sent' } | { state: 'refused' | 'lost' | 'put_off'; error: string }

type Mail = {
  id: string
  to: string
  subject: string
  text: string
  /** The address of the page that stops these mails. */
  stop_url: string
}

/** Whether the operator has set up mail: the binding, its sender, and the address of the stop link. */
export function isMailAvailable(env: Bindings): boolean {
  return Boolean(env.MAIL && env.MAIL_FROM && linkTo(env, 'PUBLIC_URL', '/'))
}

/**
 * Sends a mail as plain text. The platform writes its headers from these fields, so no name can add one. It
 * gives each mail a Message-ID of its own: ours, the same when a mail is sent again, is X-Message-Id.
 */
export async function sendMail(env: Bindings, { id, to, subject, text, stop_url }: Mail): Promise<Sending> {
  const { MAIL, MAIL_FROM } = env
  if (!MAIL || !MAIL_FROM) return { state: 'refused', error: 'mail_not_set_up' }
  try {
    await MAIL.send({
      from: MAIL_FROM,
      to,
      subject,
      text,
      headers: {
        'List-Unsubscribe': `<${stop_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'X-Message-Id': id,
      },
    })
    return { state: 'sent' }
  } catch (thrown) {
    const code = codeOf(thrown)
    return code === null ? { state: 'lost', error: 'mail_failed' } : { state: 'refused', error: code }
  }
}

/** The platform's word for a mail that it did not take: `E_SENDER_NOT_VERIFIED`. Null: it says none. */
function codeOf(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null
  return typeof thrown.code === 'string' && /^E_[A-Z_]{1,60}$/.test(thrown.code) ? thrown.code : null
}
