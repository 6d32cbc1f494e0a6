import { onForget } from '../../platform/kit/memory.ts'

/** The list of codes as a module: 30 KB gzipped, which no start of a checkout evaluates. */
export type CodeList = typeof import('./code-list.ts')

let held: CodeList | null = null
onForget(() => {
  held = null
})

/** The list if this isolate has evaluated it. */
export function heldCodes(): CodeList | null {
  return held
}

/** Evaluates the list, which is a part of the Worker, so each release has its own. */
export async function loadCodes(): Promise<CodeList> {
  held ??= await import('./code-list.ts')
  return held
}
