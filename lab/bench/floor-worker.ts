import { Hono } from 'hono'

// The minimal work of a Hono worker for the same requests: parse JSON, read a field, answer JSON.
const app = new Hono()

app.post('/v1/calculate', async (c) => {
  const body = await c.req.json<{ line_items: unknown[] }>()
  return c.json({ lines: body.line_items.length })
})

app.post('/v2/taxes', async (c) => {
  const body = await c.req.json<{ line_items: unknown[] }>()
  return c.json({ lines: body.line_items.length })
})

app.post('/v1/calculate/batch', async (c) => {
  const body = await c.req.json<{ calculations: unknown[] }>()
  return c.json({ calculations: body.calculations.length })
})

app.get('/v1/rates', (c) => c.json({ jurisdiction: c.req.query('jurisdiction') }))

export default app
