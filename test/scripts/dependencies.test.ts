import { describe, expect, it } from 'vitest'
import {
  clientFaults,
  dependencyFaults,
  packagesImportedBy,
  packagesInTable,
} from '../../scripts/checks/dependencies.ts'

const PAGE = `
| To run            | Why            |
| ----------------- | -------------- |
| \`hono\`, \`zod\` | because        |

| To build and test | Why            |
| ----------------- | -------------- |
| \`@types/*\`      | types          |
| \`node\`          | runs \`tests\` |

| Other | table |
| ----- | ----- |
| \`x\` | y     |
`
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
    page: PAGE,
    importedToRun: IMPORTED,
    imported: IMPORTED,
    commandsOf: (name) => [name],
    client: { name: 'service-client', dependencies: { 'openapi-fetch': '1' } },
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

describe('a table of the page', () => {
  it('names packages in its first column', () => {
    expect(packagesInTable(PAGE, 'To run')).toEqual(['hono', 'zod'])
    expect(packagesInTable(PAGE, 'To build and test')).toEqual(['@types/*', 'node'])
    expect(packagesInTable(PAGE, 'Missing')).toEqual([])
  })
})

describe('the dependencies', () => {
  it('agree', () => {
    expect(faults({})).toEqual([])
  })

  it('are all in the page', () => {
    const dependencies = { ...MANIFEST.dependencies, papaparse: '1' }
    expect(
      faults({ manifest: { ...MANIFEST, dependencies }, importedToRun: new Set([...IMPORTED, 'papaparse']) }),
    ).toEqual(['CONTRIBUTING.md: the table "To run" does not name papaparse'])
  })

  it('are all that the page names, each in its own table', () => {
    const dependencies = { hono: '1' }
    const devDependencies = { ...MANIFEST.devDependencies, zod: '1' }
    expect(faults({ manifest: { ...MANIFEST, dependencies, devDependencies } })).toEqual([
      'CONTRIBUTING.md: the table "To run" names zod, which package.json does not have there',
      'CONTRIBUTING.md: the table "To build and test" does not name zod',
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
    const importedToRun = new Set([...IMPORTED, 'service-client', 'openapi-fetch'])
    expect(faults({ importedToRun })).toEqual([
      'package.json: the service must not import service-client',
      'package.json: the service must not import openapi-fetch',
    ])
  })

  it('declares what it imports, and no more', () => {
    const imported = new Set(['node', 'openapi-fetch', 'left-pad'])
    expect(clientFaults({ dependencies: { 'openapi-fetch': '1', zod: '1' } }, imported)).toEqual([
      'client/package.json: zod is a dependency, and the client does not import it',
      'client/package.json: left-pad is imported, and is not a dependency',
    ])
  })
})
