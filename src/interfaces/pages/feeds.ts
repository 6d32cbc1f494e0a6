import type { RateBook } from '../../engine/book/rate-book.ts'
import { type RateChange, rateChanges } from './rate-changes.ts'
import { changeWords } from './words.ts'

const ENTRIES_MAX = 100
const TITLE = 'Changes of sales tax, VAT and GST rates'

type FeedEntry = { id: string; url: string; title: string; text: string; at: string }

/** The latest changes of rates as Atom (RFC 4287). */
export function atomFeed(book: RateBook, origin: string): string {
  const entries = entriesOf(book, origin).map(
    ({ id, url, title, text, at }) =>
      `<entry><id>${escapeXml(id)}</id><title>${escapeXml(title)}</title><updated>${at}</updated>` +
      `<link href="${escapeXml(url)}"/><content>${escapeXml(text)}</content></entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(origin)}/changes.atom</id>
<title>${TITLE}</title>
<updated>${book.facts.recorded_at}</updated>
<author><name>Tax Compliance Service</name></author>
<link rel="self" href="${escapeXml(origin)}/changes.atom"/>
<link href="${escapeXml(origin)}/"/>
${entries.join('\n')}
</feed>
`
}

type JsonFeed = {
  version: string
  title: string
  home_page_url: string
  feed_url: string
  items: { id: string; url: string; title: string; content_text: string; date_published: string }[]
}

/** The same as JSON Feed 1.1. */
export function jsonFeed(book: RateBook, origin: string): JsonFeed {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: TITLE,
    home_page_url: `${origin}/`,
    feed_url: `${origin}/changes.json`,
    items: entriesOf(book, origin).map(({ id, url, title, text, at }) => ({
      id,
      url,
      title,
      content_text: text,
      date_published: at,
    })),
  }
}

function entriesOf(book: RateBook, origin: string): FeedEntry[] {
  return rateChanges(book, ENTRIES_MAX).map((change) => entryOf(change, book.facts.recorded_at, origin))
}

/** An announced change is dated by the data that contains it, because readers hide entries of the future. */
function entryOf(change: RateChange, recorded_at: string, origin: string): FeedEntry {
  const { after } = change
  const first_day = `${after.effective_from}T00:00:00.000Z`
  const url = `${origin}/jurisdictions/${encodeURIComponent(after.jurisdiction_id)}`
  return {
    id: `${url}#${encodeURIComponent(after.id)}`,
    url,
    title: changeWords(change),
    text: `From ${after.effective_from}. Source: ${after.source}, ${after.source_url}`,
    at: first_day < recorded_at ? first_day : recorded_at,
  }
}

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => XML_ESCAPES[character] ?? character)
}
