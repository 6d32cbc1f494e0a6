import { late } from '../../platform/kit/late.ts'
import { onForget } from '../../platform/kit/memory.ts'

/** The list of codes as a module: 30 KB gzipped, which no start of a checkout evaluates. */
export type CodeList = typeof import('./code-list.ts')

// The client's bundle only asks whether the list is held, so it leaves out a pure call, and the list.
const list = /* @__PURE__ */ late<CodeList>(() => import('./code-list.ts'))

let held: CodeList | null = null
onForget(() => {
  held = null
})

/** The list if this isolate has evaluated it. */
export function heldCodes(): CodeList | null {
  return held
}

/** Evaluates the list, which is a part of the Worker, so each release has its own. */
export const loadCodes = async (): Promise<CodeList> => (held = await list.load())
