import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentDocument } from '../../scripts/openapi.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { blocksOf } from '../../scripts/guide-examples.ts'
import { packClient } from '../../scripts/pack-client.ts'

const INSTALLED_BYTES_MAX = 2_040_000
const folder = mkdtempSync(join(tmpdir(), 'client-package-'))
const MODULES = join(folder, 'node_modules')
const run = promisify(execFile)

/** Installs the packed package as npm would, without the network. */
beforeAll(() => {
  const target = join(MODULES, 'tax-compliance')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', packClient(folder), '-C', target, '--strip-components', '1'])
})
afterAll(() => rmSync(folder, { recursive: true }))

function bytesOf(path: string): number {
  const paths = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((each) => join(path, each))
  return paths.reduce((sum, each) => sum + (statSync(each).isFile() ? statSync(each).size : 0), 0)
}

describe('the package of the client', () => {
  it('installs 2.04 MB at most, without a dependency, with the engine and the tax data for tests', () => {
    const description = readFileSync(join(MODULES, 'tax-compliance/package.json'), 'utf8')
    expect(description).not.toMatch(/"\w*[dD]ependencies"/)
    const bytes = bytesOf(MODULES)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(INSTALLED_BYTES_MAX)
  })

  it('contains plain JavaScript with types, and no source', () => {
    const files = globSync('**/*', { cwd: join(MODULES, 'tax-compliance') })
    expect(files).toEqual(expect.arrayContaining(['README.md', 'dist/client.js', 'dist/client.d.ts']))
    expect(files.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([])
  })

  it('contains the license, which MIT asks for, and those of the tax data', () => {
    const notice = readFileSync(join(MODULES, 'tax-compliance/dist/NOTICE'), 'utf8')
    expect(notice).toBe(readFileSync(join(PROJECT, 'NOTICE'), 'utf8'))
    const license = readFileSync(join(MODULES, 'tax-compliance/LICENSE'), 'utf8')
    expect(license).toBe(readFileSync(join(PROJECT, 'LICENSE'), 'utf8'))
  })

  it('names only files that it contains, for modules and for CommonJS', () => {
    const root = join(MODULES, 'tax-compliance')
    const description = readFileSync(join(root, 'package.json'), 'utf8')
    const named = [...description.matchAll(/"(\.\/[^"*]+\.\w+)"/g)].map(([, path]) => path ?? '')
    expect(named).toEqual(expect.arrayContaining(['./dist/client.js', './dist/cjs/verify-webhook.d.ts']))
    expect(named.filter((path) => path !== './verify-webhook' && !existsSync(join(root, path)))).toEqual([])
  })

  it('has methods whose types are names, not lists of fields', () => {
    const declared = readFileSync(join(MODULES, 'tax-compliance/dist/methods.generated.d.ts'), 'utf8')
    expect(declared).toContain('Promise<types.TransactionAnswer>')
    expect(declared).not.toContain('queried_at')
  })

  it('runs in Node from node_modules', async () => {
    const asked: { authorization: string | undefined; key: boolean }[] = []
    const server = createServer(({ headers }, response) => {
      asked.push({ authorization: headers.authorization, key: 'idempotency-key' in headers })
      response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"key_id":"key_1"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { createClient, verifyWebhook } from 'tax-compliance'
      import { verifyWebhook as same } from 'tax-compliance/verify-webhook'
      import { createOffline } from 'tax-compliance/offline'
      const tax = createClient({ baseUrl: '${origin}', apiKey: 'key' })
      const { key_id } = await tax.apiKeys.create({ name: 'x', scopes: ['tax:read'] })
      console.log(key_id, verifyWebhook === same, typeof createOffline().load)`,
    )
    const { stdout } = await run(process.execPath, [join(folder, 'use.mjs')])
    server.close()
    expect(stdout.trim()).toBe('key_1 true function')
    expect(asked).toEqual([{ authorization: 'Bearer key', key: true }])
  })

  it('runs by require in a Node that cannot require modules', async () => {
    writeFileSync(
      join(folder, 'use.cjs'),
      `const { createClient, verifyWebhook } = require('tax-compliance')
      const { verifyWebhook: same } = require('tax-compliance/verify-webhook')
      const { createOffline } = require('tax-compliance/offline')
      const { createFakeService } = require('tax-compliance/testing')
      console.log(typeof createClient, verifyWebhook === same, typeof createOffline().load)
      const { apiKey, fetch } = createFakeService({ account: { country: 'DE' }, registrations: ['DE'] })
      const sale = { currency: 'EUR', customer: { address: { country: 'DE' } } }
      createClient({ baseUrl: 'https://tax.test', apiKey, fetch })
        .calculate({ ...sale, line_items: [{ amount: 1000, product_type: 'saas' }] })
        .then(({ tax_amount }) => console.log(tax_amount))
      const tax = createClient({ baseUrl: 'https://tax.test', apiKey, fetch })
      tax.transactions.create({ ...sale, line_items: [{ amount: 1000, product_type: 'saas' }] })
        .then(({ id }) => tax.transactions.refund(id, { amount: 119, reason: 'x' }))
        .then(({ tax_refunded }) => console.log(tax_refunded))`,
    )
    const { stdout } = await run(process.execPath, [
      '--no-experimental-require-module',
      join(folder, 'use.cjs'),
    ])
    expect(stdout.trim()).toBe('function true function\n190\n19')
  })

  it('has the engine in one file, which only a calculator and the service for tests load', () => {
    const dist = join(MODULES, 'tax-compliance/dist')
    const sizes = ['engine', 'offline', 'fake'].map((name) => statSync(join(dist, `cjs/${name}.js`)).size)
    for (const [index, most] of [593_000, 700, 112_100].entries())
      expect(sizes[index], sizes.join(' ')).toBeLessThan(most)
    // Node 20 has no Map.groupBy.
    expect(readFileSync(join(dist, 'cjs/engine.js'), 'utf8')).not.toContain('Map.groupBy')
    const naming = globSync('**/*.js', { cwd: dist }).filter((path) =>
      /(from|require\()\s*['"][^'"]*(offline|engine|fake)\b/.test(readFileSync(join(dist, path), 'utf8')),
    )
    expect(naming.toSorted()).toEqual(['cjs/fake.js', 'cjs/offline.js', 'cjs/testing.js', 'offline.js'])
  })

  it('has a command', async () => {
    const bin = join(MODULES, 'tax-compliance/bin/tax-compliance.js')
    const { stdout } = await run(process.execPath, [bin, '--help'])
    expect(stdout).toContain('tax-compliance calculate --to FR 19.99 saas')
    await expect(run(process.execPath, [bin, 'calculate'])).rejects.toMatchObject({ code: 2 })
  })

  it('has types with which every example of its guides compiles', () => {
    const blocks = ['docs/client.md', 'docs/shops.md', 'client/README.md'].flatMap((page) =>
      blocksOf(page).filter(({ language }) => language === 'ts'),
    )
    expect(blocks.length).toBeGreaterThan(6)
    for (const [index, { text }] of blocks.entries()) writeFileSync(join(folder, `example-${index}.ts`), text)
    writeFileSync(
      join(folder, 'wrong.ts'),
      `import { createClient, type ProductTypeOrCode, type WebhookEvent } from 'tax-compliance'
      import { isProductType } from 'tax-compliance/shop'
      const tax = createClient({ baseUrl: '', apiKey: '' })
      // @ts-expect-error A misspelt field.
      void tax.calculate({ currency: 'EUR', line_itmes: [] })
      const sold = (product_type: ProductTypeOrCode) =>
        tax.calculate({ currency: 'EUR', line_items: [{ amount: 1, product_type }] })
      for (const taken of ['saas', 'txcd_10000000', '40030', '10111801A0000', 'P000000H', 'NT'] as const)
        void sold(taken)
      void ['PC040206', 'FR020100', '53102800', 'no_supply_tip', 'FR'].filter(isProductType).map(sold)
      for (const known of ['PC040206', 'FR020100', '53102800', 'no_supply_tip', 'FR'] as const) void sold(known)
      // @ts-expect-error Misspelt product types.
      for (const wrong of ['sas', 'Saas', 'e-book', 'CLOTHING', 'no_supply_tpi'] as const) void sold(wrong)
      for (const wrong of ['sas', 'Saas', 'e-book', 'CLOTHING', 'no_supply_tpi', 'txcd_x', ''] as const)
        wrong satisfies Exclude<typeof wrong, ProductTypeOrCode>
      // @ts-expect-error A parameter that the operation lacks, and one that it needs.
      void tax.http.GET('/v1/rates', { params: { query: { jurisdction: 'DE' } } })
      // @ts-expect-error A path needs its place.
      void tax.http.GET('/v1/transactions/{id}')
      // @ts-expect-error A body of another operation.
      void tax.http.POST('/v1/calculate', { body: { name: 'x' } })
      const asked = await tax.http.GET('/v1/rates', { params: { query: { jurisdiction: 'DE' } } })
      void ((asked.data?.rates.length ?? 0) satisfies number)
      const bytes = await tax.http.GET('/v1/rates', { parseAs: 'arrayBuffer' })
      void (bytes.data satisfies ArrayBuffer | undefined)
      declare const event: WebhookEvent
      // @ts-expect-error The data of another type of event.
      if (event.type === 'sync.completed') void event.data.new_rate
      for await (const stored of tax.events.list())
        if (stored.type === 'rate.updated') void (stored.data.new_rate satisfies number)`,
    )
    const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          ...options,
          target: 'es2024',
          module: 'nodenext',
          lib: ['es2024', 'dom', 'dom.iterable'],
          types: ['node'],
          typeRoots: [join(PROJECT, 'node_modules/@types')],
        },
        include: ['*.ts'],
      }),
    )
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })
})

it('every operation of the document has a method', () => {
  const source = readFileSync(join(PROJECT, 'client/src/methods.generated.ts'), 'utf8')
  const called = [...source.matchAll(/http\.(GET|POST|PUT|DELETE)\(\s*'([^']+)'/g)].map(
    ([, method, path]) => `${method} ${path}`,
  )
  const operations = Object.entries(currentDocument().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(operations.length).toBeGreaterThan(60)
  expect(called.toSorted()).toEqual(operations.toSorted())
})

it('no page installs or runs a package of this name from a registry, where it is not ours', () => {
  const pages = globSync(['*.md', '{docs,client,examples}/**/*.md'], {
    cwd: PROJECT,
    exclude: ['**/node_modules/**'],
  })
  expect(pages.length).toBeGreaterThan(20)
  for (const page of pages)
    expect(readFileSync(join(PROJECT, page), 'utf8'), page).not.toMatch(
      /\bnpx (?!--no )[^\n]*tax-compliance|\b(npm (i|install|exec)|yarn add|pnpm add) tax-compliance/,
    )
})
