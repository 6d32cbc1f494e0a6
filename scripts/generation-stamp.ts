import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeIfOther } from './write-if-other.ts'

/** What files were made, and from which inputs. */
type Stamp = { inputs: string; files: readonly string[] }

/** Files that are made beside the code are no inputs, nor is what is about to take the place of one. */
const MADE = ['**/*.generated.ts*']

/** A hash of the paths, sizes and times of all files that match. It reads none of them, so it takes 30 ms. */
export function hashOfInputs(project: string, patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync([...patterns], { cwd: project, exclude: MADE }).toSorted()) {
    const { size, mtimeMs } = statSync(join(project, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Whether all files of a stamp exist, and were made from these inputs. */
export function isUpToDate(project: string, stamp: Stamp, inputs: string): boolean {
  return stamp.inputs === inputs && stamp.files.every((path) => existsSync(join(project, path)))
}

/** The stamp in a file. If there is none, one that is not up to date. */
export function readStamp(file: string): Stamp {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { inputs: '', files: [] }
}

export function writeStamp(file: string, stamp: Stamp): void {
  writeIfOther(file, JSON.stringify(stamp))
}
