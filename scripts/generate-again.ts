import { join } from 'node:path'
import type { VitestPluginContext } from 'vitest/node'
import { readStamp } from './generation-stamp.ts'

/**
 * A plugin for the watch of the tests: before each further run it makes the files that are made from the
 * code. They may be made from the file whose change began the run. If they cannot be made now, as amid an
 * edit, the tests run with those of the last time.
 */
export function generateAgain(project: string, generate: () => void) {
  const watched = new WeakSet<object>()
  return {
    name: 'generate-again',
    configureVitest: ({ vitest }: Pick<VitestPluginContext, 'vitest'>) => {
      // Projects have it in common.
      if (watched.has(vitest)) return
      watched.add(vitest)
      vitest.onTestsRerun(() => {
        try {
          generate()
        } catch (thrown) {
          console.error('The generated files are those of the last run.', thrown)
        }
        const { files } = readStamp(join(project, 'dist/generated.json'))
        for (const path of files) vitest.invalidateFile(join(project, path))
      })
    },
  }
}
