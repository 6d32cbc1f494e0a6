import { element } from '../elements.js'

/**
 * Shows a question above the page, with the fields of its answer, and waits until it is closed.
 * @param {object} question
 * @param {string} question.title
 * @param {string} question.text
 * @param {string} question.yes the name of the button
 * @param {readonly HTMLElement[]} question.fields
 * @param {() => HTMLElement | null} question.missing the field that still has to be filled
 * @param {HTMLElement | null} question.focused null: the safe answer has the focus
 * @returns {Promise<boolean>} whether the user agreed
 */
export function asked({ title, text, yes, fields, missing, focused }) {
  const cancel = element('button', { type: 'button', autofocus: focused === null }, 'Cancel')
  const agree = element('button', { type: 'submit', class: 'dangerous', value: 'yes' }, yes)
  const form = element(
    'form',
    { method: 'dialog' },
    ...fields,
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
    const empty = missing()
    if (empty === null) return
    event.preventDefault()
    empty.setAttribute('aria-invalid', 'true')
    empty.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  focused?.focus()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
  })
}
