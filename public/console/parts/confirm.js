import { element, field } from '../elements.js'

/**
 * Asks before something that cannot be undone. The safe answer has the focus.
 * @param {{ title: string, text: string, yes: string, typed?: string }} question `yes` is the name of the
 * button; `typed` has to be typed before it works
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, text, yes, typed }) {
  const agree = element('button', { type: 'submit', class: 'dangerous', value: 'yes' }, yes)
  const cancel = element('button', { type: 'button', autofocus: true }, 'Cancel')
  const word = element('input', { autocomplete: 'off', spellcheck: 'false', required: true })
  const form = element(
    'form',
    { method: 'dialog' },
    ...(typed === undefined ? [] : [field(`Type ${typed} to confirm`, word)]),
    element('div', { class: 'actions' }, cancel, agree),
  )
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'question' },
    element('h2', { id: 'question' }, title),
    element('p', {}, text),
    form,
  )
  cancel.addEventListener('click', () => dialog.close())
  form.addEventListener('submit', (event) => {
    if (typed === undefined || word.value.trim() === typed) return
    event.preventDefault()
    word.setAttribute('aria-invalid', 'true')
    word.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
  })
}
