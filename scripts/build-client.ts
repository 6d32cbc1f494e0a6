import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildEngine } from './client-engine.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Builds the package of the client twice: modules in dist/, for `import`, and CommonJS in dist/cjs/, for
 * `require`. Each has its own types, because a type of a module is an error in a CommonJS file of TypeScript.
 * The engine of `tax-compliance/offline` and `/testing` is bundled once, as CommonJS.
 */
const client = join(PROJECT, 'client')
const dist = join(client, 'dist')

rmSync(dist, { recursive: true, force: true })
run(join(PROJECT, 'scripts/generate.ts'))
for (const config of ['tsconfig.json', 'tsconfig.cjs.json'])
  run(join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', join(client, config))
// The package is `"type": "module"`, and this folder is not.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
// A module may take types from CommonJS, so the largest file of types, 240 kB, is needed only once.
writeFileSync(join(dist, 'schema.d.ts'), "export * from './cjs/schema.js'\n")
await buildEngine(client, join(dist, 'cjs'))
writeFileSync(
  join(dist, 'offline.js'),
  `import offline from './cjs/offline.js'
export const { createOffline, SnapshotError, takeOfflineData } = offline
`,
)
// The licences of the tax data that the package has.
copyFileSync(join(PROJECT, 'NOTICE'), join(dist, 'NOTICE'))
const { SHIPPED } = await import('../client/offline/shipped.generated.ts')
writeFileSync(
  join(dist, 'cjs/testing.js'),
  `const { fakeServiceWith } = require('./fake.js')
const shipped = '${SHIPPED}'
exports.createFakeService = (options) => fakeServiceWith(shipped, options)
`,
)
writeFileSync(
  join(dist, 'testing.js'),
  `import testing from './cjs/testing.js'
export const { createFakeService } = testing
`,
)

function run(...command: string[]): void {
  execFileSync(process.execPath, command, { stdio: 'inherit' })
}
