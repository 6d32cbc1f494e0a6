/** A number without its prefix, and the country of its register: an ISO code, or XI. */
export type VatNumber = { country: string; number: string }

/**
 * The answer of an authority. Anything but a clear yes or no is `unavailable` with a reason, so an outage is
 * never a no.
 */
export type Verdict =
  | {
      status: 'valid'
      source: string
      company_name: string | null
      company_address: string | null
      consultation_number: string | null
    }
  | { status: 'invalid'; source: string | null; consultation_number: string | null }
  | { status: 'unavailable'; source: string | null; reason: string }

const TIMEOUT_MS = 8_000
const BYTES_MAX = 100_000

/** An answer of an authority: its status and its text, or why there is none. */
type AuthorityReply =
  | { ok: true; status: number; text: string }
  | { ok: false; reason: 'timeout' | 'connection_failed' | 'unexpected_answer' }

/** Sends a request to an authority. Never throws: the reply contains the failure. */
export async function askForReply(url: string, init: RequestInit): Promise<AuthorityReply> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    return text.length > BYTES_MAX
      ? { ok: false, reason: 'unexpected_answer' }
      : { ok: true, status: response.status, text }
  } catch (thrown) {
    return {
      ok: false,
      reason: thrown instanceof Error && thrown.name === 'TimeoutError' ? 'timeout' : 'connection_failed',
    }
  }
}

/** The value of a JSON text, or null if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A disclosed text, or null: registers write `---` or nothing for what they do not disclose. */
export function disclosed(text: string | undefined): string | null {
  const trimmed = (text ?? '').trim()
  return trimmed === '' || /^-+$/.test(trimmed) ? null : trimmed
}

/** The error code of an authority: a short word in capitals. Anything else is `unexpected_answer`. */
export function codeOf(text: string | undefined): string {
  const word = (text ?? '').trim()
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(word) ? word : 'unexpected_answer'
}
