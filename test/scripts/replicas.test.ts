import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionsAnswer, setReplication, switchOnReplicas } from '../../scripts/replicas.ts'

/** Tools of a service whose sessions hang from the probe with this number on. */
function service(hangs_from: number | null) {
  const modes: string[] = []
  const lines: string[] = []
  let probes = 0
  const tools = {
    setMode: async (mode: string) => void modes.push(mode),
    probe: async () => {
      probes += 1
      return hangs_from === null || probes < hangs_from
    },
    wait: () => Promise.resolve(),
    report: (line: string) => void lines.push(line),
  }
  return { tools, modes, lines }
}

describe('read replication', () => {
  it('stays on if all probes answer', async () => {
    const { tools, modes } = service(null)
    expect(await switchOnReplicas(tools)).toBe(true)
    expect(modes).toEqual(['auto'])
  })

  it.each([1, 7])('is switched off again if probe %i hangs', async (number) => {
    const { tools, modes, lines } = service(number)
    expect(await switchOnReplicas(tools)).toBe(false)
    expect(modes).toEqual(['auto', 'disabled'])
    expect(lines.at(-1)).toContain('off again')
  })

  it('is switched off again if the service cannot be asked', async () => {
    const { tools, modes } = service(null)
    const probe = () => Promise.reject(new Error('no answer'))
    expect(await switchOnReplicas({ ...tools, probe })).toBe(false)
    expect(modes).toEqual(['auto', 'disabled'])
  })
})

describe('the requests', () => {
  const received: unknown[] = []
  let answer: object = {}
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { method, url, headers } = request
      received.push([method, url, headers.authorization, text === '' ? null : JSON.parse(text)])
      response.end(JSON.stringify(answer))
    })
  })
  let origin = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  afterAll(() => void server.close())

  it('set the mode of one database, and say why that failed', async () => {
    answer = { success: true, errors: [] }
    const access = { account_id: 'acc', token: 'a-token', api: origin }
    await setReplication(access, 'db', 'auto')
    expect(received).toEqual([
      ['PUT', '/accounts/acc/d1/database/db', 'Bearer a-token', { read_replication: { mode: 'auto' } }],
    ])
    answer = { success: false, errors: [{ message: 'not allowed' }] }
    await expect(setReplication(access, 'db', 'auto')).rejects.toThrow('not allowed')
  })

  it.each([
    ['pass', true],
    ['warn', false],
  ])('read the alarm of the deployed service: %s', async (status, expected) => {
    answer = { checks: { operations: { alarms: [{ name: 'broken_sessions', status }] } } }
    expect(await sessionsAnswer(origin)).toBe(expected)
    answer = {}
    await expect(sessionsAnswer(origin)).rejects.toThrow()
  })
})
