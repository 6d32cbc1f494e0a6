import { late } from '../../platform/kit/late.ts'

/** The list of codes as a module: 30 KB gzipped, which no start of a checkout evaluates. */
export type CodeList = typeof import('./code-list.ts')

/**
 * `heldCodes`: the list if this isolate has evaluated it. `loadCodes` evaluates it. It is a part of the
 * Worker, so each release has its own.
 */
export const { held: heldCodes, load: loadCodes } = late<CodeList>(() => import('./code-list.ts'))
