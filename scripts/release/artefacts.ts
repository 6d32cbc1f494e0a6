import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { git } from '../checks/git.ts'
import { shippedSnapshot } from '../shipped-snapshot.ts'
import { publishedFolders } from './packages.ts'
import { versionOf } from './versions.ts'

/** A file of a release. `sha256`: in hexadecimal. */
type Artefact = { name: string; bytes: number; sha256: string }

/**
 * Builds what is published of this checkout into a folder: the packages for npm, the addon of Odoo, the
 * modules of the Worker with its migrations, the tax data, the OpenAPI document and the list of all packages
 * of others (SBOM, CycloneDX). `manifest.json` has their hashes.
 */
export function buildArtefacts(project: string, folder: string): Artefact[] {
  const version = versionOf(project)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run(project, 'npm', 'run', '-s', 'build')
  const packages = publishedFolders(project).map((each) => `./${each}`)
  run(project, 'npm', 'pack', '--silent', '--pack-destination', folder, ...packages)
  const addon: [string, string] = [join(project, 'plugins/odoo'), 'tax_compliance_us/**/*.{py,xml}']
  const modules: [string, string] = [join(project, 'dist'), 'worker/*.js']
  const made = {
    [`tax-compliance-odoo-${version}.zip`]: zipped(addon),
    [`worker-${version}.zip`]: zipped(modules, [project, 'migrations/*.sql']),
    [`tax-data-${version}.json`]: shippedSnapshot(version),
    [`sbom-${version}.cdx.json`]: billOfMaterials(project),
    [`openapi-${version}.json`]: readFileSync(join(project, 'public/openapi.json')),
    // The licences of the tax data.
    NOTICE: readFileSync(join(project, 'NOTICE')),
  }
  for (const [name, contents] of Object.entries(made)) writeFileSync(join(folder, name), contents)
  const files = readdirSync(folder)
    .toSorted()
    .map((name) => describe(folder, name))
  const commit = git(project, 'rev-parse', 'HEAD').trim()
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ version, commit, files }, null, 2)}\n`)
  return files
}

/** Each package of package-lock.json with version, licence and hash. Those of tools are marked as such. */
export function billOfMaterials(project: string): string {
  const asked = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  return execFileSync('npm', asked, { cwd: project, encoding: 'utf8', maxBuffer: 10_000_000 })
}

/** The files of these patterns, by their paths below a folder. Equal files make an equal archive. */
function zipped(...parts: [below: string, pattern: string][]): Uint8Array {
  const files = parts.flatMap(([below, pattern]) =>
    globSync(pattern, { cwd: below })
      .toSorted()
      .map((path) => [path, new Uint8Array(readFileSync(join(below, path)))] as const),
  )
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) })
}

function describe(folder: string, name: string): Artefact {
  const contents = readFileSync(join(folder, name))
  const sha256 = createHash('sha256').update(contents).digest('hex')
  return { name, bytes: contents.length, sha256 }
}

/** Shows what the command prints only if it fails. */
function run(project: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
}
