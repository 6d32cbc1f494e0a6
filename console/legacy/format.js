import { dayText, momentText } from '../format.ts'
import { element } from './elements.js'

export * from '../format.ts'

/** @param {string | null} at */
export function dayOf(at) {
  if (at === null) return element('span', {}, 'never')
  return element('time', { datetime: at, title: momentText(at) }, dayText(at))
}

/** @param {string | null} at */
export function moment(at) {
  return at === null ? element('span', {}, 'never') : element('time', { datetime: at }, momentText(at))
}
