import { useState } from 'hono/jsx/dom'
import { announce } from './announce.ts'

/** A button that copies a text. */
export function Copy({ text, name = 'Copy', label }: { text: string; name?: string; label?: string }) {
  const [done, setDone] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setDone(true)
        announce('Copied')
        setTimeout(() => setDone(false), 2_000)
      },
      () => announce('The browser did not allow to copy'),
    )
  return (
    <button type="button" class="copy" aria-label={label} onClick={() => void copy()}>
      {done ? 'Copied' : name}
    </button>
  )
}
