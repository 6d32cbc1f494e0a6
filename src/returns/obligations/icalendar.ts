/** An event of a whole day. `day` is `YYYY-MM-DD`, `uid` is the same for every version of the event. */
export type CalendarDay = { uid: string; day: string; summary: string; description: string; url: string }

/** Octets in a line, without its CRLF (RFC 5545, section 3.1). */
const LINE_MAX = 75

/** A calendar of whole days as text/calendar (RFC 5545). `now` is when it was made. */
export function icalendarOf(name: string, days: readonly CalendarDay[], now: Date): string {
  const stamp = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tax Compliance Service//Obligations//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${textOf(name)}`,
    `X-WR-CALNAME:${textOf(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...days.flatMap((each) => eventOf(each, stamp)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventOf({ uid, day, summary, description, url }: CalendarDay, stamp: string): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    `SUMMARY:${textOf(summary)}`,
    `DESCRIPTION:${textOf(description)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** A value of type TEXT (section 3.3.11). Other control characters are not allowed. */
function textOf(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')
}

/** A long line in pieces: the later ones begin with a space. No piece cuts a character. */
function folded(line: string): string {
  // Most lines are short, and have an octet a character.
  if (line.length <= LINE_MAX && /^[ -~]*$/.test(line)) return line
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const character of line) {
    const length = character <= '~' ? 1 : new TextEncoder().encode(character).length
    if (octets + length > LINE_MAX) {
      pieces.push(piece)
      piece = ''
      octets = 1
    }
    piece += character
    octets += length
  }
  return [...pieces, piece].join('\r\n ')
}
