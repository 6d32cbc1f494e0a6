import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { blocksOf } from '../../scripts/guide-examples.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
const EVENT = {
  event: 'sync.completed',
  timestamp: '2026-11-21T12:00:00.000Z',
  data: { region: 'Å🦘\u2028' },
}
/** The body of an event. Its id is signed, and the header with the same id is not. */
const bodyOf = (id: string) => JSON.stringify({ id, ...EVENT })
const BODY = bodyOf('evt_1')

/** How each receiver of the guide is run, and how its interpreter is asked for. */
const RECEIVERS = [
  {
    language: 'js',
    file: 'receiver.mjs',
    asked: ['node', '--version'],
    run: (file: string) => ['node', file],
  },
  {
    language: 'python',
    file: 'receiver.py',
    asked: ['python3', '--version'],
    run: (file: string) => ['python3', file],
  },
  {
    language: 'php',
    file: 'receiver.php',
    asked: ['php', '--version'],
    run: (file: string, at: string) => ['php', '-S', at, file],
  },
  {
    language: 'go',
    file: 'receiver.go',
    asked: ['go', 'version'],
    run: (file: string) => ['go', 'run', file],
  },
]

describe.each(RECEIVERS)('the receiver in $language', ({ language, file, asked, run }) => {
  const there = spawnSync(asked[0] ?? '', asked.slice(1)).status === 0
  let receiver: { origin: string; printed: () => string; stop: () => void }
  beforeAll(async () => {
    if (there) receiver = await start(language, file, run)
  })
  afterAll(() => receiver?.stop())

  it.runIf(there)('takes what the service signed, and acts on it once', async () => {
    expect(await send(receiver.origin, {})).toBe(204)
    expect(await send(receiver.origin, {})).toBe(204)
    const copy = { id: 'evt_forged' }
    expect(await send(receiver.origin, copy)).toBe(204)
    expect(await send(receiver.origin, { signed: bodyOf('evt_2'), id: 'evt_2' })).toBe(204)
    await expect.poll(receiver.printed).toContain('evt_2')
    expect(receiver.printed()).not.toContain('evt_forged')
    if (language === 'php') return
    expect(receiver.printed().match(/region/g)).toHaveLength(2)
  })

  it.runIf(there)('answers a signed challenge with its text, and no other', async () => {
    const sent = JSON.stringify({ event: 'webhook.challenge', data: { challenge: 'some text' } })
    const answer = await post(receiver.origin, { signed: sent, sent, id: 'evt_3' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('some text')
    const forged = await post(receiver.origin, { sent })
    expect(forged.status).toBe(401)
    expect(await forged.text()).toBe('')
  })

  it.runIf(there).each<[string, (now: number) => Letter]>([
    ['another secret', () => ({ secret: `${SECRET}x` })],
    ['a changed body', () => ({ sent: BODY.replace('sync', 'rate') })],
    ['a changed time', (now) => ({ timestamp: String(now), stamp: String(now + 1) })],
    [
      'a time that swallows a part of the body',
      (now) => ({ timestamp: String(now), stamp: `${now}.{`, sent: BODY.slice(1) }),
    ],
    ['a fraction for a time', (now) => ({ timestamp: `${now}.0` })],
    ['no time', () => ({ timestamp: '' })],
    ['no signature', () => ({ signature: '' })],
    ['half a signature', () => ({ signature: 'ab' })],
    ['a copy that comes late', (now) => ({ timestamp: String(now - 310) })],
    ['a time in the future', (now) => ({ timestamp: String(now + 400) })],
  ])('refuses %s', async (_, letterAt) => {
    expect(await send(receiver.origin, letterAt(seconds()))).toBe(401)
  })
})

/** The receivers have the real clock, also on the days of `npm run test:days`. */
function seconds(): number {
  return Math.floor((Date.now() - Number(process.env['CLOCK_AHEAD_MS'] ?? 0)) / 1_000)
}

type Letter = {
  secret?: string
  timestamp?: string
  signature?: string
  stamp?: string
  signed?: string
  sent?: string
  id?: string
}

/** Posts a letter, and returns the status. */
async function send(origin: string, letter: Letter): Promise<number> {
  return (await post(origin, letter)).status
}

/**
 * Posts the event, signed at `timestamp`; `stamp` and `sent` replace what was signed on its way.
 */
async function post(origin: string, letter: Letter): Promise<Response> {
  const {
    secret = SECRET,
    timestamp = String(seconds()),
    stamp = timestamp,
    signed = BODY,
    sent = signed,
    id = 'evt_1',
  } = letter
  const signature =
    letter.signature ?? createHmac('sha256', secret).update(`${timestamp}.${signed}`).digest('hex')
  const headers = { 'X-Service-Signature': signature, 'X-Service-Timestamp': stamp, 'X-Service-Event-Id': id }
  return fetch(origin, {
    method: 'POST',
    body: sent,
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}

async function start(language: string, file: string, run: (file: string, at: string) => string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  const port = await freePort()
  const at = `127.0.0.1:${port}`
  const [block] = blocksOf('docs/webhooks.md').filter((each) => each.language === language)
  writeFileSync(join(folder, file), (block?.text ?? '').replaceAll('9000', String(port)))
  const [command = '', ...args] = run(file, at)
  const receiver = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: SECRET, NODE_OPTIONS: '' },
    detached: true,
  })
  let printed = ''
  for (const stream of [receiver.stdout, receiver.stderr])
    stream.on('data', (chunk) => (printed += String(chunk)))
  const stop = () => {
    // With what it has started, as `go run` does.
    if (receiver.pid !== undefined && receiver.exitCode === null) process.kill(-receiver.pid)
    rmSync(folder, { recursive: true, force: true })
  }
  await answers(`http://${at}/`, receiver, () => printed)
  return { origin: `http://${at}/`, printed: () => printed, stop }
}

/** Waits until anything is answered. */
async function answers(url: string, receiver: ChildProcess, printed: () => string): Promise<void> {
  for (;;) {
    if (receiver.exitCode !== null) throw new Error(`The receiver ended: ${printed()}`)
    const response = await fetch(url, { method: 'POST' }).catch(() => null)
    if (response !== null) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
