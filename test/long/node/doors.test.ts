import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { killDev, startDev } from '../../../lab/start-dev.ts'
import { freePort } from '../../../scripts/free-port.ts'

const stops: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Starts the service for other machines, and returns how it answers to a path when it is told a host. */
async function service(): Promise<(path: string) => Promise<Answer>> {
  const state = mkdtempSync(join(tmpdir(), 'doors-'))
  const port = await freePort()
  const dev = await startDev(['--port', String(port), '--ip', '0.0.0.0', '--persist-to', state])
  stops.push(async () => {
    await killDev(dev)
    rmSync(state, { recursive: true, force: true })
  })
  return (path) => ask({ host: addressForOthers(), port, path, headers: { Host: 'localhost' } })
}

type Answer = { status: number | undefined; body: string }

function ask(options: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}

/** What wrangler serves beside a Worker. */
const BESIDE_THE_WORKER = [
  '/cdn-cgi/local/explorer',
  '/cdn-cgi/local/explorer/api/d1/database',
  '/cdn-cgi/local/scheduled?cron=*/5+*+*+*+*',
  '/cdn-cgi/local/platform-proxy',
]

/** An address of this machine that others reach; alone in a container, its own. */
function addressForOthers(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

it('serves the Worker alone to other machines', async () => {
  const asked = await service()
  expect(await asked('/v1/account')).toMatchObject({ status: 401 })
  for (const path of BESIDE_THE_WORKER)
    expect([path, await asked(path)]).toEqual([path, { status: 404, body: '' }])
})
