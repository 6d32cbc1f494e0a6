import { join } from 'node:path'
import { buildSync } from 'esbuild'

/**
 * The style sheet of the pages and the documentation, by its path. The tokens, which the console loads too,
 * and the rest are one file, so a page needs one request for its looks.
 */
export function pageStyles(project: string): Map<string, string> {
  const { outputFiles } = buildSync({
    stdin: {
      contents: "@import './tokens.css'; @import './style.css';",
      loader: 'css',
      resolveDir: join(project, 'public'),
    },
    write: false,
    bundle: true,
    minify: true,
    target: 'es2024',
    logLevel: 'error',
  })
  return new Map(outputFiles.map(({ text }) => ['public/pages.css', text]))
}
