import { element, field } from '../elements.js'

/**
 * Asks for a reason before something that people will look up later.
 * @param {{ title: string, text: string, yes: string, hint: string }} question `yes` is the name of the button
 * @returns {Promise<string | null>} null if the user cancels
 */
export function askedReason({ title, text, yes, hint }) {
  const reason = element('textarea', { required: true, maxlength: 500, rows: 3 })
  const cancel = element('button', { type: 'button' }, 'Cancel')
  const form = element(
    'form',
    { method: 'dialog' },
    field('Reason', reason, hint),
    element(
      'div',
      { class: 'actions' },
      cancel,
      element('button', { type: 'submit', class: 'dangerous', value: 'yes' }, yes),
    ),
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
    if (reason.value.trim() !== '') return
    event.preventDefault()
    reason.setAttribute('aria-invalid', 'true')
    reason.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  reason.focus()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes' ? reason.value.trim() : null)
    })
  })
}
