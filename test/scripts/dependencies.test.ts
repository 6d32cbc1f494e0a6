import { describe, expect, it } from 'vitest'
import {
  clientFaults,
  dependencyFaults,
  lineFaults,
  packagesImportedBy,
} from '../../scripts/checks/dependencies.ts'

const DESCRIBED = { hono: 'routes', zod: 'schemas', '@types/node': 'types', node: 'runs tests' }
const MANIFEST = {
  name: 'service',
  dependencies: { hono: '1', zod: '1' },
  devDependencies: { '@types/node': '1', node: '1' },
  scripts: { test: 'node test.ts' },
}
const IMPORTED = new Set(['hono', 'zod', 'node'])

/** A source in the quotes of this project. Its imports are not those of this file. */
function quoted(source: string): string {
  return source.replaceAll('"', "'")
}

function faults(changes: Partial<Parameters<typeof dependencyFaults>[0]>): string[] {
  return dependencyFaults({
    manifest: MANIFEST,
    described: DESCRIBED,
    importedToRun: IMPORTED,
    imported: IMPORTED,
    commandsOf: (name) => [name],
    client: 'service-client',
    ...changes,
  })
}

describe('the packages of a source', () => {
  it('are what it imports in any way, by the name of the package', () => {
    const source = quoted(`
      import { Hono } from "hono"
      import type { Context } from "hono/jsx"
      import "side-effect"
      export { a } from "@scope/name/deep/file.js"
      const lazy = await import("lazy")
      createRequire(import.meta.url).resolve("swagger-ui-dist/package.json")`)
    expect(packagesImportedBy(source)).toEqual([
      'hono',
      'hono',
      'side-effect',
      '@scope/name',
      'lazy',
      'swagger-ui-dist',
    ])
  })

  it('are not its own files nor what the runtime has', () => {
    const source = quoted(`
      import { readFileSync } from "node:fs"
      import { env } from "cloudflare:test"
      import { x } from "./x.ts"
      import { y } from "../y.ts"`)
    expect(packagesImportedBy(source)).toEqual(['node'])
  })
})

describe('the lines of a file', () => {
  it('are one for each name, and no other', () => {
    expect(lineFaults(['dev', 'test'], { dev: 'serves', test: 'tests' }, 'commands.ts')).toEqual([])
    expect(lineFaults(['dev', 'test'], { dev: 'serves', gone: 'did' }, 'commands.ts')).toEqual([
      'commands.ts: say what test is for',
      'commands.ts: package.json has no gone: remove its line',
    ])
  })
})

describe('the dependencies', () => {
  it('agree', () => {
    expect(faults({})).toEqual([])
  })

  it('all have a line that says why they are there', () => {
    const dependencies = { ...MANIFEST.dependencies, papaparse: '1' }
    expect(
      faults({ manifest: { ...MANIFEST, dependencies }, importedToRun: new Set([...IMPORTED, 'papaparse']) }),
    ).toEqual(['scripts/help/packages.ts: say what papaparse is for'])
  })

  it('are all that have such a line', () => {
    expect(faults({ manifest: { ...MANIFEST, dependencies: { hono: '1' } } })).toEqual([
      'scripts/help/packages.ts: package.json has no zod: remove its line',
      'package.json: zod is imported, and is not a dependency',
    ])
  })

  it('are imported by what runs, if they are there to run it', () => {
    expect(faults({ importedToRun: new Set(['hono']) })).toEqual([
      'package.json: zod is a dependency, and neither src nor collectors imports it',
    ])
  })

  it('are imported by anything or run by a script, if they are there to build and test', () => {
    const manifest = { ...MANIFEST, scripts: {} }
    expect(faults({ manifest, imported: new Set(['hono', 'zod']) })).toEqual([
      'package.json: @types/node is imported nowhere, and no script runs it',
      'package.json: node is imported nowhere, and no script runs it',
    ])
  })

  it('contain all that is imported', () => {
    expect(faults({ imported: new Set([...IMPORTED, 'left-pad', 'service-client']) })).toEqual([
      'package.json: left-pad is imported, and is not a dependency',
    ])
  })
})

describe('the client', () => {
  it('is not imported by the service', () => {
    const importedToRun = new Set([...IMPORTED, 'service-client'])
    expect(faults({ importedToRun })).toEqual(['package.json: the service must not import service-client'])
  })

  it('imports no package', () => {
    expect(clientFaults(new Set(['node', 'left-pad']))).toEqual(['client: must not import left-pad'])
  })
})
