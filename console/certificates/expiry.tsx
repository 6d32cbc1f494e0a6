import { daysBetween } from '../../src/calendar.ts'
import { formatDay, todayInZone } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { counted } from '../words.ts'
import { type Ending, stateOf } from './state.ts'

/** The last day of a certificate, with a mark if it is near. The last day still counts. */
export function Expiry({ of }: { of: Ending }) {
  const { valid_to, ended_on } = of
  if (ended_on !== null) return <>{formatDay(ended_on)}</>
  if (valid_to === null) return <>No end</>
  if (stateOf(of) !== 'expires soon') return <>{formatDay(valid_to)}</>
  const days = daysBetween(todayInZone(), valid_to)
  return (
    <span>
      {formatDay(valid_to)}{' '}
      <Badge word={days === 0 ? 'last day' : `${counted(days, 'day')} left`} tone="warn" />
    </span>
  )
}
