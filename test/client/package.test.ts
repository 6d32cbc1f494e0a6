import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')

/** Lays the package out as an install would: its package.json, what it publishes, and what that needs. */
function install(folder: string): void {
  const target = join(folder, 'node_modules/tax-compliance-service')
  mkdirSync(target, { recursive: true })
  cpSync(join(PROJECT, 'package.json'), join(target, 'package.json'))
  execFileSync(
    process.execPath,
    [
      join(PROJECT, 'node_modules/typescript/bin/tsc'),
      '-p',
      'tsconfig.client.json',
      '--outDir',
      join(target, 'client/dist'),
    ],
    {
      cwd: PROJECT,
    },
  )
  cpSync(join(PROJECT, 'node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'), {
    recursive: true,
  })
}

const USE = `
  import { answerOf, createClient, verifyWebhook } from 'tax-compliance-service'
  const client = createClient({ base_url: process.argv[2], api_key: 'key' })
  const { key_id } = await answerOf(client.POST('/v1/api-keys', { body: { name: 'x', scopes: ['tax:read'] } }))
  console.log(key_id, typeof verifyWebhook)
`

it('is a package of plain JavaScript, which Node runs from node_modules', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-package-'))
  const asked: { authorization: string | undefined; key: boolean }[] = []
  const server = createServer(({ headers }, response) => {
    asked.push({ authorization: headers.authorization, key: 'idempotency-key' in headers })
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"key_id":"key_1"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    install(folder)
    writeFileSync(join(folder, 'use.mjs'), USE)
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'use.mjs'), origin])
    expect(stdout.trim()).toBe('key_1 function')
    expect(asked).toEqual([{ authorization: 'Bearer key', key: true }])
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})
