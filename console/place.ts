/**
 * How far each page was scrolled, so that the Back button leads to the same rows. Each entry of the history
 * has a number in its state: an entry that has one already was seen before.
 */
const scrolled = new Map<number, number>()

/** The numbers of a reloaded page are larger than those before. */
let last = Date.now()
let shown = last

/** Keeps places from now on. The browser itself would scroll before the rows are there. */
export function followPlace(): void {
  history.scrollRestoration = 'manual'
  arrive()
}

/**
 * Call when the address has changed, before another page is drawn: it reads how far the old one is scrolled.
 * The event of a scroll comes a frame later, which may be after the page was left.
 */
export function arrive(): void {
  scrolled.set(shown, scrollY)
  const { state } = history
  if (typeof state === 'number') shown = state
  else {
    shown = last += 1
    history.replaceState(shown, '')
  }
}

/** Call when a page is opened: scrolls to the place of the last time, as soon as its rows are there. */
export function restorePlace(): void {
  const wanted = scrolled.get(shown) ?? 0
  scrollTo(0, 0)
  if (wanted === 0) return
  const entry = shown
  const growing = new ResizeObserver(() => {
    const { scrollHeight, clientHeight } = document.documentElement
    if (entry === shown && scrollHeight - clientHeight < wanted) return
    if (entry === shown) scrollTo(0, wanted)
    stop.abort()
  })
  const stop = new AbortController()
  stop.signal.addEventListener('abort', () => growing.disconnect())
  for (const kind of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    addEventListener(kind, () => stop.abort(), { passive: true, signal: stop.signal })
  growing.observe(document.body)
}
