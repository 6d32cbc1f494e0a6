import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mapFaults } from './checks/map.ts'
import {
  clientFaults,
  dependencyFaults,
  lineFaults,
  type Manifest,
  packagesImportedBy,
} from './checks/dependencies.ts'
import { COMMANDS } from './help/commands.ts'
import { PACKAGES } from './help/packages.ts'
import { packageFaults } from './release/packages.ts'
import { versionFaults } from './release/versions.ts'
import { PROJECT } from './wrangler.ts'

/** A path of this project begins with one of these folders, or is a file of the root. */
const FOLDERS = /^(src|scripts|lab|client|examples|public|test|data|docs|migrations|collectors|\.ci)\//
const ROOT_FILE = /^\.?[\w-]+\.(md|toml|json)$/
const CODE_TO_RUN = [
  'src/**/*.{ts,tsx}',
  'collectors/**/*.ts',
  'scripts/serve/*.ts',
  // What `npm run serve` reads wrangler.toml with.
  'scripts/wrangler.ts',
]
const OTHER_CODE = [
  'scripts/**/*.{ts,mjs}',
  'lab/**/*.ts',
  'test/**/*.ts',
  'examples/**/*.ts',
  '*.config.ts',
  'tsconfig*.json',
]
const CLIENT_CODE = ['client/src/**/*.ts']
const PAGES = ['*.md', '{docs,data,test,client,examples}/**/*.md']

const manifest: Manifest & { engines: { node: string } } = JSON.parse(read('package.json'))
const client: { name: string } = JSON.parse(read('client/package.json'))

const wrong: string[] = []
for (const page of globSync(PAGES, { cwd: PROJECT, exclude: ['client/dist/**'] })) {
  const text = read(page)
  for (const path of quotedPaths(text))
    if (!existsSync(join(PROJECT, path))) wrong.push(`${page}: ${path} does not exist: correct the path`)
  for (const path of linkedPaths(text))
    if (!existsSync(join(PROJECT, dirname(page), path)))
      wrong.push(`${page}: the link to ${path} is broken: correct it`)
  for (const script of namedScripts(text))
    if (!Object.hasOwn(manifest.scripts, script))
      wrong.push(`${page}: there is no npm run ${script}: correct its name`)
  for (const [, version] of text.matchAll(/\bNode (\d[\d.]*) or later/g)) {
    const range = `>=${version}`
    if (page !== 'README.md') wrong.push(`${page}: remove the version of Node: only README.md names it`)
    else if (range !== manifest.engines.node)
      wrong.push(
        `${page}: package.json needs Node ${manifest.engines.node}, not ${range}: correct one of them`,
      )
  }
}
wrong.push(
  ...dependencyFaults({
    manifest,
    described: PACKAGES,
    importedToRun: importedBy(CODE_TO_RUN),
    imported: importedBy([...CODE_TO_RUN, ...OTHER_CODE]),
    commandsOf,
    client: client.name,
  }),
  ...lineFaults(
    // What npm runs by itself needs no line: before another script, or after an install.
    Object.keys(manifest.scripts).filter((name) => {
      const is_before = name.startsWith('pre') && Object.hasOwn(manifest.scripts, name.slice('pre'.length))
      return name !== 'postinstall' && !is_before
    }),
    COMMANDS,
    'scripts/help/commands.ts',
  ),
  ...clientFaults(importedBy(CLIENT_CODE)),
  ...mapFaults(read('CONTRIBUTING.md'), readdirSync(join(PROJECT, 'src'))),
  ...packageFaults(PROJECT),
  ...versionFaults(PROJECT),
)
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0

function read(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8')
}

/** Paths in backticks. `<name>`, `…` and `*` are placeholders: the path before them is checked. */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, quoted = '']) => quoted)
    .filter((quoted) => !quoted.includes(' ') && (FOLDERS.test(quoted) || ROOT_FILE.test(quoted)))
    .flatMap(alternatives)
    .map((path) => path.replace(/[^/]*[<…*].*$/, ''))
    .filter((path) => path !== '')
}

/** `docs/{a,b}.md` is two paths. */
function alternatives(path: string): string[] {
  const [, before = '', list = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  return list === '' ? [path] : list.split(',').map((each) => `${before}${each}${after}`)
}

function linkedPaths(text: string): string[] {
  return (
    [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      // A path that begins with a slash is an address of the running service.
      .filter((target) => !/^([a-z]+:|\/)/.test(target))
  )
}

function namedScripts(text: string): string[] {
  return [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name)
}

/** All packages that these files import. A configuration of TypeScript imports its `types`. */
function importedBy(patterns: readonly string[]): Set<string> {
  const files = globSync([...patterns], { cwd: PROJECT })
  return new Set(
    files.flatMap((path) =>
      packagesImportedBy(path.endsWith('.json') ? importsOfConfiguration(read(path)) : read(path)),
    ),
  )
}

function importsOfConfiguration(text: string): string {
  const { compilerOptions }: { compilerOptions: { types?: string[] } } = JSON.parse(text)
  return (compilerOptions.types ?? []).map((name) => `import '${name}'\n`).join('')
}

function commandsOf(name: string): string[] {
  const { bin = {} }: { bin?: string | Record<string, string> } = JSON.parse(
    read(`node_modules/${name}/package.json`),
  )
  return typeof bin === 'string' ? [name] : Object.keys(bin)
}
