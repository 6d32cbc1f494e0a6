import { openLocal } from '../bindings.ts'
import { loadShippedData } from '../load-data.ts'
import { readWorkerOptions } from './worker-options.ts'

/**
 * Applies the missing migrations of a state and loads the tax data, in a process of its own, because that
 * takes more memory than to serve. It is quick if all is there. Prints the options of the Worker.
 */
const [state = '', environment = ''] = process.argv.slice(2)
const { db, kv, dispose } = await openLocal(state)
await loadShippedData(db, kv, new Date())
await dispose()
console.log(JSON.stringify(readWorkerOptions(environment)))
