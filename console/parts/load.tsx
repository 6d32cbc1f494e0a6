import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { Failure, mistake } from '../api.ts'
import { withDays } from '../format.ts'
import { Copy, Press } from './parts.tsx'

/** An answer on its way. `failure` is null if the last time succeeded. */
type Loading<Value> = {
  value: Value | null
  failure: { thrown: unknown } | null
  again: () => Promise<void>
  set: (value: Value) => void
}

const NOTHING = { value: null, failure: null }

/**
 * Reads now, and again when one of `of` differs. If it is read again meanwhile, the older answer is dropped.
 */
export function useLoading<Value>(read: () => Promise<Value>, of: readonly unknown[] = []): Loading<Value> {
  const [state, setState] = useState<Pick<Loading<Value>, 'value' | 'failure'>>(NOTHING)
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
    setState(NOTHING)
    void again()
    // An answer that comes after the component is gone must not draw it again.
    return () => {
      run.current = (run.current ?? 0) + 1
    }
  }, of)
  return { ...state, again, set: (value) => setState({ value, failure: null }) }
}

/** Scripts that could not be read since the page was opened. */
const UNREAD = new Set<string>()

/**
 * Reads the scripts of a view, or of a part of it, when it is first shown. That fails without a connection or
 * after a new release. A browser keeps that a script could not be read, so the second try reads the whole
 * page anew, if it can be reached.
 */
export async function loadScripts<Scripts>(load: () => Promise<Scripts>): Promise<Scripts> {
  try {
    return await load()
  } catch {
    const name = String(load)
    if (UNREAD.has(name) && (await isReached())) location.reload()
    UNREAD.add(name)
    throw mistake('This page could not be loaded. Try again, or reload the console.', 'no_answer')
  }
}

function isReached(): Promise<boolean> {
  return fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

type Shown<Value> = { show: (value: Value) => Child; lines?: number }

/** What was loaded; until then grey lines, and after a failure the error with a button to try again. */
export function Loaded<Value>({ of, show, lines = 4 }: Shown<Value> & { of: Loading<Value> }) {
  const { value, failure, again } = of
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

const NOT_FOUND = 'There is no such record in this account. It may have been deleted.'

/**
 * An error for people: the message and the faulty fields. What the service answered has its reason and the id
 * of the request, for whoever asks for help. A refusal is the same a second time, so it has no button to try
 * again.
 */
export function FailureNotice({ thrown, retry }: { thrown: unknown; retry?: () => void }) {
  if (!(thrown instanceof Failure)) {
    console.error(thrown)
    return (
      <p class="failure" role="alert">
        The console failed. Reload the page.
      </p>
    )
  }
  const { status, message, errors, reason, request_id } = thrown
  const again = status >= 400 && status < 500 ? undefined : retry
  return (
    <div class="failure" role="alert">
      <p>{status === 404 && request_id !== null ? NOT_FOUND : message}</p>
      {errors.length > 1 && <List lines={errors.map((each) => `${each.path}: ${each.message}`)} />}
      {request_id !== null && <p class="quiet small">{`Reason: ${reason} · ${request_id}`}</p>}
      {(request_id !== null || again) && (
        <div class="actions">
          {again && <Press name="Try again" act={again} />}
          {request_id !== null && <Copy text={request_id} name="Copy the request id" />}
        </div>
      )}
    </div>
  )
}

/** A list of texts, their days as people write them, or nothing if there is none. */
export function List({ lines }: { lines: readonly Child[] }) {
  return lines.length === 0 ? null : (
    <ul>
      {lines.map((line) => (
        <li>{typeof line === 'string' ? withDays(line) : line}</li>
      ))}
    </ul>
  )
}

const CHANGED = 'records-changed'

/** Says that a record has changed, so that lists which show it read their rows again. */
export function recordsChanged(): void {
  dispatchEvent(new Event(CHANGED))
}

/** Calls `changed` after each recordsChanged(), as long as the component is shown. */
export function useChanges(changed: () => void): void {
  useLayoutEffect(() => {
    addEventListener(CHANGED, changed)
    return () => removeEventListener(CHANGED, changed)
  }, [changed])
}

type ReadProps<Value> = Shown<Value> & { read: () => Promise<Value>; of?: readonly unknown[] }

/** Reads, shows what was read, and reads again when a record has changed or one of `of` differs. */
export function Read<Value>({ read, of, ...shown }: ReadProps<Value>) {
  const loading = useLoading(read, of)
  useChanges(() => void loading.again())
  return <Loaded of={loading} {...shown} />
}
