import { element, field } from '../elements.js'
import { asked } from './dialog.js'

/**
 * Asks for a reason before something that people will look up later.
 * @param {{ title: string, text: string, yes: string, hint: string }} question `yes` is the name of the button
 * @returns {Promise<string | null>} null if the user cancels
 */
export async function askedReason({ title, text, yes, hint }) {
  const reason = element('textarea', { required: true, maxlength: 500, rows: 3 })
  const agreed = await asked({
    title,
    text,
    yes,
    fields: [field('Reason', reason, hint)],
    missing: () => (reason.value.trim() === '' ? reason : null),
    focused: reason,
  })
  return agreed ? reason.value.trim() : null
}
