import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { FailureNotice } from './failure.tsx'

/** An answer on its way. `failure` is null if the last time succeeded. */
export type Loading<Value> = {
  value: Value | null
  failure: { thrown: unknown } | null
  again: () => Promise<void>
}

/**
 * Reads now, and again when one of `of` differs. If it is read again meanwhile, the older answer is dropped.
 */
export function useLoading<Value>(read: () => Promise<Value>, of: readonly unknown[] = []): Loading<Value> {
  const [state, setState] = useState<Omit<Loading<Value>, 'again'>>({ value: null, failure: null })
  const run = useRef(0)
  const again = async () => {
    const own = (run.current = (run.current ?? 0) + 1)
    const isLatest = () => run.current === own
    try {
      const value = await read()
      if (isLatest()) setState({ value, failure: null })
    } catch (thrown) {
      if (isLatest()) setState({ value: null, failure: { thrown } })
    }
  }
  useLayoutEffect(() => {
    setState({ value: null, failure: null })
    void again()
    // An answer that comes after the component is gone must not draw it again.
    return () => {
      run.current = (run.current ?? 0) + 1
    }
  }, of)
  return { ...state, again }
}

/** What was loaded; until then grey lines, and after a failure the error with a button to try again. */
export function Loaded<Value>({
  of: { value, failure, again },
  show,
  lines = 4,
}: {
  of: Loading<Value>
  show: (value: Value) => Child
  lines?: number
}) {
  if (failure !== null) return <FailureNotice thrown={failure.thrown} retry={() => void again()} />
  return value === null ? <Skeleton lines={lines} /> : <>{show(value)}</>
}

/** Grey lines in place of what is not here yet. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      {Array.from({ length: lines }, () => (
        <span />
      ))}
    </div>
  )
}
