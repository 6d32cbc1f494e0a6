import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { generateAgain } from '../../scripts/generate-again.ts'
import { schemaType } from '../../scripts/client-types/schema-type.ts'
import { hashOfInputs, isUpToDate, readStamp, writeStamp } from '../../scripts/generation-stamp.ts'

const folder = mkdtempSync(join(tmpdir(), 'generate-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('generated files', () => {
  it('are out of date after an input changed, came or went, and if one of them is missing', () => {
    const hash = () => hashOfInputs(folder, ['src/**/*.ts'])
    const [source, other, made] = ['src/a.ts', 'src/b.ts', 'made.json'].map((path) => join(folder, path))
    mkdirSync(join(folder, 'src'))
    writeFileSync(source ?? '', 'a')
    writeFileSync(made ?? '', '{}')
    const file = join(folder, 'dist/stamp.json')
    expect(isUpToDate(folder, readStamp(file), hash())).toBe(false)
    writeStamp(file, { inputs: hash(), files: ['made.json'] })
    const upToDate = () => isUpToDate(folder, readStamp(file), hash())
    expect(upToDate()).toBe(true)
    writeFileSync(other ?? '', 'b')
    expect(upToDate()).toBe(false)
    rmSync(other ?? '')
    expect(upToDate()).toBe(true)
    utimesSync(source ?? '', 1, 1)
    expect(upToDate()).toBe(false)
    writeStamp(file, { inputs: hash(), files: ['made.json'] })
    rmSync(made ?? '')
    expect(upToDate()).toBe(false)
  })

  it('are no inputs, nor is one that another process is about to put in its place', () => {
    const hash = () => hashOfInputs(folder, ['inputs/**/*'])
    mkdirSync(join(folder, 'inputs'))
    writeFileSync(join(folder, 'inputs/a.ts'), 'a')
    const before = hash()
    for (const name of ['a.generated.ts', 'a.generated.ts.4711'])
      writeFileSync(join(folder, 'inputs', name), 'made')
    expect(hash()).toBe(before)
  })

  it('are made again before each further run of a watch, which reads them again', async () => {
    const project = join(folder, 'watched')
    const made: string[] = []
    const invalidated: string[] = []
    const handlers: ((specifications: never[]) => unknown)[] = []
    const plugin = generateAgain(project, () => {
      made.push('again')
      if (made.length === 2) throw new Error('half an edit')
      writeStamp(join(project, 'dist/generated.json'), { inputs: '', files: ['src/a.generated.ts'] })
    })
    const vitest = {
      onTestsRerun: (handler: (typeof handlers)[number]) => handlers.push(handler),
      invalidateFile: (path: string) => invalidated.push(path),
    }
    for (const _project of ['pure', 'worker']) plugin.configureVitest({ vitest } as never)
    expect(made).toEqual([])
    expect(handlers).toHaveLength(1)
    for (const run of [1, 2]) {
      await handlers[0]?.([])
      expect(made).toHaveLength(run)
      expect(invalidated).toHaveLength(run)
    }
    expect(invalidated[0]).toBe(join(project, 'src/a.generated.ts'))
  })
})

describe('the type of a schema', () => {
  it.each([
    ['number', { type: 'integer' }],
    ['string | null', { type: ['string', 'null'] }],
    ['Address | null', { anyOf: [{ $ref: '#/components/schemas/Address' }, { type: 'null' }] }],
    ['"a" | "b"', { type: 'string', enum: ['a', 'b'] }],
    ['Line[]', { type: 'array', items: { $ref: '#/components/schemas/Line' } }],
    ['Array<string | null>', { type: 'array', items: { type: ['string', 'null'] } }],
    ['ErrorAnswer', { $ref: '#/components/schemas/Error' }],
    ['unknown', {}],
    ['{\n  [key: string]: number\n}', { type: 'object', additionalProperties: { type: 'number' } }],
    [
      "{\n  /** Why */\n  a: string\n  'b-c'?: 1\n}",
      {
        type: 'object',
        properties: { a: { type: 'string', description: 'Why' }, 'b-c': { const: 1 } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
  ] as const)('is %s', (type, schema) => {
    expect(schemaType(JSON.parse(JSON.stringify(schema)))).toBe(type)
  })

  it('is refused for a form that the service does not use', () => {
    expect(() => schemaType({ type: 'object', allOf: [] })).toThrow('no form')
  })
})
