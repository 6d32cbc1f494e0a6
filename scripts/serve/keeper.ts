import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the keeper of a service listens, and what its callers have to know. */
export type Keeper = { port: number; token: string }

/**
 * The stores have one process: two that open their files at once get SQLITE_BUSY. So commands call them
 * through this Worker of the service that runs. A call has the name of a binding, and either statements for a
 * database or a method with its arguments; bytes are base64. It also fires the cron triggers.
 */
export const KEEPER_SCRIPT = `export default {
  async fetch(request, { TOKEN, SERVICE, ...stores }) {
    if (request.headers.get('Authorization') !== TOKEN) return new Response(null, { status: 404 })
    if (request.method === 'GET') return Response.json(Object.keys(stores))
    const { cron, time, ...call } = await request.json()
    try {
      const value =
        cron === undefined
          ? await called(stores, call)
          : await SERVICE.scheduled({ cron, scheduledTime: new Date(time) })
      return Response.json({ value })
    } catch (thrown) {
      return Response.json({ fault: thrown.message })
    }
  },
}

async function called(stores, { binding, statements, raw, method, args }) {
  const store = stores[binding]
  if (statements === undefined) return plain((await store[method](...args.map(argument))) ?? null)
  const prepared = statements.map(({ sql, values }) => store.prepare(sql).bind(...values))
  return raw ? prepared[0].raw() : store.batch(prepared)
}

const argument = (value) => (value?.base64 === undefined ? value : Buffer.from(value.base64, 'base64'))

async function plain(found) {
  if (Array.isArray(found?.objects)) return { ...found, objects: found.objects.map(described) }
  if (typeof found?.arrayBuffer !== 'function')
    return found?.httpEtag === undefined ? found : described(found)
  return { ...described(found), base64: Buffer.from(await found.arrayBuffer()).toString('base64') }
}

function described({ key, size, etag, httpMetadata, customMetadata }) {
  return { key, size, etag, httpMetadata, customMetadata }
}`

/** What a call of a keeper answers. Throws an Error with the words of its fault. */
export async function callKeeper({ port, token }: Keeper, call: object | null): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: call === null ? 'GET' : 'POST',
    headers: { Authorization: token },
    ...(call !== null && { body: JSON.stringify(call) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The service that runs answered a command with ${response.status}`)
  const answer: { fault?: string; value?: unknown } = JSON.parse(text)
  if (answer.fault !== undefined) throw new Error(answer.fault)
  return call === null ? answer : answer.value
}

const pathOf = (state: string) => join(state, 'serve.json')

/** Lets commands find the keeper of the service of a state. Its owner alone can read that. */
export function noteKeeper(state: string, keeper: Keeper): void {
  forgetKeeper(state)
  writeFileSync(pathOf(state), JSON.stringify(keeper), { mode: 0o600 })
}

export function forgetKeeper(state: string): void {
  rmSync(pathOf(state), { force: true })
}

/** The keeper of a state, which may not run any more; null: there is none. */
export function readKeeper(state: string): Keeper | null {
  return existsSync(pathOf(state)) ? JSON.parse(readFileSync(pathOf(state), 'utf8')) : null
}
