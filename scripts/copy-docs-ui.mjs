import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Copies the user interface of the reference to its page, so that our own origin serves it. It is plain
 * JavaScript, because wrangler may run it with an older Node.
 */
const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const to = join(import.meta.dirname, '../public/docs')
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) copyFileSync(join(from, file), join(to, file))
