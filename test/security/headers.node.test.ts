import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonReply, pageReply, responseOf } from '../../src/interfaces/request/replies.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

/** The headers that the platform adds to static files, by the pattern of their paths. */
const STATIC = new Map(
  readFileSync(join(PROJECT, 'public/_headers'), 'utf8')
    .split(/\n\n/)
    .map((block) => {
      const [pattern = '', ...lines] = block.trim().split('\n')
      return [
        pattern,
        new Headers(
          lines.map((line): [string, string] => [line.split(':')[0]?.trim() ?? '', afterColon(line)]),
        ),
      ]
    }),
)

function afterColon(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim()
}

const answer = responseOf(jsonReply('{}', 200), 'req_1', 'policy').headers
const page = responseOf(pageReply('<p>', 200), 'req_1', 'policy').headers

describe('a browser', () => {
  it.each([
    ['an answer', answer],
    ['a page', page],
    ['a static file', STATIC.get('/*')],
  ])('keeps to https for two years after %s, with all subdomains, and guesses no type', (_, headers) => {
    expect(headers?.get('Strict-Transport-Security')).toBe('max-age=63072000; includeSubDomains')
    expect(headers?.get('X-Content-Type-Options')).toBe('nosniff')
  })

  it.each([
    ['a page', page],
    ['the guides', STATIC.get('/docs/*')],
    ['the console', STATIC.get('/console/*')],
  ])('loads for %s only what is listed, and shows it in no frame', (_, headers) => {
    const policy = headers?.get('Content-Security-Policy') ?? ''
    for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('keeps no answer, tells no address of the console to others, and gets the type of each answer', () => {
    expect(answer.get('Cache-Control')).toBe('no-store')
    expect(STATIC.get('/console/*')?.get('Referrer-Policy')).toBe('no-referrer')
    expect(answer.get('Content-Type')).toBe('application/json')
    expect(page.get('Content-Type')).toBe('text/html; charset=utf-8')
  })
})
