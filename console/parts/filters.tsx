import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { ADDRESS, keepQuery } from '../address.ts'
import { Failure } from '../api.ts'
import { withDays } from '../format.ts'
import type { Option } from '../names.ts'
import { Field, useOptions, valueIn, valueOf } from './form.tsx'
import { Icon } from './icon.tsx'
import { Press } from './parts.tsx'

/**
 * A filter of a list. `search` is a field that is always visible; the others are chips. `pick` takes a name
 * of its options, and `words` any text. `resolve` finds the value of typed words, and throws a Failure if it
 * finds none. `options` also have the words of a value that is set, and `none` are those of no value.
 */
export type Filter = {
  name: string
  label: string
  kind: 'search' | 'words' | 'date' | 'select' | 'pick'
  options?: readonly Option[]
  none?: string
  hint?: string
  resolve?: (typed: string) => Promise<string>
}

/** As many chips stand in the row. If there are more, a panel has the others, and on a phone all. */
const IN_ROW = 4

/**
 * Filters above a list. They are kept in the address, so that a link or a reload shows the same rows. Each
 * that is set is a chip with its value in words, and is removed there.
 */
export function Filters({ of, query }: { of: readonly Filter[]; query: URLSearchParams }) {
  const bar = useRef<HTMLDivElement>(null)
  useCloseOutside(bar)
  const isSet = ({ name }: Filter) => query.has(name)
  const remove = (...names: readonly string[]) => {
    keepQuery(new URLSearchParams([...ADDRESS.get().query].filter(([name]) => !names.includes(name))))
    const place = bar.current?.querySelector('.more > summary') ?? bar.current?.querySelector('input')
    if (place instanceof HTMLElement) place.focus()
  }
  const search = of.find(({ kind }) => kind === 'search')
  const others = of.filter((each) => each !== search)
  const many = others.length > IN_ROW + 1
  const chips = others.filter((each, index) => !many || index < IN_ROW || isSet(each))
  const valueOfFilter = ({ name }: Filter) => query.get(name) ?? ''
  const count = others.filter(isSet).length
  return (
    <div
      ref={bar}
      class={many ? 'filters many' : 'filters'}
      role="search"
      aria-label="Filters"
      onKeyDown={closeByKey}
    >
      {search && <Search filter={search} value={valueOfFilter(search)} />}
      {chips.map((filter) => (
        <Chip key={filter.name} filter={filter} value={valueOfFilter(filter)} remove={remove} />
      ))}
      {many && (
        <details class="more" name="filter" onToggle={opened}>
          <summary>
            <span class="wide">More filters</span>
            <span class="narrow">{count === 0 ? 'Filters' : `Filters (${count})`}</span>
          </summary>
          <div>
            {others.map((filter, index) => (
              <div key={filter.name} class={index < IN_ROW ? 'narrow' : undefined}>
                <Control filter={filter} value={valueOfFilter(filter)} />
              </div>
            ))}
            <div class="narrow done">
              <Press name="Show the list" act={close} kind="first" />
            </div>
          </div>
        </details>
      )}
      {of.some(isSet) && (
        <Press name="Clear all" act={() => remove(...of.map(({ name }) => name))} kind="plain" />
      )}
    </div>
  )
}

/** Puts one value into the address as it is now: another filter may have changed meanwhile. */
function change(name: string, value: string): void {
  const { query } = ADDRESS.get()
  const next = new URLSearchParams(query)
  if (value === '') next.delete(name)
  else next.set(name, value)
  if (next.toString() !== query.toString()) keepQuery(next)
}

type Props = { filter: Filter; value: string }

/** A pause in typing, after which the list is filtered. Enter does so at once. */
const PAUSE_MS = 300

/** Acts after the pause, unless it is called again before that. Null: it does not act. */
export function usePause(): (act: (() => void) | null) => void {
  const timer = useRef(0)
  const stop = () => clearTimeout(timer.current ?? 0)
  useLayoutEffect(() => stop, [])
  return (act) => {
    stop()
    if (act !== null) timer.current = window.setTimeout(act, PAUSE_MS)
  }
}

function Search({ filter: { name, label }, value }: Props) {
  // What is typed meanwhile is never set back.
  const [initial] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const taken = useRef(value)
  const pause = usePause()
  const take = () => {
    pause(null)
    taken.current = field.current?.value.trim() ?? ''
    change(name, taken.current)
  }
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
      onInput={() => pause(take)}
      onBlur={take}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && take()}
    />
  )
}

type ChipProps = Props & { remove: (name: string) => void }

