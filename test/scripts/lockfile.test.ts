import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PROJECT } from '../../scripts/wrangler.ts'

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      optional: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
})

const { packages } = Lockfile.parse(JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')))
const unchecked = Object.entries(packages).filter(
  ([path, { integrity, link }]) => path.startsWith('node_modules/') && !integrity && !link,
)

describe('a package without a hash, which npm ci cannot check', () => {
  it('is a native tool, and not one for Linux with glibc', () => {
    for (const [path, { optional, os, cpu, libc }] of unchecked) {
      expect([path, optional]).toEqual([path, true])
      const common = os?.includes('linux') && !libc?.includes('musl')
      expect(common && /x64|^arm64$/.test(String(cpu)), path).toBeFalsy()
    }
  })

  it('is counted in the page on security', () => {
    const page = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8')
    expect(page).toContain(`${unchecked.length} native packages`)
  })
})
