'use strict'
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')

/** The compiler of the repository: the plugin itself needs none. */
const TSC = join(__dirname, '../../../node_modules/typescript/bin/tsc')

test('the types fit those of Vendure and of the client', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, '-p', join(__dirname, 'types')], {
    cwd: join(__dirname, '..'),
    encoding: 'utf8',
  })
  assert.ok(status !== null && status <= 2 && stderr === '', stderr)
  // The packages of Vendure have faults of their own, and `skipLibCheck` would skip our index.d.ts too.
  const ours = stdout
    .split('\n')
    .filter((line) => /error TS/.test(line) && !/^(\.\.\/)*node_modules\//.test(line))
  assert.deepEqual(ours, [])
})
