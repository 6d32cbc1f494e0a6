import { useId, useState } from 'hono/jsx/dom'
import { Failure } from '../api.ts'
import { type Option, regionsOf } from '../names.ts'
import { Field, type Typed, valueIn, valueOf } from './form.tsx'
import { useLoading } from './load.tsx'

/**
 * A field that chooses by name while typing, for lists that are too long for a select: countries, regions,
 * product types. A code is understood, too. What is typed is never cut, and a name that does not exist is an
 * error and not another thing. `chosen` is a value; `changed` gets each value that is typed in full, and null
 * for all else. Read it with Typed.chosen().
 */
export function Choice({
  label,
  name,
  options,
  chosen = '',
  hint,
  required = false,
  changed,
}: {
  label: string
  name: string
  options: readonly Option[]
  chosen?: string
  hint?: string
  required?: boolean
  changed?: (value: string | null) => void
}) {
  const list = useId()
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
      hint={hint}
      name={name}
      error={error}
      control={(bound) => (
        <>
          <input
            {...bound}
            name={name}
            list={list}
            required={required}
            autocomplete="off"

            value={options.find(({ value }) => value === chosen)?.name ?? chosen}
            onInput={type}
            onBlur={take}
          />
          <Options id={list} options={options} />
        </>
      )}
    />
  )
}

const REGION = 'State or province'

/** The states or provinces of a country; nothing if it has none. Read it with readRegion(). */
export function RegionChoice({
  country,
  chosen = '',
  hint,
}: {
  country: string | null
  chosen?: string
  hint?: string
}) {
  const { value } = useLoading(() => (country === null ? Promise.resolve([]) : regionsOf(country)), [country])
  if (value === null || value.length === 0) return null
  return <Choice label={REGION} name="region" options={value} chosen={chosen} {...(hint && { hint })} />
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
    return {
      value: null,
      message: thrown instanceof Failure ? thrown.message.replace(`${label}: `, '') : null,
    }
  }
}

/** The names that a field offers while typing. */
export function Options({ id, options }: { id: string; options: readonly Option[] }) {
  return (
    <datalist id={id}>
      {options.map(({ value, name, beside }) => (
        <option value={name}>{beside ?? value}</option>
      ))}
    </datalist>
  )
}
