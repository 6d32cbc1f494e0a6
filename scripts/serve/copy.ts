import { copyState } from './copy-state.ts'

/** The nightly copy of a state, in a process of its own: a database holds up its process for seconds. */
const [state = '', name = '', kept = ''] = process.argv.slice(2)
console.log(copyState(state, name, Number(kept)))
