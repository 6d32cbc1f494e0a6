import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfInputs, isUpToDate, readStamp, writeStamp } from './generation-stamp.ts'
import { writeIfOther } from './write-if-other.ts'

/**
 * Writes the files that are made from the code and the guides. They are not in the repository: each command
 * that needs them runs this first. It does nothing if nothing changed since the last time.
 */
// Not imported from wrangler.ts, which loads all of wrangler: this runs before each build.
const PROJECT = join(import.meta.dirname, '..')
const STAMP = join(PROJECT, 'dist/generated.json')
const INPUTS = [
  '{src,console,scripts,docs}/**/*',
  'data/**/*',
  'plugins/doors.json',
  'collectors/us-local/**/*',
  'public/{tokens,style}.css',
  'public/console/{frame,parts,charts,views,filing}.css',
  'test/engine/oracles/*.json',
  'CHANGELOG.md',
  'package-lock.json',
]

try {
  await generate()
} catch (thrown) {
  // A plain Error of our scripts says what a route or a schema lacks. Any other is a fault in the code.
  if (!(thrown instanceof Error) || thrown.constructor !== Error || 'code' in thrown) throw thrown
  console.error(thrown.message)
  process.exitCode = 1
}

async function generate(): Promise<void> {
  const before = readStamp(STAMP)
  const inputs = hashOfInputs(PROJECT, INPUTS)
  if (isUpToDate(PROJECT, before, inputs)) return
  // First, because the code from which the others are made imports them. All code imports the countries.
  const { countryModules } = await import('./country-files.ts')
  const files = writeAll(countryModules())
  const { quickChecks } = await import('./quick-checks/quick-checks.ts')
  for (const [path, text] of writeAll(quickChecks())) files.set(path, text)
  const { featureFiles } = await import('./features.ts')
  for (const [path, text] of writeAll(await featureFiles(PROJECT))) files.set(path, text)
  const { generatedFiles } = await import('./generated-files.ts')
  for (const [path, text] of writeAll(generatedFiles(PROJECT))) files.set(path, text)
  for (const path of before.files) if (!files.has(path)) rmSync(join(PROJECT, path), { force: true })
  writeStamp(STAMP, { inputs, files: [...files.keys()] })
}

function writeAll(files: Map<string, string>): Map<string, string> {
  for (const [path, text] of files) writeIfOther(join(PROJECT, path), text)
  return files
}
