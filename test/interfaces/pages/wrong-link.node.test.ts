import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../../scripts/wrangler.ts'
import { doubtOf, reportAddress, wrongLink } from '../../../src/interfaces/pages/wrong-link.ts'

const DOUBT = { place: 'US-TX', day: '2026-07-01', product_type: 'saas', data_version: '2026+local' }

const fieldsOf = (link: string) => doubtOf(Object.fromEntries(new URL(link, 'https://a.test').searchParams))

it('keeps the place, the day, the product and the version from the link to the form of the project', () => {
  const link = wrongLink(DOUBT)
  expect(link).toMatch(/^\/wrong\?/)
  expect(fieldsOf(link)).toEqual(DOUBT)
  const address = reportAddress({}, DOUBT)
  expect(address).toMatch(/^https:\/\/github\.com\/.+\/issues\/new\?.*template=wrong-rate\.yml/)
  expect(fieldsOf(address)).toEqual(DOUBT)
})

it('names fields that the form of the project has', () => {
  const form = readFileSync(join(PROJECT, '.github/ISSUE_TEMPLATE/wrong-rate.yml'), 'utf8')
  for (const name of Object.keys(DOUBT)) expect(form).toContain(`id: ${name}\n`)
})

it('goes to a form or a mail address of the operator, if there is one', () => {
  expect(reportAddress({ REPORTS_URL: 'https://help.example.com/new?kind=tax' }, DOUBT)).toBe(
    'https://help.example.com/new?kind=tax&place=US-TX&day=2026-07-01&product_type=saas&data_version=2026%2Blocal',
  )
  const mail = new URL(reportAddress({ REPORTS_URL: 'mailto:tax@example.com' }, DOUBT))
  expect(mail.href).not.toContain('+')
  expect([mail.protocol, mail.pathname]).toEqual(['mailto:', 'tax@example.com'])
  expect(mail.searchParams.get('body')).toBe(
    'place: US-TX\nday: 2026-07-01\nproduct_type: saas\ndata_version: 2026+local',
  )
})

it('has no script as an address, no field of its own in a text, and no long text', () => {
  expect(reportAddress({ REPORTS_URL: 'javascript:alert(1)' }, DOUBT)).toMatch(/^https:\/\/github\.com/)
  const doubt = doubtOf({ place: `DE&labels=other\n${'x'.repeat(1_000)}`, day: '' })
  expect(doubt.place).toHaveLength(60)
  expect(new URL(reportAddress({}, doubt)).searchParams.getAll('labels')).toEqual(['data'])
})

it('has no line of its own in a text: a subject of several lines would add headers to a mail', () => {
  const doubt = doubtOf({ place: 'DE\r\nBcc: a@b.example', day: '2026-07-01\u0000\u2028place: FR' })
  expect(doubt).toEqual({ place: 'DE Bcc: a@b.example', day: '2026-07-01 place: FR' })
})

it('fills a form in before the fragment of its address', () => {
  const address = new URL(reportAddress({ REPORTS_URL: 'https://help.example.com/new#tax' }, DOUBT))
  expect([address.searchParams.get('place'), address.hash]).toEqual(['US-TX', '#tax'])
})
