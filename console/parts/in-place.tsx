import { type Child, useState } from 'hono/jsx/dom'
import { ADDRESS, leaveDrawer } from '../address.ts'
import { confirmed, DISCARD } from './changes.tsx'
import { Press } from './parts.tsx'

const LEAVE = 'leave'

type InPlace = { button: Child; form: Child; open: () => void }

/**
 * A button whose form takes its place. `form` is null until it is opened. The form has the focus then, and
 * the button has it again when the form is left: by `close`, by Esc, or because the record is drawn again.
 */
export function useInPlace(name: string, make: (close: () => void) => Child): InPlace {
  const [is_open, setOpen] = useState(false)
  const open = () => setOpen(true)
  const close = () => setOpen(false)
  const form = is_open ? (
    <div class="in-place" data-opener={name} onLeave={close}>
      {make(close)}
    </div>
  ) : null
  return { button: <Press name={name} act={open} />, form, open }
}

/** What had the focus last. `opener` is the name of the button that opened the form around it. */
type Focused = { element: HTMLElement; name: string; opener: string | null; place: Surrounding }

/** Drawers and returns have headings of their own. */
type Surrounding = 'drawer' | 'return' | 'page'

let last: Focused | null = null

/** From now on, the focus never falls to the page with the element that had it, and Esc leaves forms. */
export function keepFocus(): void {
  addEventListener('focusin', remember)
  addEventListener('pointerdown', remember)
  addEventListener('input', markTyped)
  addEventListener('keydown', (event) => void leaveByKey(event))
  new MutationObserver(returnFocus).observe(document.body, { childList: true, subtree: true })
}

/** Some browsers give no focus to a button that is clicked. A click beside all controls takes it away. */
function remember({ target }: Event): void {
  const element = target instanceof Element ? target.closest(CONTROLS) : null
  if (!(element instanceof HTMLElement)) last = null
  else
    last = {
      element,
      name: nameOf(element),
      opener: element.closest<HTMLElement>('[data-opener]')?.dataset['opener'] ?? null,
      place: element.closest('#drawer') ? 'drawer' : element.closest('.return') ? 'return' : 'page',
    }
}

const CONTROLS = 'a, button, input, select, textarea, summary, [tabindex]'

function nameOf(element: Element): string {
  return element.ariaLabel ?? element.textContent
}

/** If what had the focus is gone, the focus goes to what took its place. */
function returnFocus(): void {
  if (last === null || last.element.isConnected || document.activeElement !== document.body) return
  if (document.querySelector('dialog[open]') !== null) return
  const place = document.getElementById(last.place === 'drawer' ? 'drawer' : 'content')
  if (place === null) return
  const { name, opener } = last
  const form = all(place, '[data-opener]').find(({ dataset }) => dataset['opener'] === name)
  if (form !== undefined) return focusFirstField(form)
  const button = all(place, 'button').find((each) => nameOf(each) === (opener ?? name))
  // A list that is drawn again keeps its place: only a record, a form or a question lead to a heading.
  const is_asked = last.place !== 'page' || opener !== null || name.endsWith('…')
  const to = button ?? (is_asked ? all(place, ':is(h1, h2)[tabindex]').at(-1) : undefined)
  to?.focus({ preventScroll: to !== button })
}

function all(place: Element, selector: string): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(selector)]
}

/** What a form waits for can come later: then it has no field yet. */
function focusFirstField(form: HTMLElement): void {
  const field = form.querySelector<HTMLElement>('input, select, textarea')
  field?.focus()
  if (field instanceof HTMLInputElement && field.type !== 'radio') field.select()
}

function markTyped({ target }: Event): void {
  if (!(target instanceof HTMLElement)) return
  // A search and a choice of what is shown lose nothing.
  if (target.closest('form') !== null || target.matches('input:not([type="search"])'))
    target.toggleAttribute(TYPED, true)
}

const TYPED = 'data-typed'

/** What was typed into the form is sent: nothing is lost without it. */
export function forgetTyped(form: HTMLFormElement): void {
  for (const field of form.elements) field.removeAttribute(TYPED)
}

/** Esc leaves the form that took the place of a button, and else the drawer. It asks before text is lost. */
async function leaveByKey(event: KeyboardEvent): Promise<void> {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  if (document.querySelector('dialog[open]') !== null) return
  const form = document.querySelector('[data-opener]')
  const left = form ?? (ADDRESS.get().id === null ? null : document.getElementById('drawer'))
  if (left === null) return
  // The same key would close the question that it opens.
  event.preventDefault()
  if (left.querySelector(`[${TYPED}]`) !== null && !(await confirmed(DISCARD))) return
  if (form === null) leaveDrawer()
  else form.dispatchEvent(new Event(LEAVE))
}
