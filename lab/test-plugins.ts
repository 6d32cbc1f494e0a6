import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { type Door, cartsOf, nativeCarts } from './native-carts.ts'
import { killDev, startDev } from './start-dev.ts'
import { freePort } from '../scripts/free-port.ts'
import { packClient } from '../scripts/pack-client.ts'
import { publishedFolders } from '../scripts/release/packages.ts'
import { PROJECT } from '../scripts/wrangler.ts'

const USAGE = `Usage: npm run test:plugins [-- NAME...]

  Packs each plugin that is published, and installs it in an empty project. Installs each package of plugins/
  with the packed client, and runs its tests with its own framework against
  a service of this checkout. NAME is a folder of plugins/; without one, all are tested. Needs a registry.`

/** Not a word of ours: a test that cannot run here ends with it, and says why. */
const SKIPPED = 77

/** The shops whose tests have the carts. */
const SHOPS: readonly Door[] = ['medusa', 'shopware', 'vendure']

const Versions = z.record(z.string(), z.string())
const Plugin = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.unknown()).optional(),
  peerDependencies: Versions,
  devDependencies: Versions.default({}),
})
process.exitCode = process.argv.includes('--help') ? usage() : await main(process.argv.slice(2))

function usage(): number {
  console.log(USAGE)
  return 0
}

async function main(names: readonly string[]): Promise<number> {
  const all = globSync('plugins/*/package.json', { cwd: PROJECT }).map((file) => basename(dirname(file)))
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    console.error(`plugins/ has no ${unknown.join(', ')}: it has ${all.join(', ')}`)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
  const port = await freePort()
  const state = join(folder, 'state')
  const vars = ['--var', 'RATE_LIMITS:off', '--var', 'ALLOW_LOCAL_WEBHOOKS:true']
  const dev = await startDev(['--port', String(port), '--persist-to', state, ...vars])
  const TAX_URL = `http://127.0.0.1:${port}`
  try {
    const client = packClient(folder)
    const published = new Set(publishedFolders(PROJECT))
    const wanted = names.length > 0 ? names : all.toSorted()
    const TAX_CARTS = await writeCarts(folder, TAX_URL, dev.key)
    const outcomes = wanted.map((name) => {
      if (published.has(`plugins/${name}`)) installAsOthers(name, client, join(folder, name))
      return [name, tested(name, client, { TAX_URL, TAX_API_KEY: dev.key, TAX_CARTS })] as const
    })
    for (const [name, outcome] of outcomes) console.log(`${name}: ${outcome}`)
    return outcomes.some(([, outcome]) => outcome === 'failed') ? 1 : 0
  } finally {
    await killDev(dev)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the carts that each shop carries, with the answers of the service. Returns the path of the file. */
async function writeCarts(folder: string, url: string, key: string): Promise<string> {
  const carts = await nativeCarts(async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  })
  const file = join(folder, 'carts.json')
  writeFileSync(file, JSON.stringify(Object.fromEntries(SHOPS.map((door) => [door, cartsOf(door, carts)]))))
  return file
}

/**
 * Installs the packed plugin and client in an empty project, with the framework that the plugin is tested
 * with, and imports each entry. Throws if one cannot be imported.
 */
function installAsOthers(name: string, client: string, project: string): void {
  const described = JSON.parse(readFileSync(join(PROJECT, 'plugins', name, 'package.json'), 'utf8'))
  const plugin = Plugin.parse(described)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const run = (cwd: string, command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  const packed = run(PROJECT, 'npm', 'pack', '--silent', '--pack-destination', project, `./plugins/${name}`)
  const frameworks = Object.keys(plugin.peerDependencies)
    .filter((each) => plugin.devDependencies[each] !== undefined)
    .map((each) => `${each}@${plugin.devDependencies[each]}`)
  run(project, 'npm', 'install', '--no-audit', '--no-fund', client, join(project, packed), ...frameworks)
  const entries = Object.keys(plugin.exports ?? { '.': '' }).filter((entry) => entry !== './package.json')
  const imports = entries.map((entry) => `await import('${join(plugin.name, entry)}')`).join('\n')
  run(project, process.execPath, '--input-type=module', '--eval', `${imports}\nprocess.exit(0)`)
  console.log(`${name}: the packed file installs, and ${entries.join(', ')} can be imported`)
}

/**
 * The tests of one package. `variables`: where the service is, a key of a new account for tests, and the
 * carts that each shop has to tax as the service does.
 */
function tested(name: string, client: string, variables: Record<string, string>): string {
  const cwd = join(PROJECT, 'plugins', name)
  const run = (...args: string[]) =>
    spawnSync('npm', args, { cwd, stdio: 'inherit', env: { ...process.env, ...variables } }).status
  if (run('ci', '--no-audit', '--no-fund') !== 0) return 'failed'
  if (run('install', '--no-save', '--no-audit', '--no-fund', client) !== 0) return 'failed'
  const status = run('test')
  return status === 0 ? 'passed' : status === SKIPPED ? 'skipped' : 'failed'
}
