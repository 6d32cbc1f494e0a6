import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { app } from '../../../src/service/app.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { shipData } from '../../collectors/collecting.ts'

beforeEach(async () => {
  forgetAll()
  await shipData()
  forgetAll()
})

const PUBLIC = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://tax.example' }

async function read(path: string, more: object = {}, host = 'https://tax.example') {
  const request = new Request(`${host}${path}`)
  const response = await app.fetch(request, { ...env, ...more }, createExecutionContext())
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('robots.txt', () => {
  it('opens the pages of a service in production at its public address, and names its sitemap', async () => {
    const { text, headers } = await read('/robots.txt', PUBLIC)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toContain('Disallow: /console/\n')
    expect(text).not.toContain('Disallow: /\n')
    expect(text).toContain('Sitemap: https://tax.example/sitemap.xml\n')
  })

  it('closes each copy: another host, another environment, and a service without a public address', async () => {
    const copies = [
      await read('/robots.txt', PUBLIC, 'https://tax.workers.example'),
      await read('/robots.txt', { ...PUBLIC, ENVIRONMENT: 'staging' }),
      await read('/robots.txt', { ENVIRONMENT: 'production' }),
    ]
    for (const { text } of copies) expect(text).toBe('User-agent: *\nDisallow: /\n')
  })
})

it('the sitemap is XML, whatever host was asked', async () => {
  const { text } = await read('/sitemap.xml', {}, 'https://tax&test.example')
  expect(text).toContain('<loc>https://tax&amp;test.example/</loc>')
  expect(text).not.toMatch(/&(?!amp;)/)
})

it('the sitemap lists the pages and each jurisdiction, at the public address', async () => {
  const { text } = await read('/sitemap.xml', PUBLIC, 'https://tax.workers.example')
  const links = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, link = '']) => link)
  expect(links).toContain('https://tax.example/jurisdictions/DE')
  expect(links).toContain('https://tax.example/docs/')
  expect(links.filter((link) => !link.startsWith('https://tax.example/'))).toEqual([])
  expect(text).not.toMatch(/&(?!amp;)/)
})

it('security.txt names whom to tell, and ends within a year', async () => {
  const { text } = await read('/.well-known/security.txt', PUBLIC)
  expect(text).toMatch(/^Contact: https:\/\/github\.com\/.+\/security\/advisories\/new\n/)
  const [, until = ''] = /Expires: (.*)/.exec(text) ?? []
  const days = (Date.parse(until) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(100)
  expect(days).toBeLessThan(365)
  const own = await read('/.well-known/security.txt', { SECURITY_CONTACT: 'mailto:safe@example.com' })
  expect(own.text).toMatch(/^Contact: mailto:safe@example\.com\n/)
  expect(own.text).not.toContain('Canonical')
  const empty = await read('/.well-known/security.txt', { SECURITY_CONTACT: '' })
  expect(empty.text).toMatch(/^Contact: https:/)
})

describe('the link “Is this wrong?”', () => {
  it.each(['/try?country=LU&amount=100&product_type=saas', '/jurisdictions/LU', '/coverage'])(
    'is on %s with place, day and version, and its page leads to the form with them',
    async (path) => {
      const page = await read(path)
      const [, link = ''] = /href="(\/wrong\?[^"]*)"/.exec(page.text) ?? []
      const asked = new URL(link.replaceAll('&amp;', '&'), 'https://tax.example')
      expect(asked.searchParams.get('day')).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(asked.searchParams.get('data_version')).toMatch(/^\d{8}T/)
      expect(asked.searchParams.get('place')).toBe(path === '/coverage' ? '' : 'LU')
      const wrong = await read(asked.pathname + asked.search)
      expect(wrong.status).toBe(200)
      expect(wrong.text).toMatch(/href="https:\/\/github\.com\/[^"]*template=wrong-rate\.yml[^"]*day=/)
      expect(wrong.text).toContain(asked.searchParams.get('data_version'))
    },
  )

  it('leads to the address of the operator, and shows what it was given as text', async () => {
    const { text } = await read('/wrong?place=%3Cscript%3E&day=x', { REPORTS_URL: 'mailto:tax@example.com' })
    expect(text).toContain('href="mailto:tax@example.com?subject=')
    expect(text).not.toContain('<script')
  })
})
