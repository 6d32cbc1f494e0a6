import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { packClient } from './pack-client.ts'
import { PROJECT, readConfig } from './wrangler.ts'

/**
 * Packs the client and tries it in the projects of others: the linters of packages, Node 20 with `require`
 * and `import`, Jest, each resolution mode of old and new TypeScript, a Worker. Their tools are in .ci/client
 * with a lockfile of their own, so that a checkout installs without them (280 MB). Needs a registry.
 */
const TOOLS = join(PROJECT, '.ci/client')
const NODE_20 = join(TOOLS, 'node_modules/node/bin/node')

const COMMON_JS = `
  const { createClient, ApiError, verifyWebhook } = require('tax-compliance')
  const { verifyWebhook: same } = require('tax-compliance/verify-webhook')
  const { createOffline } = require('tax-compliance/offline')`
const MODULE = `
  import { createClient, ApiError, verifyWebhook } from 'tax-compliance'
  import { verifyWebhook as same } from 'tax-compliance/verify-webhook'
  import { createOffline } from 'tax-compliance/offline'`

/** Asks the server at the address for a rate, and gets an error for a wrong path. */
const ASK = `
  async function ask(baseUrl) {
    const tax = createClient({ baseUrl, apiKey: 'key' })
    const { tax_amount } = await tax.calculate({})
    const refused = await tax.transactions.get('txn_1').catch((error) => error)
    const entries = same === verifyWebhook && typeof createOffline().load === 'function'
    return [tax_amount, refused instanceof ApiError, refused.status, entries].join(' ')
  }`
const ANSWER = '1900 true 404 true'

const TYPED = `
  import { createClient, type CalculateRequest, type Transaction } from 'tax-compliance'
  import { verifyWebhook, type WebhookEvent } from 'tax-compliance/verify-webhook'
  import { createOffline } from 'tax-compliance/offline'
  export const days = (sold: CalculateRequest): number => createOffline().calculate(sold).age_ms / 86_400_000
  const tax = createClient({ baseUrl: 'https://tax.example.com', apiKey: 'key' })
  export const sale: CalculateRequest = { currency: 'EUR', line_items: [{ amount: 1, product_type: 'saas' }] }
  export const total = async (id: string): Promise<number> => {
    const recorded: Transaction = await tax.transactions.get(id)
    return recorded.total
  }
  export const receive = async (request: Request, secret: string): Promise<string> => {
    const event: WebhookEvent = await verifyWebhook(request, secret)
    return event.type === 'rate.updated' ? event.data.jurisdiction_id : event.id
  }
  // @ts-expect-error A misspelt field: without the types, this line would be no error.
  void tax.calculate({ currency: 'EUR', line_itmes: [] })
`

const folder = mkdtempSync(join(tmpdir(), 'client-check-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

if (!existsSync(NODE_20)) run('npm', ['ci', '--no-audit', '--no-fund'], TOOLS)
const tarball = packClient(folder)
writeFileSync(join(folder, 'package.json'), '{ "private": true }')
run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball])

step('publint', () => run(NODE_20, [tool('publint/src/cli.js'), tarball, '--strict']))
step('attw', () => run(NODE_20, [tool('@arethetypeswrong/cli/dist/index.js'), tarball]))
for (const version of ['typescript-5.4', 'typescript'])
  for (const mode of ['node10', 'node16', 'bundler'] as const)
    step(`${version} ${mode}`, () => compile(tool(`${version}/bin/tsc`), mode))
step('typescript 7 bundler', () => compile(join(PROJECT, 'node_modules/typescript/bin/tsc'), 'bundler'))
await withService(async (origin) => {
  await runs(
    'Node 20, require',
    origin,
    'use.cjs',
    `${COMMON_JS}\n${ASK}\nask(process.argv[2]).then(console.log)`,
  )
  await runs(
    'Node 20, import',
    origin,
    'use.mjs',
    `${MODULE}\n${ASK}\nconsole.log(await ask(process.argv[2]))`,
  )
  await runsInJest(origin)
  await runsInWorker(origin)
})

function tool(path: string): string {
  return join(TOOLS, 'node_modules', path)
}

function step(name: string, check: () => void): void {
  check()
  console.log(`ok  ${name}`)
}

/** Shows what the command printed only if it fails. */
function run(command: string, args: string[], cwd = folder): void {
  try {
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error)
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

/** Compiles a program that uses both entry points. In node16 it is once CommonJS and once a module. */
function compile(tsc: string, mode: 'node10' | 'node16' | 'bundler'): void {
  const project = join(folder, mode)
  mkdirSync(project, { recursive: true })
  const files = mode === 'node16' ? ['use.cts', 'use.mts'] : ['use.ts']
  for (const file of files) writeFileSync(join(project, file), TYPED)
  const module = { node10: 'commonjs', node16: 'node16', bundler: 'esnext' }[mode]
  const compilerOptions = {
    module,
    moduleResolution: mode,
    target: 'es2022',
    lib: ['es2022'],
    types: ['node'],
    typeRoots: [tool('@types')],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  run(NODE_20, [tsc, '-p', project])
}

/** A service that answers each calculation, and nothing else. */
async function withService(check: (origin: string) => Promise<void>): Promise<void> {
  const server = createServer(({ url }, response) => {
    const known = url === '/v1/calculate'
    response.writeHead(known ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(known ? '{"tax_amount":1900}' : '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await check(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    server.close()
  }
}

async function runs(name: string, origin: string, file: string, program: string): Promise<void> {
  writeFileSync(join(folder, file), program)
  expectAnswer(name, (await printed(NODE_20, [file, origin])).trim())
}

async function runsInJest(origin: string): Promise<void> {
  writeFileSync(
    join(folder, 'client.test.js'),
    `${COMMON_JS}\n${ASK}\ntest('asks', async () => expect(await ask('${origin}')).toBe('${ANSWER}'))`,
  )
  const jest = tool('jest/bin/jest.js')
  await printed(NODE_20, [
    jest,
    '--rootDir',
    folder,
    '--testEnvironment',
    'node',
    '--testMatch',
    '**/*.test.js',
  ])
  expectAnswer('Jest', ANSWER)
}

/** Bundles for a Worker as wrangler does, and sends its requests to the service. */
async function runsInWorker(origin: string): Promise<void> {
  writeFileSync(
    join(folder, 'worker.js'),
    `${MODULE}\n${ASK}\nexport default { fetch: async () => new Response(await ask('${origin}')) }`,
  )
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'worker.js')],
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
  })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: outputFiles[0]?.text ?? '',
      compatibilityDate: readConfig().compatibility_date,
    }),
  )
  try {
    const response = await miniflare.dispatchFetch('http://worker.test/')
    expectAnswer('Worker', await response.text())
  } finally {
    await miniflare.dispose()
  }
}

function expectAnswer(name: string, answer: string): void {
  if (answer !== ANSWER) throw new Error(`${name}: ${answer}, and not ${ANSWER}`)
  console.log(`ok  ${name}`)
}

/** Runs a program beside this one, which serves its requests. */
function printed(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => chunks.push(String(chunk)))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(chunks.join('')) : reject(new Error(`${args.join(' ')}\n${chunks.join('')}`)),
    )
  })
}
