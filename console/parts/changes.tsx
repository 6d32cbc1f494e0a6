import { type Child, render, useId, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { callApi, newIdempotencyKey } from '../api.ts'
import { Store, useStore } from '../store.ts'
import { Icon } from './icon.tsx'
import { FailureNotice, recordsChanged } from './load.tsx'

/** When records are read again after a change that only starts something. */
const SOON_MS = [1_500, 5_000]

/**
 * `ask` is confirmed before, `told` is said afterwards, and `leave` is the address that follows. `starts`:
 * what it starts ends a moment later, such as a delivery.
 */
type ChangeOptions<Answer> = {
  ask?: Question
  told?: string | ((answer: Answer) => string)
  leave?: string | ((answer: Answer) => string)
  body?: object
  idempotency_key?: string
  starts?: true
}

/**
 * Changes something by the API, and lets lists and drawers read again. Null if the user does not confirm.
 * Throws a Failure.
 */
export async function change<Answer>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  { ask, told, leave, starts, ...request }: ChangeOptions<Answer>,
): Promise<Answer | null> {
  if (ask !== undefined && !(await confirmed(ask))) return null
  const answer = await callApi<Answer>(method, path, request)
  if (told !== undefined) toast(typeof told === 'string' ? told : told(answer))
  if (leave !== undefined) await follow(typeof leave === 'string' ? leave : leave(answer))
  recordsChanged()
  if (starts) for (const later of SOON_MS) setTimeout(recordsChanged, later)
  return answer
}

/** Leaves a view before its record is read again, which may be deleted. */
async function follow(href: string): Promise<void> {
  if (location.hash === href) return
  const followed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
  location.hash = href
  await followed
}

/** Buttons side by side, after `children`, and one notice of what failed. What is not offered is false. */
export function Deeds({ of, children }: { of: readonly (Deed | false)[]; children?: Child }) {
  const work = useWork()
  const offered = of.filter((deed) => deed !== false)
  return (
    <div>
      <div class={offered.length > 1 || children ? 'actions' : undefined}>
        {children}
        {offered.map((deed) => (
          <Button key={deed.name} of={work} {...deed} />
        ))}
      </div>
      {work.notice}
    </div>
  )
}

/** What buttons do, one thing at a time. `notice` shows what failed: put it beside the buttons. */
type Work = { busy: boolean; run: (work: () => Promise<unknown>) => Promise<void>; notice: Child }

export function useWork(): Work {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ thrown: unknown } | null>(null)
  const running = useRef(false)
  const gone = useRef(false)
  useLayoutEffect(() => () => void (gone.current = true), [])
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

type ButtonProps = Deed & { of: Work }

/**
 * A button that does some work, and ignores further clicks until it is done. It is not disabled, because a
 * disabled button would lose the focus.
 */
export function Button({ of, name, act, kind, label }: ButtonProps) {
  const once = useIdempotency()
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-disabled={of.busy ? 'true' : undefined}
      onClick={() => void of.run(() => once(act))}
    >
      {name}
    </button>
  )
}

type Question = {
  title: string
  text: string
  /** The name of the button. */
  yes: string
  /** Whether it takes something away for good. */
  dangerous?: boolean
}

/** Asks before something that is not easily undone. The safe answer has the focus. */
export async function confirmed({ dangerous = true, ...question }: Question): Promise<boolean> {
  return (await asked({ dangerous, ...question })) !== null
}

/**
 * Shows a question above the page, and waits until it is closed. With `hint`, it asks for a reason, which
 * people will look up later. Null if the user cancels.
 */
export function asked(question: Question & { hint?: string }): Promise<string | null> {
  const place = document.createElement('div')
  document.body.append(place)
  const opener = document.activeElement
  return new Promise((resolve) => {
    const answer = (reason: string | null) => {
      place.remove()
      // A dialog that is taken away gives the focus back to nothing.
      if (opener instanceof HTMLElement) opener.focus()
      resolve(reason)
    }
    render(<Dialog {...question} answer={answer} />, place)
    // Only now it is in the document: effects of the first render run before.
    place.querySelector('dialog')?.showModal()
    place.querySelector('textarea')?.focus()
  })
}

/** Esc leaves a form or a question, and text in it would be lost. */
export const DISCARD = { title: 'Discard what you typed?', text: 'It is not saved.', yes: 'Discard' }

type DialogProps = Question & { hint?: string; answer: (reason: string | null) => void }

function Dialog({ title, text, yes, hint, dangerous = false, answer }: DialogProps) {
  // A question can stand above another one.
  const id = useId()
  const reason = useRef<HTMLTextAreaElement>(null)
  const typed = () => reason.current?.value.trim() ?? ''
  const submit = (event: Event) => {
    event.preventDefault()
    answer(typed())
  }
  const leave = async (event: Event) => {
    if (typed() === '') return
    event.preventDefault()
    if (await confirmed(DISCARD)) answer(null)
  }
  return (
    <dialog aria-labelledby={id} onCancel={(event: Event) => void leave(event)} onClose={() => answer(null)}>
      <h2 id={id}>{title}</h2>
      <p>{text}</p>
      <form onSubmit={submit}>
        {hint !== undefined && (
          <div class="field">
            <label for="asked-reason">Reason</label>
            <textarea
              ref={reason}
              id="asked-reason"
              required
              maxlength={500}
              rows={3}
              aria-describedby="why"
            />
            <span class="quiet hint" id="why">
              {hint}
            </span>
          </div>
        )}
        <div class="actions">
          <button type="button" autofocus={hint === undefined} onClick={() => answer(null)}>
            Cancel
          </button>
          <button type="submit" class={dangerous ? 'dangerous' : 'first'}>
            {yes}
          </button>
        </div>
      </form>
    </dialog>
  )
}

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
