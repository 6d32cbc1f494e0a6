import { ahead } from './ahead.ts'

/**
 * Sets the clock of this process or Worker CLOCK_AHEAD_MS ahead, for `npm run test:days`. Vitest keeps the
 * clock that it finds first, so this comes before all other files of the setup.
 */
const AHEAD_MS = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)

/** Files share a process, which Node itself may have set ahead already. */
const SET = Symbol.for('clock-ahead')

if (AHEAD_MS !== 0 && !(SET in globalThis)) {
  Object.assign(globalThis, { [SET]: true, Date: ahead(Date, AHEAD_MS) })
}
