/** A further shard, and the section that binds it. */
export type NewShard = { binding: string; database_name: string; section: string }

/** The next shard of an environment (e.g. `staging`; '' is production) after these databases. */
export function newShard(
  databases: readonly { binding: string }[],
  environment: string,
  service: string,
): NewShard {
  const numbers = databases.map(({ binding }) => Number(/BOOKS_(\d+)/.exec(binding)?.[1] ?? 0))
  const number = Math.max(0, ...numbers) + 1
  const binding = `BOOKS_${number}`
  const database_name = `${service}-books-${number}`
  const head = environment === '' ? '' : `env.${environment}.`
  const section = `
[[${head}d1_databases]]
binding = "${binding}"
database_name = "${database_name}"
migrations_dir = "migrations"
`
  return { binding, database_name, section }
}
