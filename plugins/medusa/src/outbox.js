const { ContainerRegistrationKeys } = require('@medusajs/framework/utils')

/** The table is in the database of the shop. `recorded_at`: the entry is in the books. */
const TABLE = 'tax_compliance_outbox'

/** How many entries one flush sends. The next one sends more. */
const LISTED_MAX = 500

/** The codes of Postgres if two orders make the table at once: then it is there. */
const MADE_MEANWHILE = ['23505', '42P07']

/** How long the number of a recorded entry is kept, so that a search for lost orders finds it. */
const KEPT_DAYS = 30

/** The outbox of the recorder, in Postgres. Several servers of a shop share it. */
async function createOutbox(container) {
  const db = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  await db
    .raw(
      `create table if not exists ${TABLE} (
      id text primary key,
      entry jsonb not null,
      kept_at timestamptz not null default clock_timestamp(),
      recorded_at timestamptz
    )`,
    )
    .catch((error) => {
      if (!MADE_MEANWHILE.includes(error.code)) throw error
    })
  const waiting = () => db(TABLE).whereNull('recorded_at')
  return {
    put: async (entry) => {
      await db(TABLE)
        .insert({ id: entry.id, entry: JSON.stringify(entry) })
        .onConflict('id')
        .ignore()
    },
    list: async () =>
      (await waiting().orderBy(['kept_at', 'id']).limit(LISTED_MAX).select('entry')).map(
        ({ entry }) => entry,
      ),
    // The entry is forgotten, its number is not.
    delete: async (id) => {
      await db(TABLE).where({ id }).update({ recorded_at: db.fn.now(), entry: '{}' })
    },
    /** Those of these entries that were never kept here. */
    unknown: async (ids) => {
      const known = new Set((await db(TABLE).whereIn('id', ids).select('id')).map(({ id }) => id))
      return ids.filter((id) => !known.has(id))
    },
    /** Whether an entry is in the books. */
    isRecorded: async (id) =>
      (await db(TABLE).where({ id }).whereNotNull('recorded_at').select('id')).length > 0,
    prune: async () => {
      await db(TABLE).whereRaw(`recorded_at < now() - interval '${KEPT_DAYS} days'`).delete()
    },
  }
}

module.exports = { createOutbox }
