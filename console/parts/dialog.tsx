import { type Child, render } from 'hono/jsx/dom'
import { Typed } from './form.tsx'

export type Question = {
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

/** Asks for a reason before something that people will look up later. Null if the user cancels. */
export async function askedReason({
  hint,
  ...question
}: Question & { hint: string }): Promise<string | null> {
  const field = (
    <div class="field">
      <label for="asked-reason">Reason</label>
      <textarea
        id="asked-reason"
        name="reason"
        required
        maxlength={500}
        rows={3}
        aria-describedby="asked-hint"
      />
      <span class="quiet hint" id="asked-hint">
        {hint}
      </span>
    </div>
  )
  return (await asked({ ...question, field }))?.text('reason') ?? null
}

/** Shows a question above the page, and waits until it is closed. Null if the user cancels. */
export function asked(question: Question & { field?: Child }): Promise<Typed | null> {
  const place = document.createElement('div')
  document.body.append(place)
  return new Promise((resolve) => {
    const answer = (typed: Typed | null) => {
      place.remove()
      resolve(typed)
    }
    render(<Dialog {...question} answer={answer} />, place)
    // Only now it is in the document: effects of the first render run before.
    place.querySelector('dialog')?.showModal()
    place.querySelector<HTMLElement>('textarea, input')?.focus()
  })
}

type DialogProps = Question & { field?: Child; answer: (typed: Typed | null) => void }

function Dialog({ title, text, yes, field, dangerous = false, answer }: DialogProps) {
  const submit = (event: Event) => {
    event.preventDefault()
    if (event.currentTarget instanceof HTMLFormElement) answer(new Typed(event.currentTarget))
  }
  return (
    <dialog aria-labelledby="question" onClose={() => answer(null)}>
      <h2 id="question">{title}</h2>
      <p>{text}</p>
      <form onSubmit={submit}>
        {field}
        <div class="actions">
          <button type="button" autofocus={field === undefined} onClick={() => answer(null)}>
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
