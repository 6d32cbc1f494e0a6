import { relative } from 'node:path'
import { buildSync } from 'esbuild'

/** The folder of the built console, in public. Its parts have the hash of their contents in their names. */
const FOLDER = 'public/console'

/**
 * The scripts of the console, bundled for browsers, by their paths. The entry, `console.js`, is the one file
 * with a fixed name. Each view is a part of its own, which is loaded when the view is first opened.
 */
export function consoleFiles(project: string): Map<string, string> {
  const { outputFiles } = buildSync({
    absWorkingDir: project,
    entryPoints: { console: 'console/console.tsx' },
    outdir: FOLDER,
    chunkNames: 'built/[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2024',
    tsconfig: 'tsconfig.console.json',
    logLevel: 'error',
  })
  return new Map(outputFiles.map(({ path, text }) => [relative(project, path), text]))
}
