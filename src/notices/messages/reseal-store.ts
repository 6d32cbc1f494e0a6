import type { ControlDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { SealedName } from './sealed.ts'

/** A sealed text of an account, by its name. */
type SealedText = { account_id: string; name: SealedName; sealed: string }

/** All sealed texts of messages as one list; a statement reads those that another key has sealed. */
const SEALED = `SELECT account_id, 'chat_url' AS name, chat_url AS sealed FROM message_settings
  UNION ALL SELECT account_id, 'chat_secret', chat_secret FROM message_settings
  UNION ALL SELECT account_id, 'person_' || person_id, stop_token FROM message_recipients` as const

/** At most so many texts that are not sealed under the key with this id. */
export async function readSealedMessages(
  control: ControlDb,
  key_id: string,
  limit: number,
): Promise<SealedText[]> {
  const { results } = await control
    .prepare(`SELECT * FROM (${SEALED}) WHERE substr(sealed, -9) <> '.' || ?1 LIMIT ?2`)
    .bind(key_id, limit)
    .all<SealedText>()
  return results
}

/** How many texts are not sealed under the key with this id. */
export async function countMessagesSealedOtherwise(control: ControlDb, key_id: string): Promise<number> {
  const [counted] = await control.batch([
    control
      .prepare(`SELECT count(*) AS n FROM (${SEALED}) WHERE substr(sealed, -9) <> '.' || ?1`)
      .bind(key_id),
  ])
  return rowsOf<{ n: number }>(counted)[0]?.n ?? 0
}

/** Replaces sealed texts. One that was changed meanwhile stays as it is. */
export function replaceSealedMessages(
  control: ControlDb,
  texts: readonly (SealedText & { after: string })[],
): D1PreparedStatement[] {
  const json = JSON.stringify(texts)
  const from = `FROM (SELECT value ->> 'account_id' AS owner, value ->> 'name' AS name,
    value ->> 'sealed' AS before, value ->> 'after' AS after FROM json_each(?)) sealed` as const
  return [
    control.prepare(
      `UPDATE message_settings SET chat_url = sealed.after ${from}
       WHERE account_id = owner AND name = 'chat_url' AND chat_url = before`,
    ),
    control.prepare(
      `UPDATE message_settings SET chat_secret = sealed.after ${from}
       WHERE account_id = owner AND name = 'chat_secret' AND chat_secret = before`,
    ),
    control.prepare(
      `UPDATE message_recipients SET stop_token = sealed.after ${from}
       WHERE account_id = owner AND name = 'person_' || person_id AND stop_token = before`,
    ),
  ].map((statement) => statement.bind(json))
}
