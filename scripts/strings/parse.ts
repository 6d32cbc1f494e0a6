import type { SourceFile } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'
import type { Sources } from '../checks/style.ts'

const ROOT = '/strings/'
const CONFIGURATION = `${ROOT}tsconfig.json`

/** Files are only parsed: no library and no import is read. */
const OPTIONS = { noLib: true, noResolve: true, types: [], jsx: 'preserve', allowImportingTsExtensions: true }

/** Calls `use` with the syntax tree of each file. */
export function eachParsed(sources: Sources, use: (path: string, file: SourceFile) => void): void {
  const files = [...sources.keys()]
  const api = new API({
    cwd: ROOT,
    fs: createVirtualFileSystem({
      ...Object.fromEntries(files.map((path) => [`${ROOT}${path}`, sources.get(path) ?? ''])),
      [CONFIGURATION]: JSON.stringify({ compilerOptions: OPTIONS, files }),
    }),
  })
  try {
    const [project] = api.updateSnapshot({ openProjects: [CONFIGURATION] }).getProjects()
    for (const path of files) {
      const file = project?.program.getSourceFile(`${ROOT}${path}`)
      if (file === undefined) throw new Error(`${path} cannot be parsed`)
      use(path, file)
    }
  } finally {
    api.close()
  }
}
