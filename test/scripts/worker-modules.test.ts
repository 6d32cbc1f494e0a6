import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { entryFirst, readModules, type WorkerModules } from '../../scripts/built-worker.ts'
import { evaluatedAtStart, reachableModules, writeModules } from '../../scripts/worker-modules.ts'

const MODULES: WorkerModules = [
  { name: 'worker.js', contents: 'import{a}from"./part-a.js";import"./part-b.js";import("./part-late.js")' },
  { name: 'part-a.js', contents: 'import{b}from"./part-b.js";export{b as a}' },
  { name: 'part-b.js', contents: 'export var b=1' },
  { name: 'part-late.js', contents: 'export{a}from"./part-a.js"' },
]
const namesOf = (modules: readonly { name: string }[]) => modules.map(({ name }) => name).toSorted()

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modules-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('a start evaluates the entry and its static imports, but not what it imports later', () => {
  expect(namesOf(evaluatedAtStart(MODULES))).toEqual(['part-a.js', 'part-b.js', 'worker.js'])
  expect(namesOf(reachableModules(MODULES))).toEqual(namesOf(MODULES))
})

it('a missing module or entry is an error', () => {
  const [entry, ...parts] = MODULES
  expect(() => reachableModules([entry, ...parts.slice(0, 2)])).toThrow('part-late.js, which does not exist')
  expect(() => entryFirst(parts)).toThrow('no module worker.js')
})

it('a folder contains only the modules of the last build, and files that are no modules', () => {
  writeFileSync(join(folder, 'README.md'), 'stays')
  const map = { name: 'part-late.js.map', contents: '{}' }
  writeModules(folder, MODULES, [map])
  expect(readModules(folder)[0]).toEqual(MODULES[0])
  expect(namesOf(readModules(folder))).toEqual(namesOf(MODULES))
  writeModules(folder, [MODULES[0], { name: 'part-b.js', contents: 'export var b=2' }])
  expect(readdirSync(folder).toSorted()).toEqual(['README.md', 'part-b.js', 'worker.js'])
})
