import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { addKeys, runningService } from '../support/running-service.ts'
import {
  blocksOf,
  differences,
  examplesOf,
  PAGES,
  type Run,
  runExamples,
} from '../../scripts/guide-examples.ts'

/** A VAT id that no other file asks for: the service keeps answers of VIES, and the guides show the first. */
const UNASKED = 'IE6364992H'

/** What a page calls the service and a reader's own receiver of webhooks. */
const SERVICE = 'http://127.0.0.1:8787'
const RECEIVER = 'http://127.0.0.1:9000'

const pages = PAGES.map((page) => ({ page, examples: examplesOf(page) })).filter(
  ({ examples }) => examples.length > 0,
)

let outside: { server: Server; origin: string }
const service = runningService()
/** Each page is read in an account of its own, as by somebody who begins there. */
const keys = new Map<string, string>()
const inPython = (page: string) => `${page} in Python`

const PROGRAMS = PAGES.flatMap((page) =>
  blocksOf(page)
    .filter(({ language, text }) => language === 'python' && text.includes('urllib.request'))
    .map((block) => ({ page, ...block })),
)

beforeAll(async () => {
  outside = await serveOutside()
  const accounts = [...new Set([...pages, ...PROGRAMS].map(({ page }) => page))].flatMap((page) => [
    page,
    inPython(page),
  ])
  const added = await addKeys(service, ...accounts.map((account) => ({ account, platform: true })))
  for (const [index, account] of accounts.entries()) keys.set(account, added[index] ?? '')
})

afterAll(async () => {
  await new Promise((resolve) => outside.server.close(resolve))
})

describe.each(pages)('the examples of $page', ({ page, examples }) => {
  let run: Run
  beforeAll(async () => {
    const here = examples.map((example) => ({ ...example, commands: placed(example.commands) }))
    run = await runExamples(here, service.state, { URL: service.origin, KEY: keys.get(page) ?? '' })
  })

  it.each(examples.map((example, index) => ({ ...example, index })))('work: $name', ({ shown, index }) => {
    // The last part is what follows the last mark.
    expect(index < run.outputs.length - 1, `stopped by: ${run.outputs.at(-1)}\n${run.errors}`).toBe(true)
    if (shown !== null)
      expect(differences(JSON.parse(placed(shown)), JSON.parse(run.outputs[index] ?? ''))).toEqual([])
  })
})

describe('the programs in Python', () => {
  it.each(PROGRAMS)('run: $page, line $line', async ({ page, text: program }) => {
    const env = { ...process.env, URL: service.origin, KEY: keys.get(inPython(page)) }
    await expect(runProgram(program, env)).resolves.toBe(0)
  })

  it('are those of two guides at least', () => expect(PROGRAMS.length).toBeGreaterThanOrEqual(2))
})

it('shows the body of an error as the service answers it', async () => {
  const [shown] = blocksOf('docs/errors.md').filter(({ language }) => language === 'json')
  const response = await fetch(`${service.origin}/v1/calculate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      currency: 'EUR',
      customer: { address: { country: 'FR' } },
      line_items: [{ ammount: 1999, product_type: 'saas' }],
    }),
  })
  const { request_id, ...answer }: Record<string, unknown> = JSON.parse(await response.text())
  expect(JSON.parse(shown?.text ?? '')).toEqual({ ...answer, request_id: expect.stringMatching(/^req_/) })
  expect(request_id).toBe(response.headers.get('X-Request-Id'))
})

function runProgram(program: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn('python3', ['-c', program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('close', resolve)
  })
}

/** The text of a page with the addresses of this run. */
function placed(shown: string): string {
  return shown
    .replaceAll(SERVICE, service.origin)
    .replaceAll(RECEIVER, outside.origin)
    .replaceAll('IE6388047V', UNASKED)
}

/** What the examples reach beyond the service: a receiver that takes every webhook. */
async function serveOutside(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${port}` }
}
