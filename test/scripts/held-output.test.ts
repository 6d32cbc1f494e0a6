import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { holdOutput } from '../../scripts/held-output.ts'

/** What is shown of a server that runs this code, and answers once its warning and `ready` have arrived. */
async function shownOf(code: string): Promise<string[]> {
  const shown: string[] = []
  const into = (name: string) => ({
    write: (text: unknown) => shown.push(`${name} ${String(text).trim()}`) > 0,
  })
  const server = spawn(process.execPath, ['-e', code])
  const release = holdOutput(server, { stdout: into('out'), stderr: into('err') })
  // The two outputs are two pipes: either may arrive first.
  let held = ''
  for (const output of [server.stdout, server.stderr])
    output.on('data', (chunk: Buffer) => {
      held += chunk.toString()
      if (server.stdin.writableEnded || !held.includes('ready') || !held.includes('a warning')) return
      release()
      server.stdin.end('go')
    })
  await once(server, 'close')
  return shown
}

const READY = `process.stderr.write('a warning', () => console.log('ready'))`
const ASKED = `process.stdin.once('data', () => console.log('GET /health 200'))`

it('what a server prints until its first answer is dropped, and the rest is shown', async () => {
  expect(await shownOf(`console.log('a table'); ${READY}; ${ASKED}`)).toEqual(['out GET /health 200'])
})

it('all is shown of a server that ends before its first answer', async () => {
  expect(await shownOf(`console.log('a table'); process.exitCode = 1`)).toEqual(['out a table'])
})

it('an error is shown at once, after what came before it', async () => {
  const wait = `process.stdout.write('a table', () => setImmediate(() => console.error('[ERROR] no such binding')))`
  expect(await shownOf(wait)).toEqual(['out a table', 'err [ERROR] no such binding'])
})
