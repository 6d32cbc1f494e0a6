import { placeOfCode } from '../../platform/http/place-name.ts'
import { categoryInWords, percentInWords } from '../../engine/book/figures-in-words.ts'
import { isScheme, SCHEME_NAMES } from '../../engine/ground/schemes.ts'
import { daysBetween } from '../../platform/kit/calendar.ts'
import type { EventOf } from '../events/event-types.ts'
import { type Content, type MessageLine, MESSAGE_KINDS, type MessageKind } from './kinds.ts'

/** The lines of one message. */
const LINES_MAX = 20
const TEXT_MAX = 200
const MILLION = 1_000_000

const TOLD = {
  'return.due': 'return_due',
  'return.overdue': 'return_overdue',
  'threshold.approaching': 'threshold_approaching',
  'threshold.exceeded': 'threshold_exceeded',
  'webhook.disabled': 'webhook_disabled',
  'rate.updated': 'rate_changed',
  'local_rates.updated': 'rate_changed',
} as const satisfies Readonly<Record<string, MessageKind>>

type ToldType = keyof typeof TOLD

/** An event that a message tells. */
export type ToldEvent = { [Type in ToldType]: { type: Type; data: EventOf<Type>['data'] } }[ToldType]

export type ReturnData = EventOf<'return.due'>['data']

/** Certificates of a place that end, of one batch of events. */
export type EndingCertificates = { jurisdiction_id: string; certificates: number; first: string }

/** A shop with orders that could not be recorded. */
export type FailedShop = { saleor_api_url: string; orders: number }

/** What was recorded for an account since its last message. */
type MessageFacts = {
  events: readonly ToldEvent[]
  certificates: readonly EndingCertificates[]
  shops: readonly FailedShop[]
}

/** The content of a message on a local day, without the kinds that are switched off. Pure. */
export function contentOf(facts: MessageFacts, today: string, off: ReadonlySet<string>): Content {
  const all = [
    ...facts.events.map((event) => lineOfEvent(event, today)),
    ...facts.certificates.map(lineOfCertificates),
    ...facts.shops.map(lineOfShop),
  ].filter(({ kind }) => !off.has(kind))
  const lines = all.toSorted(
    (one, other) =>
      MESSAGE_KINDS.indexOf(one.kind) - MESSAGE_KINDS.indexOf(other.kind) ||
      compare(one.day ?? '', other.day ?? '') ||
      compare(one.text, other.text),
  )
  return { lines: lines.slice(0, LINES_MAX), more: Math.max(0, lines.length - LINES_MAX) }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

type Marks = Partial<Pick<MessageLine, 'jurisdiction_id' | 'period' | 'day'>>

function line(kind: MessageKind, words: string, said: Marks = {}): MessageLine {
  const { jurisdiction_id = null, period = null, day = null } = said
  return { kind, text: oneLine(words, TEXT_MAX), jurisdiction_id, period, day }
}

/** A text without line breaks and other control characters, cut to a length. */
export function oneLine(text: string, max: number): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim()
  const characters = Array.from(plain)
  return characters.length <= max ? plain : `${characters.slice(0, max - 1).join('')}…`
}

function lineOfEvent(event: ToldEvent, today: string): MessageLine {
  switch (event.type) {
    case 'return.due':
    case 'return.overdue':
      return lineOfReturn(event.type, event.data, today)
    case 'threshold.approaching':
    case 'threshold.exceeded':
      return lineOfThreshold(event.type, event.data)
    case 'webhook.disabled': {
      const { url, consecutive_failures } = event.data
      const words = `The webhook to ${hostOf(url)} is disabled after ${consecutive_failures} failures`
      return line('webhook_disabled', words)
    }
    case 'rate.updated':
      return lineOfRate(event.data)
    case 'local_rates.updated': {
      const { jurisdiction_id, jurisdiction_name, changed } = event.data
      const counted = changed === 1 ? '1 local rate has' : `${changed} local rates have`
      return line('rate_changed', `${jurisdiction_name}: ${counted} changed`, { jurisdiction_id })
    }
  }
}

const DOCUMENTS = { return: 'Return', ec_sales_list: 'Recapitulative statement' } as const

function lineOfReturn(type: 'return.due' | 'return.overdue', data: ReturnData, today: string): MessageLine {
  const { document, scheme, jurisdiction_id, period, due_date, last_date } = data
  const whose =
    scheme !== null && isScheme(scheme) ? SCHEME_NAMES[scheme] : placeOfCode(jurisdiction_id ?? '')
  const what = `${DOCUMENTS[document]} for ${whose}, ${period}`
  const said = { jurisdiction_id, period, day: due_date }
  if (type === 'return.overdue')
    return line('return_overdue', `${what}: overdue, the last day was ${last_date}`, said)
  const moved = last_date === due_date ? '' : `, at the latest on ${last_date}`
  return line('return_due', `${what}: due on ${due_date}, ${daysUntil(today, due_date)}${moved}`, said)
}

function daysUntil(today: string, day: string): string {
  const days = daysBetween(today, day)
  if (days === 0) return 'today'
  return days === 1 ? 'tomorrow' : `in ${days} days`
}

type ThresholdData = EventOf<'threshold.exceeded'>['data']

function lineOfThreshold(
  type: 'threshold.approaching' | 'threshold.exceeded',
  data: ThresholdData,
): MessageLine {
  const { jurisdiction_id, jurisdiction_name, ratio } = data
  const percent = `${Math.floor(ratio * 100)} %`
  const words =
    type === 'threshold.exceeded'
      ? `your sales have passed the threshold: ${percent} of it`
      : `your sales are at ${percent} of the threshold`
  return line(TOLD[type], `${jurisdiction_name}: ${words}`, { jurisdiction_id })
}

function lineOfRate(data: EventOf<'rate.updated'>['data']): MessageLine {
  const { jurisdiction_id, jurisdiction_name, tax_type, category, old_rate, new_rate, effective_from } = data
  const [before, after] = [old_rate, new_rate].map((rate) => percentInWords(Math.round(rate * MILLION)))
  const rate = `${categoryInWords(category)} ${tax_type}`
  const words = `${jurisdiction_name}: the ${rate} is ${after} instead of ${before} from ${effective_from}`
  return line('rate_changed', words, { jurisdiction_id, day: effective_from })
}

function lineOfCertificates({ jurisdiction_id, certificates, first }: EndingCertificates): MessageLine {
  const place = placeOfCode(jurisdiction_id)
  const words =
    certificates === 1
      ? `1 certificate for ${place} ends on ${first}`
      : `${certificates} certificates for ${place} end, the first on ${first}`
  return line('certificate_ending', words, { jurisdiction_id, day: first })
}

function lineOfShop({ saleor_api_url, orders }: FailedShop): MessageLine {
  const counted = orders === 1 ? '1 order' : `${orders} orders`
  return line('shop_failed', `${counted} of the shop ${hostOf(saleor_api_url)} could not be recorded`)
}

/** The host alone: the rest of an address may be secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : 'an unknown host'
}

/**
 * Whether a change of a place concerns a seller with these places: it is one of them, one of them is in it,
 * or it is a part of a state or province among them.
 */
export function concerns(place: string, places: readonly string[]): boolean {
  return places.some(
    (own) =>
      own === place || own.startsWith(`${place}-`) || (own.includes('-') && place.startsWith(`${own}-`)),
  )
}
