import { type Child, useId, useState } from 'hono/jsx/dom'
import type { Scope } from '../../client/src/schema.ts'
import { may, who } from '../account.ts'
import { Failure, mistake } from '../api.ts'
import { type Option, regionsOf } from '../names.ts'
import { useIdempotency, useWork } from './changes.tsx'
import { forgetTyped } from './in-place.tsx'
import { useLoading } from './load.tsx'
import { atFields, type FieldOf, focusFirst, NONE_WRONG, useWrong, Wrong } from './wrong-fields.tsx'

/** What was typed into a form, by the names of its fields. */
export class Typed {
  readonly #data: FormData

  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form)
  }

  /** Without spaces around it. Empty: nothing was typed. */
  text(name: string): string {
    const value = this.#data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }

  /** Null if nothing was typed. */
  optional(name: string): string | null {
    return this.text(name) || null
  }

  /** Such values by their names, as the API takes them. */
  optionals(...names: readonly string[]): Record<string, string | null> {
    return Object.fromEntries(names.map((name) => [name, this.optional(name)]))
  }

  /** The chosen file; null: none was chosen. */
  file(name: string): File | null {
    const value = this.#data.get(name)
    return value instanceof File && value.size > 0 ? value : null
  }

  isChecked(name: string): boolean {
    return this.#data.has(name)
  }

  /** The values of all fields of this name, as they were typed. */
  all(name: string): string[] {
    return this.#data.getAll(name).map(String)
  }

  /** The values of the checked boxes of this name. Throws a Failure if there is none. */
  checked(name: string, label: string): string[] {
    const values = this.all(name)
    if (values.length === 0) throw mistake(`${label}: choose at least one`, 'required')
    return values
  }

  /** The value of a name that was typed into a Choice; null: nothing. Throws a Failure that names it. */
  chosen(name: string, label: string, options: readonly Option[]): string | null {
    const typed = this.text(name)
    return typed === '' ? null : valueOf(options, typed, label)
  }
}

type PartsFormProps = {
  name: string
  fieldOf?: FieldOf
  send: (typed: Typed, idempotency_key: string, form: HTMLFormElement) => Promise<unknown>
  children: Child
  beside?: Child
  first?: boolean
  waits?: boolean
  scope?: Scope
}

/**
 * A form. Its button shows that the work is in progress, and a failed form keeps what was typed. Its fields
 * show what is wrong with them, and below is what has no field. `name` is that of the button; `first` is
 * whether it is the main one of the view. With `waits`, the button stays away until something is typed.
 * `send` gets an idempotency key, which each attempt sends again.
 * `fieldOf` names the controls that have another name than the field of the API. A key without `scope` reads
 * the form and cannot send it.
 */
export function Form(props: PartsFormProps) {
  const { name, send, children, beside, first = true, waits = false, scope, fieldOf = () => null } = props
  const work = useWork()
  const once = useIdempotency()
  const [wrong, setWrong] = useState(NONE_WRONG)
  const submit = (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    setWrong(NONE_WRONG)
    const attempt = async () => {
      try {
        await once((key) => send(new Typed(form), key, form))
        forgetTyped(form)
        // Its button is gone now.
        if (waits) form.focus({ preventScroll: true })
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown
        const found = atFields(thrown, form, fieldOf)
        setWrong(found.wrong)
        focusFirst(form, found.wrong)
        if (found.left !== null) throw withLabels(found.left, form)
      }
    }
    void work.run(attempt)
  }
  const mend = ({ target }: Event) => {
    const name = target instanceof HTMLElement && 'name' in target ? target.name : null
    if ([...wrong.keys()].some((each) => each === name))
      setWrong(new Map([...wrong].filter(([each]) => each !== name)))
  }
  if (scope !== undefined && !may(scope))
    return (
      <form onSubmit={(event: Event) => event.preventDefault()}>
        {children}
        <p class="quiet">{who()} can read this, but not change it.</p>
      </form>
    )
  return (
    <form
      onSubmit={submit}
      onInput={mend}
      class={waits ? 'waits' : undefined}
      tabindex={waits ? -1 : undefined}
    >
      <Wrong.Provider value={wrong}>{children}</Wrong.Provider>
      <div class="actions">
        <button
          type="submit"
          class={first ? 'first' : undefined}
          aria-disabled={work.busy ? 'true' : undefined}
        >
          {name}
        </button>
        {beside}
      </div>
      {work.notice}
    </form>
  )
}

