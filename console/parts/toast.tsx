import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import { Store, useStore } from '../store.ts'
import { Icon } from './icon.tsx'

const SHOWN_MS = 5_000

type Told = { id: number; text: string }

const TOASTS = new Store<readonly Told[]>([])
let count = 0

/** Says in the corner that something is done. */
export function toast(text: string): void {
  TOASTS.set([...TOASTS.get(), { id: (count += 1), text }])
}

/** Takes all toasts away, for example at the sign-out. */
export function clearToasts(): void {
  TOASTS.set([])
}

export function Toasts() {
  const toasts = useStore(TOASTS)
  return (
    <div id="toasts" role="status">
      {toasts.map(({ id, text }) => (
        <Toast key={id} id={id} text={text} />
      ))}
    </div>
  )
}

/** It leaves after five seconds, unless the pointer or the focus is on it. */
function Toast({ id, text }: Told) {
  const timer = useRef(0)
  const close = () => TOASTS.set(TOASTS.get().filter((each) => each.id !== id))
  const stay = () => clearTimeout(timer.current ?? 0)
  const leave = () => {
    stay()
    timer.current = window.setTimeout(close, SHOWN_MS)
  }
  useLayoutEffect(() => {
    leave()
    return stay
  }, [])
  return (
    <div class="toast" onPointerEnter={stay} onPointerLeave={leave} onFocusIn={stay} onFocusOut={leave}>
      <div>{text}</div>
      <button type="button" class="plain" aria-label="Close the message" onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  )
}
