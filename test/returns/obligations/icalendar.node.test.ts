import ICAL from 'ical.js'
import { expect, it } from 'vitest'
import { icalendarOf } from '../../../src/returns/obligations/icalendar.ts'

const NOW = new Date('2026-11-22T03:04:05.678Z')

const DAY = {
  uid: 'reg_1-2026-Q4@obligations',
  day: '2027-01-31',
  summary: 'Due: return for the One Stop Shop, 2026-Q4',
  description: 'Period 2026-10-01 to 2026-12-31.\nSource: a; b, c \\ d',
  url: 'https://example.com/a?b=c',
}

/** What a reader that is not ours finds. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return {
    calendar,
    events: calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each)),
  }
}

it('is read as it was written', () => {
  const text = icalendarOf('Tax returns of Acme, Inc.', [DAY], NOW)
  const { calendar, events } = read(text)
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
  // The reader knows no types of these two, and leaves their values as they are.
  expect(text).toContain(
    '\r\nNAME:Tax returns of Acme\\, Inc.\r\nX-WR-CALNAME:Tax returns of Acme\\, Inc.\r\n',
  )
  const [event] = events
  expect(events).toHaveLength(1)
  expect(event?.uid).toBe(DAY.uid)
  expect(event?.summary).toBe(DAY.summary)
  expect(event?.description).toBe(DAY.description)
  expect(event?.startDate.isDate).toBe(true)
  expect(event?.startDate.toString()).toBe('2027-01-31')
  expect(event?.endDate.toString()).toBe('2027-02-01')
  expect(String(event?.component.getFirstPropertyValue('dtstamp'))).toBe('2026-11-22T03:04:05Z')
  expect(event?.component.getFirstPropertyValue('url')).toBe(DAY.url)
})

it('has lines of at most 75 octets that end with CRLF, and cuts no character', () => {
  const summary = `Steuererklärung für ${'Öl und Gebäck 税 '.repeat(20)}`
  const text = icalendarOf('Größe', [{ ...DAY, summary }], NOW)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const lengths = text.split('\r\n').map((line) => Buffer.byteLength(line))
  expect(Math.max(...lengths)).toBeLessThanOrEqual(75)
  expect(read(text).events[0]?.summary).toBe(summary)
})

it('lets no name add lines of its own', () => {
  const name = 'Acme\r\nBEGIN:VEVENT\nX\u0000\u001B'
  const { events } = read(icalendarOf(name, [{ ...DAY, summary: name }], NOW))
  expect(events.map(({ summary }) => summary)).toEqual(['Acme\nBEGIN:VEVENT\nX  '])
})

it('is a calendar without events if nothing is due', () => {
  expect(read(icalendarOf('Acme', [], NOW)).events).toEqual([])
})
