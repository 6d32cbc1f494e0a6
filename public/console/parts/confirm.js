import { element, field } from '../elements.js'
import { asked } from './dialog.js'

/**
 * Asks before something that cannot be undone. The safe answer has the focus.
 * @param {{ title: string, text: string, yes: string, typed?: string }} question `yes` is the name of the
 * button; `typed` has to be typed before it works
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, text, yes, typed }) {
  const word = element('input', { autocomplete: 'off', spellcheck: 'false', required: true })
  return asked({
    title,
    text,
    yes,
    fields: typed === undefined ? [] : [field(`Type ${typed} to confirm`, word)],
    missing: () => (typed === undefined || word.value.trim() === typed ? null : word),
    focused: null,
  })
}
