import type { Content, MessageKind } from './kinds.ts'
import { oneLine } from './lines.ts'

const HEADINGS: Readonly<Record<MessageKind, string>> = {
  return_overdue: 'Overdue',
  return_due: 'Due soon',
  threshold_exceeded: 'Thresholds passed',
  threshold_approaching: 'Thresholds near',
  webhook_disabled: 'Webhooks that stopped',
  shop_failed: 'Orders of shops that are missing',
  certificate_ending: 'Certificates that end',
  rate_changed: 'Rates that changed',
}

/** The name of an account in a subject. */
const NAME_MAX = 60

/** The content of a message: its account, its local day, and where to read more. */
export type Telling = { name: string; day: string; content: Content; console_url: string | null }

/** `3 matters of Acme GmbH on 2026-05-02`. A name cannot break the line. */
export function subjectOf({ name, day, content }: Telling): string {
  const count = content.lines.length + content.more
  return `${count === 1 ? '1 matter' : `${count} matters`} of ${oneLine(name, NAME_MAX)} on ${day}`
}

/** The text of a mail. */
export function mailTextOf(told: Telling, stop_url: string): string {
  return [
    subjectOf(told),
    '',
    ...blocksOf(told),
    '-- ',
    'You get this message at most once a day, because your account names you as a recipient.',
    `Stop these messages: ${stop_url}`,
    '',
  ].join('\r\n')
}

/** The text for Slack, in which no name can call people or hide a link. */
export function slackTextOf(told: Telling): string {
  const lines = [subjectOf(told), '', ...blocksOf(told)].join('\n')
  return lines.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').trimEnd()
}

/** The body of the signed form, as webhooks have it. */
type DailyEvent = {
  id: string
  event: 'message.daily'
  timestamp: string
  data: Content & { account_id: string; day: string; console_url: string | null }
}

/** Makes the body of the signed form. */
export function eventOf(id: string, account_id: string, told: Telling, now: Date): DailyEvent {
  const { day, content, console_url } = told
  return {
    id,
    event: 'message.daily',
    timestamp: now.toISOString(),
    data: { account_id, day, lines: content.lines, more: content.more, console_url },
  }
}

function blocksOf({ content, console_url }: Telling): string[] {
  const blocks = [...Map.groupBy(content.lines, ({ kind }) => kind)].flatMap(([kind, lines]) => [
    HEADINGS[kind],
    ...lines.map(({ text }) => `- ${text}`),
    '',
  ])
  const more = content.more === 0 ? [] : [`And ${content.more} more`, '']
  return [...blocks, ...more, ...(console_url === null ? [] : [`See all: ${console_url}`, ''])]
}
