/** A number without its prefix, and whose register it stands in: an ISO country, or XI. */
export type VatNumber = { country: string; number: string }

/**
 * What an authority says. Whatever is not a clear yes or no is unavailable, with a word for why: an outage is
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
export type AuthorityReply =
  | { ok: true; status: number; text: string }
  | { ok: false; reason: 'timeout' | 'connection_failed' | 'unexpected_answer' }

/** Asks an authority. Never throws: what goes wrong is said. */
export async function ask(url: string, init: RequestInit): Promise<AuthorityReply> {
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

/** JSON, or null for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Registers that do not disclose a name write `---`, or nothing. */
export function disclosed(text: string | undefined): string | null {
  const trimmed = (text ?? '').trim()
  return trimmed === '' || /^-+$/.test(trimmed) ? null : trimmed
}

/** The words that authorities use are short and in capitals; anything else is not passed on. */
export function codeOf(text: string | undefined): string {
  const word = (text ?? '').trim()
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(word) ? word : 'unexpected_answer'
}
