import type { Child } from 'hono/jsx/dom'

/** What a view gets: the filters of the address. */
export type ViewProps = { query: URLSearchParams }

/** What the drawer of a record gets. */
export type RecordProps = ViewProps & { id: string }

/** The module of a view. `Actions` stand beside the heading, and `Record` is what a drawer contains. */
export type ViewModule = {
  View: (props: ViewProps) => Child
  Actions?: (props: ViewProps) => Child
  Record?: (props: RecordProps) => Child
}
