const NAME = 'api-key'

/** How long another tab may take to answer. */
const PATIENCE_MS = 2_000

/**
 * The tabs of this browser talk here. Only scripts of this service hear it, and nothing of it is stored: when
 * the last tab is closed, the key is gone.
 */
const tabs = new BroadcastChannel('console')

type Message =
  | { kind: 'ask'; asked: string }
  | { kind: 'key'; asked: string; key: string }
  | { kind: 'leave' }

/** The key that this tab keeps for reloads. The browser deletes it with the tab. */
export function storedKey(): string | null {
  return sessionStorage.getItem(NAME)
}

export function storeKey(key: string): void {
  sessionStorage.setItem(NAME, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
}

/** Asks the other tabs for their key. `found` is called at most once, and never if no tab answers soon. */
export function askOtherTabs(found: (key: string) => void): void {
  const asked = crypto.randomUUID()
  const listening = new AbortController()
  tabs.addEventListener(
    'message',
    ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'key' || data.asked !== asked) return
      listening.abort()
      found(data.key)
    },
    { signal: listening.signal },
  )
  setTimeout(() => listening.abort(), PATIENCE_MS)
  tell({ kind: 'ask', asked })
}

/** Hands the key to new tabs from now on. `left` is called when the user signs out in another tab. */
export function answerOtherTabs(left: () => void): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const key = storedKey()
    if (key === null) return
    if (data.kind === 'ask') tell({ kind: 'key', asked: data.asked, key })
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
