import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

/**
 * The version of the project is that of package.json. `npm run release` writes it into all other files that
 * name it, and `npm run docs:check` compares them.
 */

const Package = z.object({ version: z.string() })
type Lock = { packages: Record<string, object> }

/** Of other files, the texts around the version. The addon of Odoo has the version of Odoo before it. */
const TEXTS: readonly [pattern: string, around: RegExp][] = [
  ['client/src/version.ts', /(VERSION = ')(\d+\.\d+\.\d+)(')/g],
  ['plugins/odoo/tax_compliance_us/__manifest__.py', /("version": "18\.0\.)(\d+\.\d+\.\d+)(")/g],
  ['CITATION.cff', /(\nversion: )(\d+\.\d+\.\d+)(\n)/g],
  ['{docs,client,plugins/*}/*.md', /(tax-compliance-(?:\w+-)?)(\d+\.\d+\.\d+)(\.tgz)/g],
]

/** The packages of this project: the service, the client and the plugins. */
export const PACKAGES = ['package.json', 'client/package.json', 'plugins/*/package.json']
const LOCKS = ['package-lock.json', 'plugins/*/package-lock.json']

export function versionOf(project: string): string {
  return Package.parse(readJson(project, 'package.json')).version
}

/** A sentence for each file that names another version than package.json. */
export function versionFaults(project: string): string[] {
  const version = versionOf(project)
  return [...withVersion(project, version)]
    .filter(([path, text]) => read(project, path) !== text)
    .map(([path]) => `${path}: another version than ${version} of package.json`)
}

/** Writes the version into all files that name it. */
export function setVersion(project: string, version: string): void {
  for (const [path, text] of withVersion(project, version)) writeFileSync(join(project, path), text)
}

/** The files that name the version, as they are with this one. */
function withVersion(project: string, version: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const path of globSync(PACKAGES, { cwd: project }))
    files.set(path, jsonText({ ...readJson(project, path), version }))
  for (const path of globSync(LOCKS, { cwd: project })) {
    const lock: Lock = readJson(project, path)
    const ours = ['', 'client'].filter((name) => lock.packages[name] !== undefined)
    const packages = Object.fromEntries(ours.map((name) => [name, { ...lock.packages[name], version }]))
    files.set(path, jsonText({ ...lock, version, packages: { ...lock.packages, ...packages } }))
  }
  for (const [pattern, around] of TEXTS)
    for (const path of globSync(pattern, { cwd: project })) {
      const text = read(project, path)
      if (text.search(around) >= 0) files.set(path, text.replaceAll(around, `$1${version}$3`))
    }
  return files
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function readJson(project: string, path: string) {
  return JSON.parse(read(project, path))
}

function read(project: string, path: string): string {
  return readFileSync(join(project, path), 'utf8')
}
