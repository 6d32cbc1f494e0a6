import { element } from './elements.js'
import { withSpaces } from '../words.ts'

/** @typedef {'good' | 'warn' | 'bad' | 'news' | 'plain'} Tone `plain` is grey */

/** @type {Readonly<Record<string, Tone>>} */
const TONES = {
  completed: 'good',
  pending: 'warn',
  refunded: 'news',
  'refunded in part': 'news',
  registered: 'good',
  approaching: 'warn',
  exceeded: 'bad',
  fresh: 'good',
  healthy: 'good',
  ageing: 'warn',
  degraded: 'warn',
  stale: 'bad',
  unhealthy: 'bad',
  quarantined: 'bad',
  verified: 'good',
  rejected: 'bad',
  expired: 'bad',
  valid: 'good',
  invalid: 'bad',
  active: 'good',
  disabled: 'bad',
  delivered: 'good',
  succeeded: 'good',
  failed: 'bad',
  open: 'news',
  due: 'warn',
  overdue: 'bad',
  filed: 'good',
}

/**
 * A state as a word on a colour. The tone of known states is known.
 * @param {string} word such as `refunded_in_part`
 * @param {Tone} [tone]
 */
export function badge(word, tone = TONES[word] ?? 'plain') {
  const shown = withSpaces(word)
  return element('span', { class: `badge ${tone}` }, shown.charAt(0).toUpperCase() + shown.slice(1))
}
