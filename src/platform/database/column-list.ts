type Trimmed<Text extends string> = Text extends `${' ' | '\n'}${infer Rest}` ? Trimmed<Rest> : Text

type Names<List extends string> = List extends `${infer Name},${infer Rest}`
  ? Trimmed<Name> | Names<Rest>
  : Trimmed<List>

/** A list of columns if it has all of a row and no others, else what is wrong with it. */
export type ColumnList<Row, List extends string> = [keyof Row] extends [Names<List>]
  ? [Names<List>] extends [keyof Row]
    ? List
    : `no column: ${Exclude<Names<List>, keyof Row> & string}`
  : `missing: ${Exclude<keyof Row, Names<List>> & string}`

/** A list of all columns of a row, in SQL. The compiler names a column that is missing or that no row has. */
export const allColumnsOf =
  <Row>() =>
  <List extends string>(list: ColumnList<Row, List>): string =>
    list
