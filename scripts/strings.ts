import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readOptions } from './options.ts'
import { readSources } from './read-sources.ts'
import { applied, STRING_FILES, stringsFile } from './strings/files.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Writes the files of dist/strings/ from the sources. With `--apply`, it first takes the words that an editor
 * has changed in these files into the sources. If a line is refused, nothing is written.
 */
const { apply } = readOptions({ apply: { type: 'boolean', default: false } })
if (!apply || applyAll()) writeAll()

function applyAll(): boolean {
  const results = STRING_FILES.map(({ file, sources, exclude }) => ({
    file,
    ...applied(readSources([file]).get(file) ?? '', readSources(sources, exclude)),
  }))
  for (const { file, refused } of results) for (const line of refused) console.error(`${file}: ${line}`)
  if (results.some(({ refused }) => refused.length > 0)) {
    process.exitCode = 1
    return false
  }
  const changed = results.flatMap((result) => [...result.changed])
  for (const [path, text] of changed) {
    writeFileSync(join(PROJECT, path), text)
    console.log(`Changed ${path}`)
  }
  if (changed.length > 0) format(changed.map(([path]) => path))
  return true
}

function format(paths: readonly string[]): void {
  const oxfmt = join(PROJECT, 'node_modules/oxfmt/bin/oxfmt')
  spawnSync(process.execPath, [oxfmt, ...paths], { cwd: PROJECT, stdio: 'inherit' })
}

function writeAll(): void {
  for (const { file, title, sources, exclude } of STRING_FILES) {
    mkdirSync(dirname(join(PROJECT, file)), { recursive: true })
    writeFileSync(join(PROJECT, file), stringsFile(title, readSources(sources, exclude)))
    console.log(`Wrote ${file}`)
  }
}
