import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { keepQuery } from '../address.ts'
import { Failure } from '../api.ts'
import type { Option } from '../names.ts'
import { Field, Options, valueOf } from './form.tsx'
import { Press } from './parts.tsx'

/**
 * A filter of a list. `search` is a field that is always visible; the others are chips. `pick` takes a name
 * of its options, and `words` any text. `resolve` finds the value of typed words, and throws a Failure if it
 * finds none.
 */
export type Filter = {
  name: string
  label: string
  kind: 'search' | 'words' | 'date' | 'select' | 'pick'
  options?: readonly Option[]
  hint?: string
  resolve?: (typed: string) => Promise<string>
}

type Change = (name: string, value: string) => void

type FiltersProps = { of: readonly Filter[]; query: URLSearchParams; beside?: Child }

/**
 * Filters above a list. They are kept in the address, so that a link or a reload shows the same rows.
 * `beside` stands at their end.
 */
export function Filters({ of, query, beside }: FiltersProps) {
  const bar = useRef<HTMLDivElement>(null)
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(query)
    if (value === '') next.delete(name)
    else next.set(name, value)
    if (next.toString() !== query.toString()) keepQuery(next)
  }
  const clear = () => {
    keepQuery(new URLSearchParams([...query].filter(([name]) => !of.some((each) => each.name === name))))
    bar.current?.querySelector('input')?.focus()
  }
  const is_set = of.some(({ name }) => query.has(name))
  return (
    <div ref={bar} class="filters" role="search" aria-label="Filters" onKeyDown={closeChip}>
      {of.map((filter) => {
        const value = query.get(filter.name) ?? ''
        // A chip is made anew with its value. The search stays, because somebody types in it.
        if (filter.kind === 'search') return <Search key={filter.name} {...{ filter, value, change }} />
        return <Chip key={`${filter.name} ${value}`} {...{ filter, value, change }} />
      })}
      {is_set && <Press name="Clear all" act={clear} kind="plain" />}
      {beside}
    </div>
  )
}

type Props = { filter: Filter; value: string; change: Change }

/** A pause in typing, after which the list is filtered. Enter does so at once. */
const PAUSE_MS = 300

function Search({ filter: { name, label }, value, change }: Props) {
  // What is typed meanwhile is never set back.
  const [initial] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const taken = useRef(value)
  const timer = useRef(0)
  const latest = useRef(change)
  latest.current = change
  const take = () => {
    clearTimeout(timer.current ?? 0)
    taken.current = field.current?.value.trim() ?? ''
    latest.current?.(name, taken.current)
  }
  const type = () => {
    clearTimeout(timer.current ?? 0)
    timer.current = window.setTimeout(take, PAUSE_MS)
  }
  useLayoutEffect(() => () => clearTimeout(timer.current ?? 0), [])
  // A link or the button that clears all has changed it, and not the field.
  useLayoutEffect(() => {
    if (value === taken.current || field.current === null) return
    taken.current = value
    field.current.value = value
  }, [value])
  return (
    <input
      ref={field}
      type="search"
      value={initial}
      placeholder={label}
      aria-label={label}
      autocomplete="off"
      onInput={type}
      onBlur={take}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && take()}
    />
  )
}

/** A chip that says its value, and opens the control that changes it. */
function Chip({ filter, value, change }: Props) {
  const { name, label, hint, kind, options = [] } = filter
  const [error, setError] = useState('')
  const chip = useRef<HTMLDetailsElement>(null)
  const shown = options.find((each) => each.value === value)?.name ?? value
  useCloseOutside(chip)
  const take = async ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
    try {
      change(name, await resolved(filter, target.value.trim()))
      setError('')
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      setError(thrown.message)
    }
  }
  const takes = (event: Event) => void take(event)
  const toggle = () => {
    const control = chip.current?.querySelector('input, select')
    if (chip.current?.open && control instanceof HTMLElement) control.focus()
  }
  const control = (bound: object) =>
    kind === 'select' ? (
      <select {...bound} onInput={takes}>
        <option value="">All</option>
        {options.map((each) => (
          <option value={each.value} selected={each.value === value}>
            {each.name}
          </option>
        ))}
      </select>
    ) : kind === 'date' ? (
      <input {...bound} type="date" value={shown} onInput={takes} />
    ) : (
      <input
        {...bound}
        value={shown}
        list={kind === 'pick' ? `filter-${name}` : undefined}
        autocomplete="off"

        onBlur={takes}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && takes(event)}
      />
    )
  return (
    <details ref={chip} class={value === '' ? 'chip' : 'chip set'} name="filter" onToggle={toggle}>
      <summary>{value === '' ? label : `${label}: ${shown}`}</summary>
      <div>
        <Field label={label} hint={hint} control={control} />
        {kind === 'pick' && <Options id={`filter-${name}`} options={options} />}
        <p class="field-error" role="alert">
          {error}
        </p>
        {value !== '' && <Press name="Remove the filter" act={() => change(name, '')} />}
      </div>
    </details>
  )
}

/** The value of a typed name or value. Throws a Failure if it is neither. */
async function resolved({ kind, label, options = [], resolve }: Filter, typed: string): Promise<string> {
  if (typed === '') return ''
  if (resolve !== undefined) return resolve(typed)
  return kind === 'pick' ? valueOf(options, typed, label) : typed
}

/** A click elsewhere closes an open chip. */
function useCloseOutside(chip: { current: HTMLDetailsElement | null }): void {
  useLayoutEffect(() => {
    const close = ({ target }: Event) => {
      if (chip.current?.open && target instanceof Node && !chip.current.contains(target))
        chip.current.open = false
    }
    addEventListener('click', close)
    return () => removeEventListener('click', close)
  }, [])
}

/** Esc closes the open chip. */
function closeChip(event: KeyboardEvent): void {
  const chip = document.querySelector('.filters details[open]')
  if (event.key !== 'Escape' || chip === null) return
  event.preventDefault()
  chip.removeAttribute('open')
  chip.querySelector('summary')?.focus()
}
