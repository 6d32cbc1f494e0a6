import { type Doubt, wrongLink } from '../../src/interfaces/pages/wrong-link.ts'

/** How to report what an answer says of a place on a day. */
export function IsThisWrong(doubt: Doubt) {
  return (
    <a href={wrongLink(doubt)} target="_blank" rel="noreferrer">
      Is this wrong?
    </a>
  )
}
