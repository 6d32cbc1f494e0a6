import type { Hono } from 'hono'
import { linkTo } from '../../platform/own-addresses.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { escapeXml } from './feeds.ts'
import { servePublic } from '../request/serve-public.ts'

const TEXT = 'text/plain; charset=utf-8'

/** What programs read at known addresses: robots.txt, the sitemap, and security.txt (RFC 9116). */
export function serveTextFiles(app: Hono<{ Bindings: Bindings }>): void {
  servePublic(app, '/robots.txt', async ({ env }, c) => ({
    body: robotsOf(env, new URL(c.req.url)),
    status: 200,
    media_type: TEXT,
  }))
  servePublic(app, '/sitemap.xml', async (reader, c) => {
    const { jurisdictions } = (await bookFor(reader)).facts
    const places = jurisdictions.map(({ id }) => `/jurisdictions/${encodeURIComponent(id)}`)
    const links = [...PAGES, ...places].map(
      (path) => linkTo(reader.env, 'PUBLIC_URL', path) ?? new URL(path, c.req.url).href,
    )
    const urls = links.map((link) => `<url><loc>${escapeXml(link)}</loc></url>\n`).join('')
    return { body: `${SITEMAP_HEAD}${urls}</urlset>\n`, status: 200, media_type: 'application/xml' }
  })
  servePublic(app, '/.well-known/security.txt', async ({ env, now }) => ({
    body: securityOf(env, now),
    status: 200,
    media_type: TEXT,
  }))
}

const PAGES = ['/', '/docs/', '/docs/countries', '/jurisdictions', '/coverage', '/status']

const SITEMAP_HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'

/** Paths of programs, of people who sign in, and of those who were sent a secret link. */
const NOT_INDEXED = ['/v1/', '/v2/', '/taxjar/', '/console/', '/try', '/wrong', '/certificate/', '/messages/']

/**
 * Search engines read a service in production at its PUBLIC_URL. Any other is a copy, e.g. a test of the
 * operator, and its pages would stand beside those of the service.
 */
function robotsOf(env: Bindings, { host }: URL): string {
  const sitemap = linkTo(env, 'PUBLIC_URL', '/sitemap.xml')
  if (sitemap === null || env.ENVIRONMENT !== 'production' || new URL(sitemap).host !== host)
    return 'User-agent: *\nDisallow: /\n'
  const rules = NOT_INDEXED.map((path) => `Disallow: ${path}\n`).join('')
  return `User-agent: *\n${rules}\nSitemap: ${sitemap}\n`
}

/** The text is made for half a year: RFC 9116 advises less than a year. */
const SECURITY_DAYS = 180
const PROJECT = 'https://github.com/tax-compliance/tax-compliance-service'

function securityOf(env: Bindings, now: Date): string {
  const canonical = linkTo(env, 'PUBLIC_URL', '/.well-known/security.txt')
  const until = new Date(now.getTime() + SECURITY_DAYS * DAY_MS).toISOString().slice(0, 10)
  return [
    `Contact: ${env.SECURITY_CONTACT || `${PROJECT}/security/advisories/new`}`,
    `Expires: ${until}T00:00:00Z`,
    'Preferred-Languages: en',
    `Policy: ${PROJECT}/blob/main/SECURITY.md`,
    ...(canonical === null ? [] : [`Canonical: ${canonical}`]),
    '',
  ].join('\n')
}
