/** A further shard, and the text of wrangler.toml with the section that binds it. */
export type NewShard = { binding: string; database_name: string; text: string }

/** A section of a database in wrangler.toml. */
const SECTION = /^\[\[(?:env\.([\w-]+)\.)?d1_databases\]\]\n(?:(?!\[).*\n)*/gm

/**
 * The next shard of an environment (e.g. `staging`; '' is production), and the text of wrangler.toml with its
 * section, after the sections of the other databases. Throws an Error if the environment has no database.
 */
export function withNewShard(toml: string, environment: string, service: string): NewShard {
  const sections = [...toml.matchAll(SECTION)].filter(([, named]) => (named ?? '') === environment)
  const last = sections.at(-1)
  if (last === undefined) throw new Error(`wrangler.toml has no database of ${environment || 'production'}`)
  const numbers = sections.map(([section]) => Number(/BOOKS_(\d+)/.exec(section)?.[1] ?? 0))
  const number = Math.max(...numbers) + 1
  const binding = `BOOKS_${number}`
  const database_name = `${service}-books-${number}`
  const head = environment === '' ? '' : `env.${environment}.`
  const section = `[[${head}d1_databases]]
binding = "${binding}"
database_name = "${database_name}"
migrations_dir = "migrations"

`
  const end = last.index + last[0].length
  return { binding, database_name, text: toml.slice(0, end) + section + toml.slice(end) }
}
