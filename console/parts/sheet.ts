import { type Child, useLayoutEffect } from 'hono/jsx/dom'
import { Store } from '../store.ts'

/** The head of the open drawer: its title, and what stands beside it, such as a badge, and its address. */
export const SHEET = new Store<{ title: string; beside: Child; of: string }>({
  title: '',
  beside: null,
  of: '',
})

/** Gives a drawer a title until its record is known. A form names itself before this is called. */
export function resetTitle(title: string): void {
  if (SHEET.get().of !== location.hash) SHEET.set({ title, beside: null, of: location.hash })
}

/** Names the open drawer, as soon as its record is known. */
export function useTitle(title: string, beside: Child = null, of: readonly unknown[] = []): void {
  useLayoutEffect(() => SHEET.set({ title, beside, of: location.hash }), [title, ...of])
}
