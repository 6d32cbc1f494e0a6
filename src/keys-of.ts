/** The keys of a table that is written out in code, in its order. Such a table has at least one. */
export function keysOf<Table extends object>(
  table: Table,
): [keyof Table & string, ...(keyof Table & string)[]] {
  // Object.keys gives `string[]`, because an object may have more keys than its type: a table in code has none.
  return Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]
}
