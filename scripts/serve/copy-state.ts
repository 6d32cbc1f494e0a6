import { cpSync, existsSync, globSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The folder of the copies in a state. */
const COPIES = 'copies'
/** A copy has the name of its day. Other folders there are the operator's. */
const COPY_NAMES = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'

/**
 * Copies a state while the service writes to it. Each database is copied as it is at one moment, and checked;
 * the databases are not of the same moment. Other files never change, so a link is enough. Of the copies, the
 * last `kept` stay. Returns the folder, which is a state too.
 */
export function copyState(state: string, name: string, kept: number): string {
  const copies = join(state, COPIES)
  const copy = join(copies, name)
  const unfinished = `${copy}.unfinished`
  const ended = globSync('*.unfinished', { cwd: copies }).map((each) => join(copies, each))
  for (const each of [copy, ...ended]) rmSync(each, { recursive: true, force: true })
  const files = globSync('v3/**', { cwd: state }).filter((file) => statSync(join(state, file)).isFile())
  // The files that a database names come after it, so none of them is missing.
  for (const file of files.filter((each) => each.endsWith('.sqlite')))
    copyDatabase(join(state, file), join(unfinished, file))
  for (const file of globSync('v3/**/blobs/*', { cwd: state }))
    link(join(state, file), join(unfinished, file))
  renameSync(unfinished, copy)
  for (const old of globSync(COPY_NAMES, { cwd: copies }).toSorted().slice(0, -kept))
    rmSync(join(copies, old), { recursive: true })
  return copy
}

function copyDatabase(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const source = new DatabaseSync(from, { readOnly: true })
  source.exec('PRAGMA busy_timeout = 60000')
  source.prepare('VACUUM INTO ?').run(to)
  source.close()
  const copy = new DatabaseSync(to, { readOnly: true })
  const { quick_check: found } = Object(copy.prepare('PRAGMA quick_check').get())
  copy.close()
  if (found !== 'ok') throw new Error(`The copy of ${from} is damaged: ${String(found)}`)
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch {
    // A disk without links, or a file that was deleted meanwhile.
    if (existsSync(from)) cpSync(from, to)
  }
}
