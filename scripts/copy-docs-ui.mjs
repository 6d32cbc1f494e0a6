import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Puts the user interface of the reference beside its page, so that it comes from our own origin. Plain
 * JavaScript: wrangler runs it by whichever Node it finds.
 */
const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const to = join(import.meta.dirname, '../public/docs')
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) copyFileSync(join(from, file), join(to, file))
