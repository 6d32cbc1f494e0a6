import { type Child, useLayoutEffect } from 'hono/jsx/dom'
import { Store } from '../store.ts'

/** The head of the open drawer: its title, and what stands beside it, such as a badge. */
export const SHEET = new Store<{ title: string; beside: Child }>({ title: '', beside: null })

/** Names the open drawer, as soon as its record is known. */
export function useTitle(title: string, beside: Child = null, of: readonly unknown[] = []): void {
  useLayoutEffect(() => SHEET.set({ title, beside }), [title, ...of])
}
