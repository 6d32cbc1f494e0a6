import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { readDevArguments } from '../../scripts/dev-arguments.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const defaults = { port: 8787, ip: '127.0.0.1', state: '.wrangler/state' }
const read = (...args: string[]) => readDevArguments(args, defaults)

describe('the arguments of npm run dev', () => {
  it('have defaults', () => {
    expect(read()).toEqual({ ...defaults, others: [] })
  })

  it('are taken in both spellings', () => {
    expect(read('--port', '8899', '--persist-to=/tmp/a=b', '--ip', '0.0.0.0')).toEqual({
      port: 8899,
      ip: '0.0.0.0',
      state: '/tmp/a=b',
      others: [],
    })
  })

  it('go on to wrangler in their order when they are not known', () => {
    expect(read('--var', 'A:1', '--port', '1', '--var', 'B:2', '--inspector-port=0').others).toEqual([
      '--var',
      'A:1',
      '--var',
      'B:2',
      '--inspector-port=0',
    ])
  })

  it.each([[['--port', 'many']], [['--port', '70000']], [['--port']], [['--persist-to', '--var']]])(
    'are refused as %j',
    (args) => {
      expect(() => read(...args)).toThrow(/--(port|persist-to) (must be|needs)/)
    },
  )

  it('are refused in one line, without a stack', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/dev.ts', '--port', 'abc'], {
      cwd: PROJECT,
      encoding: 'utf8',
    })
    expect(stderr).toBe('--port must be a number from 1 to 65535, not abc\n')
    expect(status).toBe(2)
  })
})
