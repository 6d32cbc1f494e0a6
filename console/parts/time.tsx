import { dayText, momentText } from '../format.ts'

/** The day of a moment in the time zone of the account, with the exact time on hover. */
export function Day({ at }: { at: string | null }) {
  return at === null ? (
    <span>Never</span>
  ) : (
    <time datetime={at} title={momentText(at)}>
      {dayText(at)}
    </time>
  )
}

/** A moment to the minute in the time zone of the account. */
export function Moment({ at }: { at: string | null }) {
  return at === null ? <span>Never</span> : <time datetime={at}>{momentText(at)}</time>
}
