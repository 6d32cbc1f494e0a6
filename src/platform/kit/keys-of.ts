/** The keys of a table that is a literal in the code, in its order. The table has at least one key. */
export function keysOf<Table extends object>(
  table: Table,
): [keyof Table & string, ...(keyof Table & string)[]] {
  // Object.keys returns `string[]`, because an object may have more keys than its type. A literal has no
  // others.
  return Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]
}

/** A table with the same value under all names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  value: Value,
): Record<Name, Value> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>
}
