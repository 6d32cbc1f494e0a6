import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { siteFiles } from './docs-site/site.ts'
import { currentDocument } from './openapi.ts'

// Not imported from wrangler.ts, which loads all of wrangler: this runs before each build.
const PROJECT = join(import.meta.dirname, '..')
const PUBLIC = join(PROJECT, 'public')

/** Writes the documentation into public/docs, and removes the pages of guides that are gone. */
const files = siteFiles(PROJECT, currentDocument())
for (const [path, text] of files) writeChanged(join(PUBLIC, path), text)
for (const path of globSync(['docs/**/*.html', 'docs/*.md'], { cwd: PUBLIC }))
  if (!files.has(path)) rmSync(join(PUBLIC, path))

/** Does not write an equal file again, because `npm run dev` would see a change. */
function writeChanged(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
