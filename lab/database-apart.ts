import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { freePort } from '../scripts/free-port.ts'

/**
 * Answers what a binding of D1 asks. The columns come from the first row, because no statement here names two
 * columns alike.
 */
const SCRIPT = `export default {
  async fetch(request, { DB }) {
    const asked = [await request.json()].flat()
    try {
      const statements = asked.map(({ sql, params }) => DB.prepare(sql).bind(...(params ?? [])))
      const answers = (await DB.batch(statements)).map(({ results, meta }) => {
        const columns = Object.keys(results[0] ?? {})
        return { success: true, meta, results: { columns, rows: results.map((row) => Object.values(row)) } }
      })
      return Response.json(answers)
    } catch (error) {
      const message = String(error.message).replace(/^D1_ERROR: /, '')
      return Response.json({ success: false, error: message }, { status: 500 })
    }
  },
}`

/**
 * A database in a process of its own. Beside the Worker it would use the Worker's thread: then each statement
 * holds up all requests, as it does not on the platform.
 */
export async function startDatabaseApart(): Promise<{ url: URL; miniflare: Miniflare }> {
  const port = await freePort()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: SCRIPT,
      d1Databases: ['DB'],
      unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    }),
  )
  await miniflare.ready
  return { url: new URL(`http://127.0.0.1:${port}`), miniflare }
}