/** A chip that says its value, and opens the control that changes it. */
function Chip({ filter, value, remove }: ChipProps) {
  const { name, label } = filter
  const is_set = value !== ''
  return (
    <span class={is_set ? 'chip set' : 'chip'}>
      <details name="filter" onToggle={opened}>
        <summary>{is_set ? `${label}: ${wordsOf(filter, value)}` : label}</summary>
        <div>
          <Control filter={filter} value={value} done={close} />
        </div>
      </details>
      {is_set && (
        <Press name={<Icon name="close" />} label={`Remove ${label}`} act={() => remove(name)} kind="plain" />
      )}
    </span>
  )
}

/** The value as people read it. */
function wordsOf({ options = [] }: Filter, value: string): string {
  return options.find((each) => each.value === value)?.name ?? withDays(value)
}

/** The control of a filter. `done` follows a choice, and Enter. */
function Control({ filter, value, done }: Props & { done?: () => void }) {
  const { name, label, hint, kind, options = [], none = 'All', resolve } = filter
  const [error, setError] = useState<string | null>(null)
  const names = useOptions(kind === 'pick' ? options : [])
  const pause = usePause()
  const take = async ({ target }: Event, act?: () => void) => {
    pause(null)
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
    // A day that is typed in part is not a day yet.
    if (!target.validity.valid) return
    try {
      change(name, await resolved(filter, target.value.trim()))
      setError(null)
      act?.()
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      setError(thrown.message)
    }
  }
  const type = (event: Event) => {
    const typed = valueIn(event).trim()
    // The start of a name can be another name, and a search elsewhere waits for Enter.
    const is_whole = kind !== 'pick' || typed === '' || options.some((each) => each.name === typed)
    pause(resolve === undefined && is_whole ? () => void take(event) : null)
  }
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The key would open again what gets the focus.
    event.preventDefault()
    void take(event, done)
  }
  const control = (bound: object) =>
    kind === 'select' ? (
      <select {...bound} onInput={(event: Event) => void take(event, done)}>
        <option value="" selected={value === ''}>
          {none}
        </option>
        {options.map((each) => (
          <option value={each.value} selected={each.value === value}>
            {each.name}
          </option>
        ))}
      </select>
    ) : (
      <input
        {...bound}
        type={kind === 'date' ? 'date' : 'text'}
        min={kind === 'date' ? '1900-01-01' : undefined}
        value={kind === 'date' ? value : wordsOf(filter, value)}
        {...names.bound}
        autocomplete="off"
        onInput={type}
        onBlur={(event: Event) => void take(event)}
        onKeyDown={enter}
      />
    )
  return (
    <>
      <Field label={label} hint={hint} error={error} control={control} />
      {names.list}
    </>
  )
}

/** The value of a typed name or value. Throws a Failure if it is neither. */
async function resolved({ kind, label, options = [], resolve }: Filter, typed: string): Promise<string> {
  if (typed === '') return ''
  const named = options.find(({ name }) => name === typed)
  if (named !== undefined) return named.value
  if (resolve !== undefined) return resolve(typed)
  return kind === 'pick' ? valueOf(options, typed, label) : typed
}

/** The open part gets the focus, and stays in the window. */
function opened({ currentTarget }: Event): void {
  if (!(currentTarget instanceof HTMLDetailsElement) || !currentTarget.open) return
  const panel = currentTarget.querySelector(':scope > div')
  if (!(panel instanceof HTMLElement)) return
  panel.style.translate = ''
  const beyond = panel.getBoundingClientRect().right + 8 - document.documentElement.clientWidth
  if (beyond > 0) panel.style.translate = `${-beyond}px`
  const controls = [...panel.querySelectorAll<HTMLElement>('input, select')]
  controls.find((each) => each.checkVisibility())?.focus()
}

/** Closes what is open, and gives the focus back to it. */
function close(): void {
  const open = document.querySelector('.filters details[open]')
  open?.removeAttribute('open')
  open?.querySelector('summary')?.focus()
}

/** A click elsewhere closes what is open. */
function useCloseOutside(bar: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const outside = ({ target }: Event) => {
      const open = bar.current?.querySelector('details[open]')
      if (open && target instanceof Node && !open.contains(target)) open.removeAttribute('open')
    }
    addEventListener('click', outside)
    return () => removeEventListener('click', outside)
  }, [])
}

/** Esc closes what is open. */
function closeByKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || document.querySelector('.filters details[open]') === null) return
  event.preventDefault()
  close()
}
