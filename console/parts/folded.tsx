import { type Child, useState } from 'hono/jsx/dom'

/** A part that opens: what is inside is made when it is first opened. */
export function Folded({ title, make }: { title: string; make: () => Child }) {
  const [opened, setOpened] = useState(false)
  const toggle = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open) setOpened(true)
  }
  return (
    <details onToggle={toggle}>
      <summary>{title}</summary>
      {opened && <div class="stack folded">{make()}</div>}
    </details>
  )
}
