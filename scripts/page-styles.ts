import { join } from 'node:path'
import { buildSync } from 'esbuild'

/** What a style sheet is made of, in this order, by its path. The pages and the console share the tokens. */
const SHEETS = {
  'public/pages.css': ['tokens', 'style'],
  'public/console/console.css': [
    'tokens',
    'console/frame',
    'console/parts',
    'console/charts',
    'console/views',
    'console/filing',
  ],
}

/**
 * The style sheet of the pages and the documentation, and that of the console, by their paths. Each is one
 * file without comments, so a page needs one request for its looks.
 */
export function pageStyles(project: string): Map<string, string> {
  return new Map(
    Object.entries(SHEETS).map(([path, parts]) => [path, sheetOf(join(project, 'public'), parts)]),
  )
}

function sheetOf(folder: string, parts: readonly string[]): string {
  const { outputFiles } = buildSync({
    stdin: {
      contents: parts.map((part) => `@import './${part}.css';`).join(' '),
      loader: 'css',
      resolveDir: folder,
    },
    write: false,
    bundle: true,
    minify: true,
    target: 'es2024',
    logLevel: 'error',
  })
  return outputFiles.map(({ text }) => text).join('')
}
