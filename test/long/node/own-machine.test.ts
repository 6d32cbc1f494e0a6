import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKER_FOLDER } from '../../../scripts/built-worker.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { buildWorker } from '../../../scripts/run-worker.ts'
import { copyState } from '../../../scripts/serve/copy-state.ts'
import { callKeeper, readKeeper } from '../../../scripts/serve/keeper.ts'
import { writeModules } from '../../../scripts/worker-modules.ts'
import { PROJECT } from '../../../scripts/wrangler.ts'

/** The service as an operator runs it on a machine, killed and moved. */
const folder = mkdtempSync(join(tmpdir(), 'own-machine-'))
const state = join(folder, 'data')
const running: ChildProcess[] = []
const received = new Set<string>()
let receiver: Server

const VARIABLES = {
  ENVIRONMENT: 'test',
  ENCRYPTION_KEY: 'a key for the test',
  ALLOW_LOCAL_WEBHOOKS: 'true',
  WEBHOOK_CHALLENGES: 'off',
  RATE_LIMITS: 'off',
  // The test has no network. The tick also starts collectors, and with these addresses they fail at once.
  SOURCE_EU_RATES: 'http://127.0.0.1:9/',
  SOURCE_UK_RATES: 'http://127.0.0.1:9/',
  SOURCE_CA_RATES: 'http://127.0.0.1:9/',
  SOURCE_AU_GST: 'http://127.0.0.1:9/',
}

type Running = { origin: string; child: ChildProcess }

/** Starts `npm run serve`, and waits until it serves. */
async function serve(of: string): Promise<Running> {
  const port = await freePort()
  const args = ['scripts/serve.ts', '--persist-to', of, '--port', String(port)]
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { ...process.env, ...VARIABLES },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (JSON.parse(line).message === 'serving') resolve()
    })
  })
  return { origin: `http://127.0.0.1:${port}`, child }
}

async function end({ child }: Running, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const gone = once(child, 'exit')
  child.kill(signal)
  const [code] = await gone
  return code
}

/** What a command of the project prints. */
async function command(name: string, ...args: string[]): Promise<string> {
  const run = promisify(execFile)
  return (await run(process.execPath, [`scripts/${name}.ts`, ...args], { cwd: PROJECT })).stdout
}

