const KEY = 'api-key'
const ACCOUNT = 'account'

/** How long another tab may take to answer. */
const PATIENCE_MS = 2_000

/**
 * The tabs of this browser talk here. Only scripts of this service hear it, and nothing of it is stored: when
 * the last tab is closed, the key is gone.
 */
const tabs = new BroadcastChannel('console')

/** What a tab keeps for reloads, and the browser deletes with it: a key, or the account of a person. */
export type Kept = { key: string } | { account_id: string }

type Message =
  | { kind: 'ask'; asked: string }
  | { kind: 'kept'; asked: string; kept: Kept }
  | { kind: 'leave' }

/** What this tab keeps; null: nobody has signed in. */
export function stored(): Kept | null {
  const [key, account_id] = [sessionStorage.getItem(KEY), sessionStorage.getItem(ACCOUNT)]
  if (key !== null) return { key }
  return account_id === null ? null : { account_id }
}

export function store(kept: Kept): void {
  forget()
  if ('key' in kept) sessionStorage.setItem(KEY, kept.key)
  else sessionStorage.setItem(ACCOUNT, kept.account_id)
}

export function forget(): void {
  sessionStorage.removeItem(KEY)
  sessionStorage.removeItem(ACCOUNT)
}

/** Asks the other tabs what they keep. `found` is called at most once, and never if no tab answers soon. */
export function askOtherTabs(found: (kept: Kept) => void): void {
  const asked = crypto.randomUUID()
  const listening = new AbortController()
  tabs.addEventListener(
    'message',
    ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'kept' || data.asked !== asked) return
      listening.abort()
      found(data.kept)
    },
    { signal: listening.signal },
  )
  setTimeout(() => listening.abort(), PATIENCE_MS)
  tell({ kind: 'ask', asked })
}

/** Hands it to new tabs from now on. `left` is called when the user signs out in another tab. */
export function answerOtherTabs(left: () => void): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const kept = stored()
    if (kept === null) return
    if (data.kind === 'ask') tell({ kind: 'kept', asked: data.asked, kept })
    if (data.kind === 'leave') left()
  })
}

/** Signs the other tabs out, too: else the next reload would take the key from them. */
export function leaveOtherTabs(): void {
  tell({ kind: 'leave' })
}

function tell(message: Message): void {
  tabs.postMessage(message)
}
