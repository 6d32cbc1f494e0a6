import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, transformSync } from 'esbuild'

/** Both entries refuse what would load these modules. A static import of them would fail the build. */
const REFUSED = /\/(calculation\/(einvoice|comparison|calculation-token)|code-list)\.ts$/

/** Without the refused modules, and with the late ones in the same file: each would be a file of its own. */
const inOneFile: Plugin = {
  name: 'in one file',
  setup: (bundle) => {
    bundle.onLoad({ filter: REFUSED }, () => ({ contents: 'export {}' }))
    bundle.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const imports: string[] = []
      const text = readFileSync(path, 'utf8').replaceAll(/(?<==> )import\(('\.[^']+')\)/g, (_, module) => {
        const name = `late${imports.length}`
        imports.push(`import * as ${name} from ${module}\n`)
        return `Promise.resolve(${name})`
      })
      return { contents: imports.join('') + text, loader: 'ts' }
    })
  },
}

/**
 * Builds the engine as CommonJS for two entries, `offline.js` and `fake.js`. What both need is in
 * `engine.js`, because it is half of the package. esbuild shares code only between modules, so each is turned
 * afterwards.
 */
export async function buildEngine(client: string, folder: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: {
      offline: join(client, 'offline/offline.ts'),
      fake: join(client, 'offline/fake-service.ts'),
    },
    outdir: folder,
    chunkNames: 'engine',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20',
    define: { 'Map.groupBy': 'groupByKey' },
    inject: [join(client, 'offline/group-by.ts')],
    plugins: [inOneFile],
  })
  for (const { path, text } of outputFiles)
    writeFileSync(path, transformSync(text, { format: 'cjs', minify: true }).code)
}
