import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { startDev } from '../../lab/start-dev.ts'
import { openLocal } from '../../scripts/bindings.ts'
import { createAccountAndKey } from '../../scripts/create-account-and-key.ts'
import { freePort } from '../../scripts/free-port.ts'
import { collectForWeeks } from './collected-weeks.ts'

/**
 * Starts the service once for all files of a project, because a start takes 12 s of an idle machine. Waits as
 * long as it takes, and throws if the service ends.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = mkdtempSync(join(tmpdir(), 'served-'))
  const { testFiles } = await project.globTestFiles()
  const keys = await prepare(state, testFiles, project.name === 'long-served')
  const authority = await serveAuthority()
  const port = await freePort()
  // With limits, the console would wait for the next minute once in every dozen pages.
  const vars = ['RATE_LIMITS:off', 'ALLOW_LOCAL_WEBHOOKS:true', `VIES_REST_URL:${authority.origin}`]
  const { child } = await startDev([
    '--port',
    String(port),
    '--persist-to',
    state,
    ...vars.flatMap((each) => ['--var', each]),
  ])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  project.provide('served', { origin: `http://127.0.0.1:${port}`, state, keys })
  return async () => {
    child.kill('SIGINT')
    if (child.exitCode === null && child.signalCode === null) await ended
    authority.server.close()
    rmSync(state, { recursive: true, force: true })
  }
}

/**
 * Makes an account for each file. `collected`: collectors have run, for pages that show it. This is before
 * the service starts, because it holds their status for a minute.
 */
async function prepare(
  state: string,
  files: readonly string[],
  collected: boolean,
): Promise<Record<string, string>> {
  const { db, kv, dispose } = await openLocal(state)
  if (collected) await collectForWeeks(db, kv)
  const keys: Record<string, string> = {}
  for (const file of files) {
    const wanted = { account: basename(file, '.test.ts'), tier: 'pro', scopes: ['*'], sandbox: true } as const
    keys[file] = (await createAccountAndKey(db, wanted, new Date())).key
  }
  await dispose()
  return keys
}

/** Stands for VIES, which confirms every VAT id. */
async function serveAuthority(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => void confirm(request, response))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${port}` }
}

async function confirm(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = Object(await json(request))
  const found = {
    ...asked,
    valid: true,
    requestIdentifier: '',
    name: 'ACME IRELAND LIMITED',
    address: 'DUBLIN 2',
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(found))
}
