import { expect, inject, it } from 'vitest'

const HOUR_MS = 3_600_000

const { origin } = inject('served')

it.each(['', '/', '/api/d1/database', '/api/d1/database/DB/raw'])(
  '`npm run dev` offers no shell for SQL at /cdn-cgi/local/explorer%s',
  async (path) => {
    const { status, headers } = await fetch(`${origin}/cdn-cgi/local/explorer${path}`)
    expect(status).toBe(404)
    // The Worker answers, and not wrangler.
    expect(headers.get('X-Request-Id')).toMatch(/^req_/)
  },
)

it('the service has the clock of the tests, also on the days of `npm run test:days`', async () => {
  const { queried_at } = Object(await (await fetch(`${origin}/health`)).json())
  expect(Math.abs(Date.parse(queried_at) - Date.now())).toBeLessThan(HOUR_MS)
})
