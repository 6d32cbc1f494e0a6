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
        const Control = filter.kind === 'search' ? Search : Chip
        return <Control key={`${filter.name} ${value}`} filter={filter} value={value} change={change} />
      })}
      {is_set && <Press name="Clear all" act={clear} kind="plain" />}
      {beside}
    </div>
  )
}

type Props = { filter: Filter; value: string; change: Change }

function Search({ filter: { name, label }, value, change }: Props) {
  const take = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) change(name, target.value.trim())
  }
  return (
    <input
      type="search"
      value={value}
      placeholder={label}
      aria-label={label}
      autocomplete="off"

      onBlur={take}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && take(event)}
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
