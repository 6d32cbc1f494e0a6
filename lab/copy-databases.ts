import { copyFileSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/** The files of the databases below a folder of miniflare, relative to it. */
function filesIn(state: string): string[] {
  return globSync('**/*.sqlite', { cwd: state }).toSorted()
}

/** Copies all databases while the service writes to them: each as it was at one moment. */
export async function copyDatabases(state: string, copy: string): Promise<void> {
  for (const file of filesIn(state)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    const source = new DatabaseSync(join(state, file), { readOnly: true })
    await backup(source, join(copy, file))
    source.close()
  }
}

/** Puts the copy of a database in its place. The service must not run. */
export function restoreDatabase(state: string, copy: string, file: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(join(state, file + suffix), { force: true })
  copyFileSync(join(copy, file), join(state, file))
}

/** The file of a database that has an account, or of none of them: found by what it contains. */
export function fileWith(state: string, sql: string): string {
  const found = filesIn(state).find((file) => {
    const database = new DatabaseSync(join(state, file), { readOnly: true })
    try {
      return database.prepare(sql).get() !== undefined
    } catch {
      return false
    } finally {
      database.close()
    }
  })
  if (found === undefined || !existsSync(join(state, found))) throw new Error(`No database answers ${sql}`)
  return found
}
