import { expect, inject, it } from 'vitest'

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
