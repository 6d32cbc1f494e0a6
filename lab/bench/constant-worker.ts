import { Hono } from 'hono'

/**
 * A bare Hono worker that repeats one answer of the service, with its headers. It shows what the platform
 * takes for such a request and answer, without the work in between. PUT sets the answer.
 */
const app = new Hono()

/** An answer of the service. */
export type Constant = { text: string; headers: Record<string, string> }

let text = ''
let headers = new Headers()

app.put('*', async (c) => {
  const given = await c.req.json<Constant>()
  text = given.text
  headers = new Headers(given.headers)
  return c.body(null, 204)
})

app.get('*', (c) => answerTo(c.req.raw))

app.post('*', async (c) => {
  JSON.parse(await c.req.raw.text())
  return answerTo(c.req.raw)
})

/** It reads the headers that the service reads. */
function answerTo({ headers: given }: Request): Response {
  for (const name of ['Authorization', 'Content-Type', 'Content-Length']) given.get(name)
  return new Response(text, { headers })
}

export default app
