import { formatDay } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { counted } from '../words.ts'
import { type Ending, stateOf } from './state.ts'

/** The last day of a certificate, with a mark if it is near. The last day still counts. */
export function Expiry({ of }: { of: Ending }) {
  const { valid_to } = of
  if (valid_to === null) return <>No end</>
  const days = Math.ceil((Date.parse(valid_to) - Date.now()) / 86_400_000)
  if (stateOf(of) !== 'expires soon') return <>{formatDay(valid_to)}</>
  return (
    <span>
      {formatDay(valid_to)} <Badge word={`${counted(Math.max(days, 0), 'day')} left`} tone="warn" />
    </span>
  )
}
