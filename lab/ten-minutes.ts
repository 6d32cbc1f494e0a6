import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'
import { blocksOf, examplesOf, runExamples } from '../scripts/guide-examples.ts'
import { readOptions } from '../scripts/options.ts'
import { PROJECT } from '../scripts/wrangler.ts'
import { killDev, startDev } from './start-dev.ts'

/** Starts the receiver of the guide, which reads the WEBHOOK_SECRET, and waits until it listens. */
const RECEIVE = [
  'node receiver.mjs >&2 &',
  'trap "kill $!" EXIT',
  'until (echo > "/dev/tcp/127.0.0.1/$RECEIVER_PORT") 2> /dev/null; do sleep 0.1; done',
].join('\n')

/**
 * Walks the path of a newcomer from a fresh clone of the last commit, with the commands of the README and the
 * guides, and prints the seconds of each step. Throws at the first command that fails.
 */
readOptions({})
const folder = mkdtempSync(join(tmpdir(), 'ten-minutes-'))
const clone = join(folder, 'clone')
const began = Date.now()
try {
  await timed('git clone', () => run('git', ['clone', '--quiet', PROJECT, clone], folder))
  await timed('npm ci', () => run('npm', ['ci'], clone))
  await useService()
  print('in all', Date.now() - began)
  console.log(`Busy processes in the last minute: ${loadavg()[0]?.toFixed(1)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function useService(): Promise<void> {
  const [port, receiver] = [await freePort(), await freePort()]
  const flags = ['--port', String(port), '--var', 'ALLOW_LOCAL_WEBHOOKS:true']
  const dev = await timed('npm run dev, up to its key', () => startDev(flags, clone))
  const env = { URL: `http://127.0.0.1:${port}`, KEY: dev.key, RECEIVER_PORT: String(receiver) }
  const placed = (text: string) =>
    text.replaceAll('http://127.0.0.1:8787', env.URL).replaceAll('9000', env.RECEIVER_PORT)
  const follow = (commands: readonly string[]) => followed(commands.map(placed), env)
  const commandsOf = (page: string) => examplesOf(page).map(({ commands }) => commands)
  try {
    await timed('the first call', () => follow(commandsOf('README.md').slice(0, 1)))
    await timed('the quickstart: first sale, refund, reports', () => follow(commandsOf('docs/quickstart.md')))
    const [subscribe = '', test = ''] = commandsOf('docs/webhooks.md')
    const [code] = blocksOf('docs/webhooks.md').filter(({ language }) => language === 'js')
    writeFileSync(join(folder, 'receiver.mjs'), placed(code?.text ?? ''))
    await timed('a webhook, its receiver and a test event', async () => {
      const answer: { success?: boolean } = JSON.parse(await follow([subscribe, RECEIVE, test]))
      if (answer.success !== true) throw new Error(`The receiver refused: ${JSON.stringify(answer)}`)
    })
  } finally {
    await killDev(dev)
  }
}

async function timed<Result>(step: string, act: () => Result | Promise<Result>): Promise<Result> {
  const start = Date.now()
  const result = await act()
  print(step, Date.now() - start)
  return result
}

function print(step: string, milliseconds: number): void {
  console.log(`${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${step}`)
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs commands in one shell. Throws if one fails. Returns the output of the last one. */
async function followed(commands: readonly string[], env: Record<string, string>): Promise<string> {
  const examples = commands.map((each, index) => ({ name: String(index), commands: each, shown: null }))
  const { outputs, errors } = await runExamples(examples, folder, env)
  if (outputs.length !== commands.length + 1)
    throw new Error(`A command failed: ${outputs.at(-1)}\n${errors}`)
  return outputs.at(-2) ?? ''
}