/** The failure with the labels of the form instead of the names of the API: `customer.address.region`. */
function withLabels(failed: Failure, form: HTMLFormElement): Failure {
  const { status, message, reason, errors, request_id } = failed
  const named = (path: string) => {
    const control = form.elements.namedItem(path.split('.').at(-1) ?? '')
    const label = control instanceof HTMLInputElement || control instanceof HTMLSelectElement
    return (label && control.labels?.[0]?.textContent) || path
  }
  return new Failure(status, {
    message: message.replace(/^[a-z_.]+(?=: )/, named),
    reason,
    errors: errors.map((each) => ({ ...each, path: named(each.path) })),
    ...(request_id !== null && { request_id }),
  })
}

/** What binds a control to its label, its help and its error. */
type Bound = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

type FieldProps = {
  label: string
  hint?: Child
  name?: string | undefined
  error?: string | null
  control: (bound: Bound) => Child
}

/**
 * A control with its label above, and help and what is wrong with it below. `control` gets the attributes
 * that bind it to them, `name` is that of the control, and `error` is one that the field itself has found.
 */
export function Field({ label, hint, name, error = null, control }: FieldProps) {
  const id = useId()
  const { invalid, described, below } = useWrong(name, id, error)
  const describing = [described, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({ id, 'aria-describedby': describing, 'aria-invalid': invalid })}
      {below}
      {hint !== undefined && (
        <span class="quiet hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** A group of boxes with one name. What is wrong with it is below its legend. */
export function Group({ legend, name, children }: { legend: string; name: string; children: Child }) {
  const id = useId()
  const { described, below } = useWrong(name, id)
  return (
    <fieldset class="events" name={name} id={id} aria-describedby={described ?? undefined}>
      <legend>{legend}</legend>
      {below}
      {children}
    </fieldset>
  )
}

type InputProps = { label: string; name?: string; children?: Child } & Record<string, unknown>

/**
 * A labelled field of one line. Its children are help, and its other attributes are those of an input. The
 * key keeps what was typed from a field that takes the place of another one.
 */
export function Input({ label, children, ...attributes }: InputProps) {
  const control = (bound: object) => (
    <input key={attributes.name} autocomplete="off" {...bound} {...attributes} />
  )
  return <Field label={label} hint={children} name={attributes.name} control={control} />
}

type SelectProps = {
  label: string
  name: string
  choices: Readonly<Record<string, string>>
  chosen: string
  changed?: (value: string) => void
  children?: Child
}

/** A labelled choice from a few names, which `choices` has by their values. Its children are help. */
export function Select({ label, name, choices, chosen, changed, children }: SelectProps) {
  const control = (bound: object) => (
    <select {...bound} name={name} onInput={(event: Event) => changed?.(valueIn(event))}>
      {Object.entries(choices).map(([value, shown]) => (
        <option value={value} selected={value === chosen}>
          {shown}
        </option>
      ))}
    </select>
  )
  return <Field label={label} hint={children} name={name} control={control} />
}

/** A box with its words beside it. */
export function Check({ children, ...attributes }: { children?: Child } & Record<string, unknown>) {
  return (
    <label class="check">
      <input type="checkbox" {...attributes} />
      <span>{children}</span>
    </label>
  )
}

/** The value of the control of an event. */
export function valueIn({ target }: Event): string {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : ''
}

/** The value of a typed name or value. Throws a Failure that names the field if it is neither. */
export function valueOf(options: readonly Option[], typed: string, label: string): string {
  const wanted = plain(typed)
  const found = options.find(({ value, name }) => plain(name) === wanted || plain(value) === wanted)
  if (found !== undefined) return found.value
  throw mistake(`${label}: “${typed}” is not in the list${nearest(options, wanted)}`, 'unknown_name')
}

function nearest(options: readonly Option[], wanted: string): string {
  const near =
    options.find(({ name }) => plain(name).startsWith(wanted)) ??
    options.find(({ name }) => plain(name).includes(wanted)) ??
    options.find(({ name }) => plain(name).slice(0, 3) === wanted.slice(0, 3))
  return near === undefined ? '.' : `. Did you mean ${near.name}?`
}

/** Without accents and in lower case: “cote d’ivoire” finds “Côte d’Ivoire”. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()
}

type ChoiceProps = {
  label: string
  name: string
  options: readonly Option[]
  chosen?: string
  required?: boolean
  changed?: (value: string | null) => void
  children?: Child
}

/**
 * A field that chooses by name while typing, for lists that are too long for a select: countries, regions,
 * product types. A code is understood, too. What is typed is never cut, and a name that does not exist is an
 * error and not another thing. `chosen` is a value; `changed` gets each value that is typed in full, and null
 * for all else. Its children are help. Read it with Typed.chosen().
 */
export function Choice({ label, name, options, chosen = '', required, changed, children }: ChoiceProps) {
  const names = useOptions(options)
  const [error, setError] = useState<string | null>(null)
  const take = (event: Event) => {
    const input = event.target
    if (!(input instanceof HTMLInputElement)) return
    const { value, message } = readIn(options, input.value, label)
    // Below a field, it would move the button from under the pointer. The form names the field itself.
    const to_button = event instanceof FocusEvent && event.relatedTarget instanceof HTMLButtonElement
    if (!to_button) setError(message)
    input.value = options.find((each) => each.value === value)?.name ?? input.value
  }
  const type = (event: Event) => {
    const { value, message } = readIn(options, valueIn(event), label)
    if (message === null) setError(null)
    changed?.(value)
  }
  return (
    <Field
      label={label}
      hint={children}
      name={name}
      error={error}
      control={(bound) => (
        <>
          <input
            {...bound}
            {...names.bound}
            name={name}
            required={required === true}
            autocomplete="off"
            value={options.find(({ value }) => value === chosen)?.name ?? chosen}
            onInput={type}
            onBlur={take}
          />
          {names.list}
        </>
      )}
    />
  )
}

const REGION = 'State or province'

type RegionChoiceProps = { country: string | null; chosen?: string; children?: Child }

/** The states or provinces of a country; nothing if it has none. Read it with readRegion(). */
export function RegionChoice({ country, ...choice }: RegionChoiceProps) {
  const { value } = useLoading(() => (country === null ? Promise.resolve([]) : regionsOf(country)), [country])
  if (value === null || value.length === 0) return null
  return <Choice label={REGION} name="region" options={value} {...choice} />
}

/** The code of the region within its country; null: nothing was typed. Throws a Failure that names it. */
export async function readRegion(typed: Typed, country: string | null): Promise<string | null> {
  if (country === null || typed.text('region') === '') return null
  return typed.chosen('region', REGION, await regionsOf(country))
}

function readIn(options: readonly Option[], typed: string, label: string) {
  const text = typed.trim()
  try {
    return { value: text === '' ? null : valueOf(options, text, label), message: null }
  } catch (thrown) {
    const message = thrown instanceof Failure ? thrown.message.replace(`${label}: `, '') : null
    return { value: null, message }
  }
}

/**
 * The names that a field offers while typing. They are drawn when the field first has the focus: a list of
 * all places and currencies is more than the rest of a page.
 */
export function useOptions(options: readonly Option[]): { bound: object; list: Child } {
  const id = useId()
  const [is_wanted, setWanted] = useState(false)
  if (options.length === 0) return { bound: {}, list: null }
  const list = (
    <datalist id={id}>
      {is_wanted && options.map(({ value, name, beside }) => <option value={name}>{beside ?? value}</option>)}
    </datalist>
  )
  return { bound: { list: id, onFocus: () => setWanted(true) }, list }
}
