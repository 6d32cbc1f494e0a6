import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { startDailyMessages } from '../../../src/notices/messages/daily.ts'
import { readOpenReturns } from '../../../src/returns/due/open-returns.ts'
import { afterOutcome } from '../../../src/notices/messages/deliver.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { listening } from '../../support/queues.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { letters } from '../subscribing.ts'
import {
  addPerson,
  disabled,
  dueAt,
  got,
  mailbox,
  newChat,
  newTeller,
  put,
  record,
  tick,
  withMail,
} from './telling.ts'

keepAccountsIn(0)

const AT = '2026-05-12T08:00:00.000Z'
const EARLIER = '2026-05-12T03:00:00.000Z'
const KILLED = new Error('D1_ERROR: the tick was killed')

const later = (minutes: number) => new Date(Date.parse(AT) + minutes * 60_000).toISOString()

/** An account whose message goes to two people and a chat. */
async function teller() {
  const { mails, MAIL } = mailbox()
  const bindings = withMail(MAIL)
  const own = await newTeller()
  const host = await newChat()
  const people = [
    await addPerson(own.account_id, 'a@example.com'),
    await addPerson(own.account_id, 'b@example.com'),
  ]
  const chat = { format: 'signed', url: `https://${host}/` }
  const { status } = await put(bindings, own, { recipients: people, chat })
  expect(status).toBe(200)
  await dueAt(own, AT)
  await record(own, disabled(own), EARLIER)
  return { mails, MAIL, bindings, own, host }
}

/** How often each recipient got each message, by its id. */
async function received({ mails, host }: Awaited<ReturnType<typeof teller>>) {
  const all = [
    ...mails.map(({ to, headers }) => `${to} ${headers['X-Message-Id']}`),
    ...(await letters(host)).map(({ headers }) => `chat ${headers['webhook-id']}`),
  ]
  const counted = [...Map.groupBy(all, (each) => each)].map(([id, times]) => ({
    to: id.split(' ')[0] ?? '',
    times: times.length,
  }))
  return counted.toSorted((one, other) => one.to.localeCompare(other.to))
}

describe('a message', () => {
  it('is made and sent once by two ticks at once', async () => {
    const told = await teller()
    await Promise.all([1, 2, 3].map(() => tick(told.bindings, told.own, AT)))
    await tick(told.bindings, told.own, later(5))
    expect(await received(told)).toEqual([
      { to: 'a@example.com', times: 1 },
      { to: 'b@example.com', times: 1 },
      { to: 'chat', times: 1 },
    ])
  })

  it('reaches each recipient once or twice with one id, wherever a tick is killed', async () => {
    let twice = 0
    for (const done of [false, true])
      for (let after = 0, ended = false; !ended; after += 1) {
        const told = await teller()
        let trips = 0
        const DB = interceptedDatabase(wholeDb(env.DB), async (trip) => {
          trips += 1
          if (trips <= after) return trip()
          if (trips === after + 1 && done) await trip()
          throw KILLED
        })
        await tick({ ...told.bindings, DB }, told.own, AT).catch((thrown: unknown) =>
          expect(thrown).toBe(KILLED),
        )
        ended = trips <= after
        for (const minutes of [11, 22, 33, 44]) await tick(told.bindings, told.own, later(minutes))
        const all = await received(told)
        const when = `killed ${done ? 'after' : 'before'} trip ${after + 1}`
        expect(
          all.map(({ to }) => to),
          when,
        ).toEqual(['a@example.com', 'b@example.com', 'chat'])
        for (const { times } of all) expect(times, when).toBeLessThanOrEqual(2)
        twice += all.filter(({ times }) => times === 2).length
        const { last } = (await got(told.bindings, told.own)) as { last: { state: string }[] }
        expect(
          last.map(({ state }) => state),
          when,
        ).toEqual(['sent', 'sent', 'sent'])
      }
    // Kills between a sending and its mark were among them.
    expect(twice).toBeGreaterThan(0)
  })

  it('is given up as unknown after two sendings without an outcome', async () => {
    const told = await teller()
    let sent = 0
    const { MAIL } = mailbox(() => {
      sent += 1
      throw new Error('Network connection lost')
    })
    for (const minutes of [0, 6, 12, 30, 90]) await tick(withMail(MAIL), told.own, later(minutes))
    expect(sent).toBe(4)
    const { last } = (await got(told.bindings, told.own)) as { last: { state: string; channel: string }[] }
    expect(last.filter(({ channel }) => channel === 'mail').map(({ state }) => state)).toEqual([
      'unknown',
      'unknown',
    ])
  })

  it('is given up as unknown if the ticks that send it die twice', async () => {
    const told = await teller()
    await tick(told.bindings, told.own, AT)
    await env.DB.prepare(
      `UPDATE messages SET state = 'pending', lost = 1, leased_until = ?2 WHERE account_id = ?1`,
    )
      .bind(told.own.account_id, later(10))
      .run()
    await tick(told.bindings, told.own, later(5))
    await tick(told.bindings, told.own, later(11))
    expect(told.mails).toHaveLength(2)
    const { last } = (await got(told.bindings, told.own)) as { last: { state: string }[] }
    expect(last.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  it('is sent by an invocation of its own where a tick has a budget', async () => {
    const told = await teller()
    const { queue, heard } = listening()
    const bindings = { ...told.bindings, OPERATIONS_OF_TICK: '50', WEBHOOK_EVENTS: queue }
    const start = (at: string) => startDailyMessages(bindings, told.own.shard, new Date(at), readOpenReturns)
    await start('2026-05-12T07:59:00.000Z')
    expect(heard).toEqual([])
    await start(AT)
    const rest = { kind: 'daily_messages', id: 'rest', shard: 0 }
    expect(heard).toEqual([rest])
    expect(told.mails).toEqual([])
    for (let rounds = 0; rounds < 4; rounds += 1) await tick(bindings, told.own, AT)
    expect(await received(told)).toHaveLength(3)
    expect(heard.length).toBeGreaterThan(2)
  })

  it('waits while its host gets no more, without counting that', () => {
    const now = new Date(AT)
    expect(afterOutcome({ attempts: 1, lost: 0 }, { state: 'put_off', error: 'host_limit' }, now)).toEqual({
      state: 'pending',
      attempts: 0,
      lost: 0,
      next_attempt_at: later(5),
      error: 'host_limit',
    })
  })

  it('is made with the settings of a change that came while it was made', async () => {
    const told = await teller()
    let changed = false
    const DB = interceptedDatabase(wholeDb(env.DB), async (trip) => {
      const result = await trip()
      if (!changed) {
        changed = true
        await put(told.bindings, told.own, { kinds: { webhook_disabled: false } })
      }
      return result
    })
    await tick({ ...told.bindings, DB }, told.own, AT)
    expect(await received(told)).toEqual([])
  })
})
