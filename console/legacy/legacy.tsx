import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import { SHEET } from '../parts/sheet.ts'
import type { RecordProps, ViewModule, ViewProps } from '../view-module.ts'
import { failureNotice } from './elements.js'
import { load } from './load.js'

type Drawer = {
  body: HTMLElement
  setTitle: (title: string, beside?: string | number | Node | null) => void
  refresh: () => Promise<void>
}

type LegacyModule = {
  show: (page: { place: HTMLElement; actions: HTMLElement; query: URLSearchParams }) => void | Promise<void>
  open?: (drawer: Drawer, id: string) => Promise<(string | number | Node | null)[]>
}

/** A view that makes its elements itself, as one of components. */
export async function legacy(imported: () => Promise<LegacyModule>): Promise<ViewModule> {
  const { show, open } = await imported()
  const View = ({ query }: ViewProps) => {
    const place = useRef<HTMLDivElement>(null)
    useLayoutEffect(() => {
      const actions = document.querySelector('.head .actions')
      if (place.current === null || !(actions instanceof HTMLElement)) return
      // A copy: views change it before they go to its address, which must differ from the one shown.
      const page = { place: place.current, actions, query: new URLSearchParams(query) }
      const run = async () => show(page)
      run().catch((thrown: unknown) => page.place.replaceChildren(failureNotice(thrown)))
    }, [])
    return <div ref={place} />
  }
  if (open === undefined) return { View }
  const Record = ({ id }: RecordProps) => {
    const body = useRef<HTMLDivElement>(null)
    useLayoutEffect(() => {
      if (body.current === null) return
      const element = body.current
      const drawer: Drawer = {
        body: element,
        setTitle: (title, beside) =>
          SHEET.set({ title, beside: beside instanceof Node ? <Foreign node={beside} /> : (beside ?? null) }),
        refresh: () => load(element, () => open(drawer, id)),
      }
      void drawer.refresh()
    }, [])
    return <div class="drawer-body" ref={body} />
  }
  return { View, Record }
}

function Foreign({ node }: { node: Node }) {
  return <span ref={(place: HTMLElement | null) => place?.replaceChildren(node)} />
}