function ask({ origin }: Running, key: string, path: string, body?: object, id?: string): Promise<Response> {
  return fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(id !== undefined && { 'Idempotency-Key': id }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

const saleOf = (external_id: string) => ({
  external_id,
  customer: { address: { country: 'DE', postal_code: '10115' } },
  currency: 'EUR',
  line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
})

/** Records sales one after the other until the service does not answer. */
async function sellUntilKilled(service: Running, key: string, name: string, sold: Map<string, string>) {
  for (let number = 0; ; number += 1) {
    const id = `${name}-${number}`
    const text = await ask(service, key, '/v1/transactions', saleOf(id), id)
      .then((response) => response.text())
      .catch(() => null)
    if (text === null) return
    sold.set(id, text)
  }
}

async function listed(service: Running, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ;) {
    const page: { transactions: { external_id: string }[]; next_cursor: string | null } = Object(
      await (await ask(service, key, `/v1/transactions?limit=100${cursor}`)).json(),
    )
    ids.push(...page.transactions.map(({ external_id }) => external_id))
    if (!page.next_cursor) return ids
    cursor = `&cursor=${page.next_cursor}`
  }
}

async function newKey(of: string): Promise<{ key: string; account_id: string }> {
  const options = ['--account', 'Acme', '--tier', 'enterprise', '--scopes', '*', '--persist-to', of]
  const printed = await command('keys', 'create', ...options)
  const [key = ''] = /tcs_live_\w+/.exec(printed) ?? []
  const [account_id = ''] = /acct_\w+/.exec(printed) ?? []
  return { key, account_id }
}

/** Fires a tick, which sends the webhooks whose messages were lost. */
async function tick(of: string): Promise<void> {
  const keeper = readKeeper(of)
  if (keeper === null) throw new Error('Nothing serves the state')
  await callKeeper(keeper, { cron: '*/5 * * * *', time: new Date() })
}

beforeAll(async () => {
  writeModules(join(PROJECT, WORKER_FOLDER), await buildWorker('src/worker.ts'))
  receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      received.add(String(JSON.parse(text).data?.object?.external_id ?? JSON.parse(text).data?.external_id))
      response.writeHead(204).end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run serve', () => {
  let service: Running
  let key: string
  let account_id: string
  const sold = new Map<string, string>()

  it('serves the API and the pages, and nothing of the development tools', async () => {
    service = await serve(state)
    expect((await fetch(`${service.origin}/health`)).status).toBe(200)
    expect((await fetch(`${service.origin}/openapi.json`)).status).toBe(200)
    for (const path of ['/cdn-cgi/local/scheduled', '/cdn-cgi/handler/scheduled', '/cdn-cgi/local/explorer'])
      expect((await fetch(service.origin + path)).status).toBe(404)
    const keeper = readKeeper(state)
    expect((await fetch(`http://127.0.0.1:${keeper?.port}/`)).status).toBe(404)
  })

  it('lets one process serve a state', async () => {
    await expect(serve(state)).rejects.toThrow('The service ended with 1')
  })

  it('keeps each acknowledged sale and webhook after kill -9, and a repeat gets the same answer', async () => {
    ;({ key, account_id } = await newKey(state))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    expect((await ask(service, key, '/v1/webhooks', { url, events: ['transaction.created'] })).status).toBe(
      201,
    )
    const streams = ['a', 'b', 'c', 'd'].map((name) => sellUntilKilled(service, key, name, sold))
    while (sold.size < 60) await new Promise((resolve) => setTimeout(resolve, 5))
    // The process of the Worker outlives this one, and the next start ends it.
    await end(service, 'SIGKILL')
    await Promise.all(streams)
    service = await serve(state)
    const ids = await listed(service, key)
    expect([...sold.keys()].filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    for (const [id, text] of sold)
      expect(await (await ask(service, key, '/v1/transactions', saleOf(id), id)).text()).toBe(text)
    await expect
      .poll(async () => {
        await tick(state)
        return ids.filter((id) => !received.has(id))
      })
      .toEqual([])
  })

  it('makes a copy beside the service, which is a state with the same books', async () => {
    const copy = copyState(state, '2026-11-28', 1)
    expect(copyState(state, '2026-11-29', 1)).toBe(join(state, 'copies/2026-11-29'))
    const verified = await command(
      'verify-totals',
      '--account',
      account_id,
      '--persist-to',
      `${copy.slice(0, -2)}29`,
    )
    expect(verified).toContain('0 differences')
  })

  it('moves to what wrangler serves and back, with equal books', async () => {
    const before = (await listed(service, key)).toSorted()
    await command('backup', '--persist-to', state, '--to', join(folder, 'there'))
    expect(await end(service, 'SIGTERM')).toBe(0)
    const elsewhere = join(folder, 'elsewhere')
    await command('restore-backup', '--persist-to', elsewhere, '--from', join(folder, 'there'))
    for (const verify of ['verify-totals', 'verify-returns', 'verify-audit'])
      await command(verify, '--account', account_id, '--persist-to', elsewhere)
    await command('backup', '--persist-to', elsewhere, '--to', join(folder, 'back'))
    const again = join(folder, 'again')
    await command('restore-backup', '--persist-to', again, '--from', join(folder, 'back'))
    service = await serve(again)
    expect((await listed(service, key)).toSorted()).toEqual(before)
    for (const verify of ['verify-totals', 'verify-returns', 'verify-audit'])
      await command(verify, '--account', account_id, '--persist-to', again)
    expect((await ask(service, key, '/v1/transactions', saleOf('after'), 'after')).status).toBe(201)
  })

  it('answers what is being asked before it ends at SIGTERM', async () => {
    const answers = Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        ask(service, key, '/v1/transactions', saleOf(`last-${number}`), `last-${number}`),
      ),
    )
    await ask(service, key, '/v1/transactions?limit=1')
    const ended = end(service, 'SIGTERM')
    expect((await answers).map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(await ended).toBe(0)
  })
})
