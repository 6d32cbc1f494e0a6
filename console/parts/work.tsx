import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { newIdempotencyKey } from '../api.ts'
import { FailureNotice } from './failure.tsx'

/** What buttons do, one thing at a time. `notice` shows what failed: put it beside the buttons. */
export type Work = { busy: boolean; run: (work: () => Promise<unknown>) => Promise<void>; notice: Child }

export function useWork(): Work {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ thrown: unknown } | null>(null)
  const running = useRef(false)
  const gone = useRef(false)
  useLayoutEffect(
    () => () => {
      gone.current = true
    },
    [],
  )
  const run = async (work: () => Promise<unknown>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (thrown) {
      if (!gone.current) setFailure({ thrown })
    } finally {
      running.current = false
      if (!gone.current) setBusy(false)
    }
  }
  return { busy, run, notice: failure === null ? null : <FailureNotice thrown={failure.thrown} /> }
}

/**
 * Each attempt of an action gets the same key, so that a second click does nothing twice. After a success the
 * next action gets another.
 */
export function useIdempotency() {
  const key = useRef(newIdempotencyKey())
  return async (act: (idempotency_key: string) => Promise<unknown>) => {
    await act(key.current ?? '')
    key.current = newIdempotencyKey()
  }
}

/** What a button does. `label` is for screen readers. */
export type Deed = {
  name: string
  act: (idempotency_key: string) => Promise<unknown>
  kind?: 'first' | 'dangerous' | undefined
  label?: string | undefined
}

type ButtonProps = Omit<Deed, 'name'> & { of: Work; children: Child }

/**
 * A button that does some work, and ignores further clicks until it is done. It is not disabled, because a
 * disabled button would lose the focus.
 */
export function Button({ of, act, kind, label, children }: ButtonProps) {
  const once = useIdempotency()
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-disabled={of.busy ? 'true' : undefined}
      onClick={() => void of.run(() => once(act))}
    >
      {children}
    </button>
  )
}
