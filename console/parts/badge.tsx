import { sentence, withSpaces } from '../words.ts'

/** `plain` is grey. */
export type Tone = 'good' | 'warn' | 'bad' | 'news' | 'plain'

const TONES: Readonly<Record<string, Tone>> = {
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
  'to review': 'warn',
  'not yet valid': 'news',
  'expires soon': 'warn',
  verified: 'good',
  rejected: 'bad',
  expired: 'bad',
  valid: 'good',
  invalid: 'bad',
  active: 'good',
  failing: 'warn',
  disabled: 'bad',
  delivered: 'good',
  succeeded: 'good',
  failed: 'bad',
  open: 'news',
  due: 'warn',
  overdue: 'bad',
  filed: 'good',
  reviewed: 'news',
  paid: 'good',
}

/** A state such as `refunded_in_part` as a word on a colour. The tone of known states is known. */
export function Badge({ word, tone = TONES[word] ?? 'plain' }: { word: string; tone?: Tone }) {
  return <span class={`badge ${tone}`}>{sentence(withSpaces(word))}</span>
}
