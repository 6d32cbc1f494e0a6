import { type Child, createContext, useContext } from 'hono/jsx/dom'
import { Failure } from '../api.ts'
import { sentence } from '../words.ts'

/** What is wrong with the fields of a form, by the names of their controls. */
type WrongFields = ReadonlyMap<string, string>

export const NONE_WRONG: WrongFields = new Map()

/** Form provides it, and each field of the form shows its own. */
export const Wrong = createContext<WrongFields>(NONE_WRONG)

/** The name of the control that an error of the API is about; null: it has another name, or there is none. */
export type FieldOf = (path: string, form: HTMLFormElement) => string | null

/** The attributes of a control, and what is wrong with it below it. `own` is an error that no form knows. */
export function useWrong(
  name: string | undefined,
  id: string,
  own: string | null = null,
): { invalid: 'true' | undefined; described: string | null; below: Child } {
  const wrong = useContext(Wrong)
  const error = own ?? (name === undefined ? undefined : wrong.get(name)) ?? null
  return {
    invalid: error === null ? undefined : 'true',
    described: error === null ? null : `${id}-error`,
    below: (
      <span class="field-error" role={error === null ? undefined : 'alert'} id={`${id}-error`}>
        {error ?? ''}
      </span>
    ),
  }
}

/**
 * The errors of a failure that have a field in the form, and what is left of it; null: nothing. What the
 * console refuses itself begins with the label of its field.
 */
export function atFields(
  failure: Failure,
  form: HTMLFormElement,
  fieldOf: FieldOf,
): { wrong: WrongFields; left: Failure | null } {
  const wrong = new Map<string, string>()
  const left = errorsOf(failure).filter(({ path, message }) => {
    const name = nameIn(form, path, fieldOf)
    if (name !== null && !wrong.has(name)) wrong.set(name, sentence(withLabels(form, message)))
    return name === null
  })
  if (wrong.size === 0) return { wrong, left: failure }
  const [first] = left
  if (first === undefined) return { wrong, left: null }
  const { status, reason, request_id } = failure
  const message = `${first.path}: ${first.message}`
  const rest = { message, reason, errors: left, ...(request_id !== null && { request_id }) }
  return { wrong, left: new Failure(status, rest) }
}

/** The names of other fields in a message are those of the API: `postal_code`. */
function withLabels(form: HTMLFormElement, message: string): string {
  return message.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (named) => {
    const control = controlsOf(form).find(({ name }) => name === named)
    return (control && labelOf(control)) ?? named
  })
}

/** Goes to the first of the fields. The head of a drawer covers what the browser takes for visible. */
export function focusFirst(form: HTMLFormElement, wrong: WrongFields): void {
  const shown = controlsOf(form).find(({ name }) => wrong.has(name))
  const [control, top] =
    shown instanceof HTMLFieldSetElement
      ? [shown.querySelector('input'), shown.querySelector('legend')]
      : [shown, shown]
  control?.focus({ preventScroll: true })
  top?.scrollIntoView({ block: 'center' })
}

function errorsOf({ errors, message }: Failure): Failure['errors'] {
  if (errors.length > 0) return errors
  const [, path, text] = /^([^:]+): ([^]+)$/.exec(message) ?? []
  return path === undefined || text === undefined ? [] : [{ path, message: text }]
}

/** The name of the control of `customer.address.region`, `events[0]` or a label; null: the form has none. */
function nameIn(form: HTMLFormElement, path: string, fieldOf: FieldOf): string | null {
  const last =
    path
      .replaceAll(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? path
  const named = fieldOf(path, form) ?? last
  const controls = controlsOf(form)
  const found = controls.find(({ name }) => name === named) ?? controls.find((each) => labelOf(each) === path)
  return found?.name ?? null
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLFieldSetElement

/** The controls that have a place for what is wrong with them. A group of boxes has one as a whole. */
function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (each) => isControl(each) && each.name !== '' && document.getElementById(`${each.id}-error`) !== null,
  ) as Control[]
}

function isControl(each: Element): each is Control {
  return (
    each instanceof HTMLInputElement ||
    each instanceof HTMLSelectElement ||
    each instanceof HTMLTextAreaElement ||
    each instanceof HTMLFieldSetElement
  )
}

function labelOf(control: Control): string | null {
  if (control instanceof HTMLFieldSetElement) return control.querySelector('legend')?.textContent ?? null
  return control.labels?.[0]?.textContent ?? control.getAttribute('aria-label')
}
